extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How much is registered and built, on one line.
    public var description: String { summary(of: snapshots) }

    /// The same, and each registration on a line of its own.
    public var debugDescription: String {
        let snapshots = snapshots
        return ([summary(of: snapshots)] + lines(of: snapshots).map { "  " + $0 }).joined(separator: "\n")
    }

    /// The registrations for `dump` and for debuggers, without the instances.
    public var customMirror: Mirror { Mirror(reflecting: lines(of: snapshots)) }

    private func lines(of snapshots: [RegistrationSnapshot]) -> [String] {
        let lines = snapshots.map { $0.line() }
        let names = lines.joined().names
        return lines.map { $0.text(with: names) }
    }

    private func summary(of snapshots: [RegistrationSnapshot]) -> String {
        // An alias is a further type for what is counted, and what is expected of children is not registered.
        let expected = snapshots.count { $0.isExpectation }
        let counted = snapshots.filter { !$0.isPlainAlias && !$0.isExpectation }
        let inherited = counted.count { $0.isInherited }
        let built = counted.count { $0.isBuilt }
        let summary = "DIContainer: \(counted.count - inherited) registered, \(inherited) inherited, \(built) built"
        return expected == 0 ? summary : "\(summary), \(expected) expected"
    }
}
