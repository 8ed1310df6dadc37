extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How much is registered and built, on one line.
    public var description: String { lines[0] }

    /// The same, and each registration on a line of its own.
    public var debugDescription: String { lines.joined(separator: "\n  ") }

    /// The registrations for `dump` and for debuggers, without the instances.
    public var customMirror: Mirror { Mirror(self, children: ["registrations": Array(lines.dropFirst())]) }

    @_optimize(size) private var lines: [String] {
        var (lines, own, inherited, built) = ([""], 0, 0, 0)
        for place in core.places {
            let isBuilt = place.core.current(place.entry, of: place.owner)?.box != nil
            let isInherited = place.owner !== core || place.entry.registration == nil
            lines.append(place.entry.subject.description + (isInherited ? ", inherited" : ""))
            if isBuilt { lines[lines.count - 1] += ", built" }
            // An alias is a further type for what is counted.
            if place.entry.isPlainAlias { continue }
            if isInherited { inherited += 1 } else { own += 1 }
            if isBuilt { built += 1 }
        }
        lines[0] = "DIContainer: " + String(own) + " registered, " + String(inherited) + " inherited, "
        lines[0] += String(built) + " built"
        return lines
    }
}
