// Keeping instances, one for a key.

extension ContainerCore {
    /// All that the container keeps, in the order in which it was built. Use it during a read, or on the queue.
    var keptInstances: [Instance] {
        var all: [Instance] = []
        slots.forEachInstance { instance in
            // Else it would grow step by step.
            if all.isEmpty { all.reserveCapacity(8) }
            all.append(instance)
        }
        if all.count > 1 { all.sort { $0.serial < $1.serial } }
        return all
    }

    /// Keeps an instance in place of what was kept for its key, unless its entry was replaced meanwhile; returns whether it does.
    /// Runs on the queue.
    func put(_ instance: Instance) -> Bool {
        let (entry, key) = (instance.entry, instance.entry.key)
        // The slot of an own entry is that of the key.
        let own = slots.find(key.word, where: { $0.entry == Borrowed(entry) })
        if own == nil, !ThreadRecord.reading({ leads(to: entry) }) { return false }
        var retired = Retirement()
        replace(with: instance, key, in: own, &retired)
        return true
    }

    /// Sets the instance that is kept for a key, or none. Runs on the queue.
    ///
    /// - Parameter slot: That of the key, if it is known.
    func replace(with instance: Instance?, _ key: Key, in slot: Slot? = nil, _ retired: inout Retirement) {
        let old = slots.put(
            instance: instance, at: key.word, in: slot, where: { key.isKey(of: $0) }, retiring: &retired)
        guard let old else { return }
        // What is wrapped lives on in what wraps it.
        if instance?.way.first != old.entry.serial { report(.released, old.entry.registration) }
        retired.add(old)
    }

    /// Takes out all that the container holds, instances and what is to be closed, in the order in which it was built. Runs on the
    /// queue.
    func takeAll() -> [AnyObject] {
        let instances = keptInstances.map { (serial: $0.serial, object: $0 as AnyObject) }
        let products = opened.map { (serial: $0.serial, object: $0.product as AnyObject) }
        slots.removeInstances()
        opened = []
        return products.isEmpty
            ? instances.map(\.object) : (instances + products).sorted { $0.serial < $1.serial }.map(\.object)
    }

    /// Keeps an instance until the outermost request is answered, if the container does not keep it.
    func keepForRequest(_ box: any AnyBox, isWeak: Bool) {
        if isWeak || isAbandoned { RequestContext.current?.keep(box) }
    }
}
