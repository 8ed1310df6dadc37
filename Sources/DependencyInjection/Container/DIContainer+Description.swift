extension DIContainer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The numbers of registrations and of cached instances, on one line.
    public var description: String { summary(of: snapshots) }

    /// The description, followed by one line for each registration.
    public var debugDescription: String {
        let snapshots = snapshots
        return ([summary(of: snapshots)] + lines(of: snapshots)).joined(separator: "\n  ")
    }

    /// The registrations without the instances, for `dump` and for debuggers.
    public var customMirror: Mirror { Mirror(reflecting: lines(of: snapshots)) }

    private func lines(of snapshots: [RegistrationSnapshot]) -> [String] {
        let typeNames = TypeNameFormatter(disambiguating: snapshots.flatMap { $0.registration.typesInTitle })
        return snapshots.map { $0.line(typeNames) }
    }

    private func summary(of snapshots: [RegistrationSnapshot]) -> String {
        var (own, inherited, built, declared) = (0, 0, 0, 0)
        // An alias belongs to a registration that is counted. Decorators without a registration and declarations don't
        // count as registered.
        for snapshot in snapshots where !snapshot.isPlainAlias && !snapshot.base.isDecorator {
            if snapshot.isProvidedByChild {
                declared += 1
                continue
            }
            if snapshot.isInherited { inherited += 1 } else { own += 1 }
            if snapshot.isBuilt { built += 1 }
        }
        let summary = "DIContainer: \(own) registered, \(inherited) inherited, \(built) built"
        return declared == 0 ? summary : "\(summary), \(declared) provided by a child"
    }
}
