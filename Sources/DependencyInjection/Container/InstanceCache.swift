// The cache of a container. The instance of a key is in the slot of the key.

internal import Synchronization

extension ContainerCore {
    /// All cached instances in order of construction. Read it during a read, or on the queue.
    package var cachedInstances: [Instance] {
        var all: [Instance] = []
        // Growing the array in steps costs more.
        all.reserveCapacity(8)
        table.forEachInstance { all.append($0) }
        all.sortByConstruction()
        return all
    }

    /// Caches an instance, unless its entry was replaced or the container was released. Runs on the queue.
    ///
    /// - Returns: The cached instance, or `nil` if the instance isn't cached.
    package func cache(_ box: any AnyBox, of entry: Entry, _ key: Key, closableID: UInt?) -> Instance? {
        if readGate.contains(.released) { return nil }
        // A request of this container for the key has to find the entry.
        guard let found = ThreadRecord.reading({ find(key) }), found.entry == UnretainedReference(entry) else {
            return nil
        }
        let instance = Instance(box, of: entry, builtBy: self, isCached: true, closableID: closableID)
        var retired = DeferredRelease()
        setInstance(instance, key, in: found.ownSlot, &retired)
        return instance
    }

    /// Sets or removes the instance of a key. Runs on the queue.
    ///
    /// - Parameter slot: The slot of the key, if it is known.
    func setInstance(_ instance: Instance?, _ key: Key, in slot: Slot? = nil, _ retired: inout DeferredRelease) {
        let old = table.put(
            instance: instance, at: key.word, in: slot, where: { key.isKey(of: $0) }, retiring: &retired)
        guard let old else { return }
        report(.released, old.entry.registration)
        retired.add(old)
    }

    /// Removes and returns all instances that the container retains, in order of construction. Runs on the queue.
    func takeInstances() -> [Instance] {
        var all = lifecycle.withLock { $0.takeClosables() }
        all.reserveCapacity(all.count + 8)
        table.removeInstances { all.append($0) }
        all.sortByConstruction()
        return all
    }

    /// Moves all cached instances to the lifecycle, where lookups find them until they are released. Runs on the queue.
    func unlinkInstances() {
        let instances = cachedInstances
        lifecycle.withLock { $0.unreleased = instances }
        table.removeInstances()
    }

    /// Retains a weakly held instance until the outermost request completes.
    func retainUntilRequestEnds(_ box: any AnyBox, of entry: Entry) {
        if entry.isHeldWeakly { GraphScope.current?.retain(box) }
    }
}

extension [Instance] {
    mutating func sortByConstruction() {
        if count > 1 { sort { $0.id < $1.id } }
    }
}
