extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How much is registered and built, on one line.
    public var description: String { lines[0] }

    /// The same, and each registration on a line of its own.
    public var debugDescription: String { lines.joined(separator: "\n  ") }

    /// The registrations for `dump` and for debuggers, without the instances.
    @_optimize(size) public var customMirror: Mirror {
        Mirror(self, children: ["registrations": Array(lines.dropFirst())])
    }

    @_optimize(size) private var lines: [String] {
        var lines = [""]
        var (inherited, built) = (0, 0)
        for registration in registrations {
            lines.append(registration.description)
            if registration.isInherited { inherited += 1 }
            if registration.isBuilt { built += 1 }
        }
        lines[0] = "DIContainer: " + String(lines.count - 1 - inherited) + " registered, "
        lines[0] += String(inherited) + " inherited, " + String(built) + " built"
        return lines
    }
}
