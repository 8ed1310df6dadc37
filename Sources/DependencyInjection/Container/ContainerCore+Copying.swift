// Forks, and copies of whole trees.

extension ContainerCore {
    /// Makes a container without a parent that has all registrations visible here, and no instances.
    func forked(_ watch: Watch? = nil) -> ContainerCore {
        let watch = watch ?? nearest { $0.with { $0.watch } }
        if parent == nil { return copy(under: nil, watch) }
        // Each copy comes later than the one before, and the container after all of them.
        let entries = settledEntries().map { $0.copy() }
        let fork = ContainerCore(copyOf: self, watch)
        var retired = Retirement()
        fork.slots.reserve(entries.count, retiring: &retired)
        for entry in entries { fork.setEntry(entry, entry.key, &retired) }
        return fork
    }

    /// Makes a container with these registrations and another parent, and no instances.
    func copy(under parent: ContainerCore?, _ watch: Watch? = nil) -> ContainerCore {
        exclusively {
            ContainerCore(parent: parent, slots: slots.copiedEntries(), copyOf: self, watch)
        }
    }
}
