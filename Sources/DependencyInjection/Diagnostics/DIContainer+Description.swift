extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How much is registered and built, on one line.
    public var description: String { listing.summary }

    /// The same, and each registration on a line of its own.
    public var debugDescription: String {
        let (summary, lines) = listing
        return lines.reduce(summary) { $0 + "\n  " + $1 }
    }

    /// The registrations for `dump` and for debuggers, without the instances.
    public var customMirror: Mirror { Mirror(reflecting: listing.lines) }

    @_optimize(size) private var listing: (summary: String, lines: [String]) {
        var (lines, own, inherited, built) = ([String](), 0, 0, 0)
        for place in core.places {
            let info = RegistrationInfo(place, aliases: [], in: core)
            lines.append(info.description)
            // An alias is a further type for what is counted.
            if info.entry.isPlainAlias { continue }
            if info.isInherited { inherited += 1 } else { own += 1 }
            if info.isBuilt { built += 1 }
        }
        return ("DIContainer: \(own) registered, \(inherited) inherited, \(built) built", lines)
    }
}
