// Lists of the entries that requests can find. They are built in loops, because a container may have many parents.

extension ContainerCore {
    /// Returns the entries that requests can find: this container's, then its parents', each in order of registration.
    /// Some entries only have decorators.
    func visibleEntries(where isIncluded: (Entry) -> Bool = { _ in true }) -> [Entry] {
        Self.merged(
            selfAndParents.map { core in
                ThreadRecord.reading { core.table.entries(where: isIncluded) }
            })
    }

    /// Returns the entries that requests can find. The result contains a block of registrations either completely or
    /// not at all.
    func consistentEntries() -> [Entry] {
        Self.merged(selfAndParents.map { core in core.exclusively { core.table.entries() } })
    }

    /// Merges the entries of a container with the entries of its parents.
    private static func merged(_ levels: [[Entry]]) -> [Entry] {
        let visible = SlotTable<Entry, Instance>()
        var retired = DeferredRelease()
        var entries: [Entry] = []
        for level in levels {
            for var entry in level.sorted(by: { $0.order < $1.order }) {
                let key = entry.key
                if let nearer = visible.find(key.word, where: key.isKey)?.entry?.object {
                    if !nearer.isDecoratorOnly { continue }
                    // In a fork, the decorators belong to the same container as the registration.
                    entry = entry.decorated(by: nearer.decorators)
                }
                visible.put(entry: entry, at: key.word, where: key.isKey, retiring: &retired)
                entries.append(entry)
            }
        }
        return entries.filter {
            visible.find($0.key.word, where: $0.key.isKey)?.entry?.object === $0
        }
    }
}

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
