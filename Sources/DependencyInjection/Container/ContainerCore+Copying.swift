// Forks, and copies of whole trees.

extension ContainerCore {
    /// Makes a container without a parent that has all registrations visible here, and no instances.
    func forked(_ watch: Watch? = nil) -> ContainerCore {
        let watch = watch ?? nearest { $0.with { $0.watch } }
        if parent == nil { return copy(under: nil, watch) }
        return ContainerCore(copying: settledEntries(), of: self, watch)
    }

    /// Makes a container with these registrations and another parent, and no instances.
    func copy(under parent: ContainerCore?, _ watch: Watch? = nil) -> ContainerCore {
        exclusively {
            ContainerCore(parent: parent, slots: slots.copiedEntries(), copyOf: self, watch)
        }
    }

    /// Makes a copy without a parent, with copies of entries, which all have different keys.
    private convenience init(copying all: [Entry], of origin: ContainerCore, _ watch: Watch?) {
        // Each copy comes later than the one before, and the container after all of them.
        let copies = all.map { $0.copy() }
        self.init(copyOf: origin, watch)
        var retired = Retirement()
        slots.reserve(copies.count, retiring: &retired)
        for entry in copies { setEntry(entry, entry.key, &retired) }
    }
}
