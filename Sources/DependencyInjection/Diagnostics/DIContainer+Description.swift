extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How much is registered and built, on one line.
    public var description: String { lines[0] }

    /// The same, and each registration on a line of its own.
    public var debugDescription: String { lines.joined(separator: "\n  ") }

    /// The registrations for `dump` and for debuggers, without the instances.
    public var customMirror: Mirror { Mirror(self, children: ["registrations": Array(lines.dropFirst())]) }

    @_optimize(size) private var lines: [String] {
        let all = core.places.map { RegistrationInfo($0, aliases: [], in: core) }
        // An alias is a further type for what is counted.
        let counted = all.filter { !$0.entry.isPlainAlias }
        let (inherited, built) = (counted.count { $0.isInherited }, counted.count { $0.isBuilt })
        let numbers = "\(counted.count - inherited) registered, \(inherited) inherited, \(built) built"
        return ["DIContainer: " + numbers] + all.map { $0.description }
    }
}
