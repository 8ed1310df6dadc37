// Lists of what requests can find. They are made in loops, because a container may have thousands of parents.

extension ContainerCore {
    /// The entries that requests can find and `isMeant` picks, in order, this container's before its parents'. Some hold
    /// decorators only.
    func visibleEntries(where isMeant: (Entry) -> Bool = { _ in true }) -> [Entry] {
        Self.merged(
            chain.map { core in
                ThreadRecord.reading { core.slots.entries(where: isMeant) }
            })
    }

    /// All entries that requests can find. A block of registrations is in the result as a whole or not at all.
    func settledEntries() -> [Entry] {
        Self.merged(chain.map { core in core.exclusively { core.slots.entries() } })
    }

    /// Merges the entries of a container with those of its parents, the nearest of which comes first, each in order.
    private static func merged(_ levels: [[Entry]]) -> [Entry] {
        let visible = SlotTable<Entry, Instance>()
        var retired = Retirement()
        var entries: [Entry] = []
        for level in levels {
            for var entry in level.sorted(by: { $0.order < $1.order }) {
                let key = entry.key
                if let nearer = visible.find(key.word, where: key.isKey)?.entry?.object {
                    if !nearer.isDecoratorOnly { continue }
                    // An entry with decorators only is merged with the parent's entry that it decorates.
                    entry = entry.wrapping(with: nearer.decorators)
                }
                visible.put(entry: entry, at: key.word, where: key.isKey, retiring: &retired)
                entries.append(entry)
            }
        }
        return entries.filter { visible.find($0.key.word, where: $0.key.isKey)?.entry == Borrowed($0) }
    }
}
