// Lists of what requests can find. They are made in loops, because a container may have thousands of parents.

extension ContainerCore {
    /// This container, then its parents, the nearest first.
    var chain: some Sequence<ContainerCore> { sequence(first: self) { $0.parent } }

    /// The entries that requests can find and `isMeant` picks, in order, this container's before its parents'. Some hold
    /// decorators only.
    func visibleEntries(where isMeant: (Entry) -> Bool = { _ in true }) -> [Entry] {
        Self.merged(chain.map { core in ThreadRecord.reading { core.entries.elements }.filter(isMeant) })
    }

    /// All entries that requests can find. A block of registrations is in the result as a whole or not at all.
    func settledEntries() -> [Entry] {
        Self.merged(chain.map { core in core.exclusively { core.entries.elements } })
    }

    /// The tables in which a request looks for its key. They keep registrations and no instances.
    var visibleTables: [AtomicTable<Entry>.Contents] {
        chain.compactMap { core in ThreadRecord.reading { core.entries.contents } }
    }

    /// Merges the entries of a container with those of its parents, the nearest of which comes first.
    private static func merged(_ levels: [[Entry]]) -> [Entry] {
        var visible: [Entry?] = []
        var places: [Key: Int] = [:]
        for level in levels {
            for var entry in level.sorted(by: { $0.order < $1.order }) {
                if let place = places[entry.key], let nearer = visible[place] {
                    if nearer.registration != nil { continue }
                    // An entry with decorators only is merged with the parent's entry that it decorates.
                    visible[place] = nil
                    entry = entry.decorated(by: nearer.decorators)
                }
                places[entry.key] = visible.count
                visible.append(entry)
            }
        }
        return visible.compactMap { $0 }
    }
}
