// Lists of the entries that requests can find. They are built in loops, because a container may have many parents.

extension ContainerCore {
    /// The registrations that requests can find, in order.
    var registrations: [Registration] {
        visibleEntries { !$0.isDecoratorOnly && !$0.registration.isProvidedByChild }.map(\.registration)
    }

    /// Returns the entries that requests can find: this container's, then its parents', each in order of registration.
    /// Some entries only have decorators.
    ///
    /// - Parameter isConsistent: Whether the result contains a block of registrations either completely or not at all.
    package func visibleEntries(
        isConsistent: Bool = false, where isIncluded: (Entry) -> Bool = { _ in true }
    ) -> [Entry] {
        Self.merged(
            selfAndParents.map { core in
                isConsistent
                    ? core.changes.withLock { _ in ThreadRecord.reading { core.table.entries(where: isIncluded) } }
                    : ThreadRecord.reading { core.table.entries(where: isIncluded) }
            })
    }

    /// Merges the entries of a container with the entries of its parents.
    private static func merged(_ levels: [[Entry]]) -> [Entry] {
        // Stores the entries that the nearer containers leave visible.
        let visible = ContainerCore()
        var retired = DeferredRelease()
        var entries: [Entry] = []
        // The entries of nearer containers that only decorate. In a fork, they belong to the same container as the
        // contributions.
        var decorating: [Entry] = []
        for level in levels.map({ $0.sorted { $0.order < $1.order } }) {
            for var entry in level {
                let key = entry.key
                if let nearer = visible.entry(key) {
                    if !nearer.isDecoratorOnly { continue }
                    // In a fork, the decorators belong to the same container as the registration.
                    entry = entry.decorated(by: nearer.decorators)
                }
                for nearer in decorating where entry.registration.isRegistered(as: nearer.key) {
                    entry = entry.decorated(by: nearer.decorators)
                }
                visible.put(entry, key, &retired)
                entries.append(entry)
            }
            // A farther container's decorators are closer to the instance.
            decorating = level.filter(\.isDecoratorOnly) + decorating
        }
        return entries.filter { visible.entry($0.key) === $0 }
    }
}
