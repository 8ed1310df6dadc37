// Keeping instances, and dropping what is outdated.

extension ContainerCore {
    /// What this container keeps for a key, with all its layers. Use it during a read, or on the queue.
    func outermost(_ key: Key) -> Borrowed<Instance>? { slot(key)?.instance }

    /// All that the container keeps, in the order in which it was built. Use it during a read, or on the queue.
    var keptInstances: [Instance] {
        var all: [Instance] = []
        slots.forEachInstance { outermost in
            // Else it would grow step by step.
            if all.isEmpty { all.reserveCapacity(8) }
            all.append(outermost)
            while let inner = all[all.count - 1].inner { all.append(inner) }
        }
        if all.count > 1 { all.sort { $0.serial < $1.serial } }
        return all
    }

    /// What is kept for a key and has a serial. Runs on the queue.
    func layer(_ serial: UInt?, of key: Key) -> Instance? {
        outermost(key)?.with { $0.layers.first { $0.serial == serial } }
    }

    /// Keeps an instance, around what it was made of or in place of what was kept for the key; returns whether something was
    /// dropped. Runs on the queue.
    @discardableResult func store(_ instance: Instance, _ retired: inout Retirement) -> Bool {
        let key = instance.entry.key
        if instance.sourceSerial != nil, !derivedKeys.contains(key) { derivedKeys.append(key) }
        return replace(with: instance, key, &retired)
    }

    /// Sets the outermost instance that is kept for a key, or none; returns whether one was dropped. Runs on the queue.
    @discardableResult func replace(with instance: Instance?, _ key: Key, _ retired: inout Retirement) -> Bool {
        let old = outermost(key)?.object
        defer { _ = slots.put(instance: instance, at: key.word, where: { key.isKey(of: $0) }, retiring: &retired) }
        guard let old else { return false }
        let dropped = old.layers.filter { layer in instance?.layers.contains { $0 === layer } != true }
        // The outermost is released first, while the others are still held, so that they do not go one inside the other.
        for layer in dropped.reversed() {
            reportRelease(layer)
            retired.add(layer)
        }
        return !dropped.isEmpty
    }

    /// Drops all instances. That which was built last is released first. Runs on the queue.
    func dropInstances(_ retired: inout Retirement) {
        for instance in keptInstances { retired.add(instance) }
        slots.removeInstances()
        derivedKeys = []
    }

    /// Takes out all that the container holds, instances and what is to be closed, in the order in which it was built. Runs on the
    /// queue.
    func takeAll() -> [AnyObject] {
        let instances = keptInstances.map { (serial: $0.serial, object: $0 as AnyObject) }
        let products = opened.map { (serial: $0.serial, object: $0.product as AnyObject) }
        slots.removeInstances()
        derivedKeys = []
        opened = []
        return products.isEmpty
            ? instances.map(\.object) : (instances + products).sorted { $0.serial < $1.serial }.map(\.object)
    }

    /// Keeps an instance until the outermost request is answered, if the container does not keep it.
    func keepForRequest(_ box: any AnyBox, isWeak: Bool) {
        if isWeak || isAbandoned { RequestContext.current?.keep(box) }
    }

    // MARK: What is outdated

    /// Whether what is kept for a key is current.
    enum KeptState {
        case current
        /// No request would get all of it any more.
        case outdated
    }

    /// Whether what is kept for a key is current; nil if nothing is. Call it during a read.
    func keptState(_ key: Key) -> KeptState? { outermost(key).map { $0.with(isCurrent) ? .current : .outdated } }

    /// Drops what this container keeps for a key and no request would get any more. A thread that would have to wait leaves
    /// this to the next one.
    func dropOutdated(_ key: Key) {
        var retired = Retirement()
        if isHeldByCurrentThread {
            dropOutdated(key, &retired)
        } else {
            _ = tryExclusively { dropOutdated(key, &retired) }
        }
    }

    /// Drops the layers kept for a key that no request would get any more. Runs on the queue.
    private func dropOutdated(_ key: Key, _ retired: inout Retirement) {
        guard let kept = outermost(key)?.object else { return }
        let current = kept.layers.first { layer in ThreadRecord.reading { isCurrent(layer) } }
        if current !== kept { replace(with: current, key, &retired) }
    }

    /// Drops what decorators made of outdated instances. Runs on the queue.
    func dropOutdatedDerived(_ retired: inout Retirement) {
        for key in derivedKeys { dropOutdated(key, &retired) }
    }

    /// Whether a request would get this instance, which the container keeps. Call it during a read.
    private func isCurrent(_ instance: Instance) -> Bool {
        // What the container's own registration has built goes when that is replaced.
        if instance.sourceSerial == nil, instance.owner == Borrowed(self) { return true }
        return isReachable(instance.entry)
            && (instance.sourceSerial == nil
                || current(Borrowed(instance.entry), of: instance.owner) == Borrowed(instance))
    }

    /// Whether a request to this container leads to the entry, directly or through decorators. Call it during a read.
    func isReachable(_ wanted: Entry) -> Bool {
        nearest { core -> Bool? in
            guard let entry = core.with({ $0.borrowedEntry(wanted.key) }) else { return nil }
            if entry == Borrowed(wanted) { return true }
            return entry.with { $0.registration == nil } ? nil : false
        } ?? false
    }
}
