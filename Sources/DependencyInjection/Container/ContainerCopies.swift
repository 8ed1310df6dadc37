// Forks, and copies of a container with its parents.

extension ContainerCore {
    /// Creates a container without a parent, with all registrations visible here and no instances.
    func forked() -> ContainerCore {
        let fork = parent == nil ? copy(under: nil) : mergedCopy()
        for observer in selfAndParents.flatMap({ $0.observers.all }) where observer.isInherited { fork.add(observer) }
        return fork
    }

    private func mergedCopy() -> ContainerCore {
        // Each copy follows the previous one in the order of registration.
        let entries = consistentEntries().map { $0.copy() }
        let fork = ContainerCore(copyOf: self)
        var retired = DeferredRelease()
        fork.table.reserve(entries.count, retiring: &retired)
        for entry in entries { fork.put(entry, entry.key, &retired) }
        return fork
    }

    /// Creates a container with the registrations of this one, another parent, and no instances.
    func copy(under parent: ContainerCore?) -> ContainerCore {
        exclusively { ContainerCore(parent: parent, contents: table.copiedEntries(), copyOf: self) }
    }
}
