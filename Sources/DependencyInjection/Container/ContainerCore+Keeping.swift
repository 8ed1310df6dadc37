// Keeping instances, and dropping what is outdated.

internal import Synchronization

extension ContainerCore {
    /// Keeps an instance, and drops the one that it replaces. Runs on the queue.
    func store(_ instance: Instance) {
        var retired = Retirement()
        let old = put(instance, instance.entry.key, of: instance.owner, &retired)
        if instance.basis != 0 { derived.append(instance) }
        if old != nil { dropOutdated(&retired) }
    }

    /// Sets or removes the instance that is kept for a key, and returns the old one. Runs on the queue.
    @discardableResult func put(
        _ instance: Instance?, _ key: Key, of owner: Borrowed<ContainerCore>?, _ retired: inout Retirement
    ) -> Instance? {
        let word = Instance.word(key, of: owner)
        let old = instances.put(instance, at: word, where: { $0.answers(key, of: owner) }, retiring: &retired)
        reportRelease(old)
        if let old { keepForClosing(old) }
        return old
    }

    /// Drops what decorators made of outdated instances. Runs on the queue.
    func dropOutdated(_ retired: inout Retirement) {
        if !derived.isEmpty { dropInvalid(of: derived, &retired) }
    }

    /// Drops those of some instances that no request would get, and notes the others that decorators made. Runs on the queue.
    private func dropInvalid(of all: [Instance], _ retired: inout Retirement) {
        derived = all.filter { instance in
            let isReachable = instance.owner == nil || isReachable(instance.entry)
            if isReachable, instance.basis == 0 || isCurrent(instance) { return instance.basis != 0 }
            reportRelease(instances.put(nil, at: instance.word, where: { $0 === instance }, retiring: &retired))
            keepForClosing(instance)
            retired.add(instance)
            return false
        }
    }

    /// Whether a request would get this instance.
    private func isCurrent(_ instance: Instance) -> Bool {
        ThreadRecord.reading {
            let owner = instance.owner ?? Borrowed(self)
            return owner.with { $0.isInstalled(instance.entry) }
                && current(Borrowed(instance.entry), of: owner) == Borrowed(instance)
        }
    }

    // MARK: What parents have changed

    /// Whether this container keeps what it made of its parents' entries or instances.
    var keepsForeign: Bool { lastSweep.load(ordering: .relaxed) != .max }

    /// Notes that this container is going to keep something made of its parents' entries, if these are still current.
    /// Runs on the queue.
    func prepareToKeepForeign() {
        if parent != nil, !keepsForeign { lastSweep.store(Serial.next(), ordering: .relaxed) }
    }

    /// Whether this container has changed since a child last looked for changes.
    func hasChanged(since child: ContainerCore) -> Bool {
        lastChange.load(ordering: .relaxed) > child.lastSweep.load(ordering: .relaxed)
    }

    /// Whether this container keeps something of its parents', and one of them has changed since it last looked.
    var isOutdated: Bool { keepsForeign && isAnywhere { $0.hasChanged(since: self) } }

    /// Drops what was made of things that the parents no longer have. A thread that would have to wait leaves this to
    /// the next one.
    func dropUnreachable() {
        guard isOutdated else { return }
        var retired = Retirement()
        if isHeldByCurrentThread {
            dropUnreachable(&retired)
        } else {
            _ = queue.trySync { dropUnreachable(&retired) }
            // A thread that abandoned the container meanwhile has left the clearing to this one.
            clearIfAbandoned()
        }
    }

    /// Drops what is outdated after a change, here or in a parent. Runs on the queue.
    func dropUnreachable(_ retired: inout Retirement) {
        guard keepsForeign else { return dropOutdated(&retired) }
        lastSweep.store(Serial.next(), ordering: .relaxed)
        // What was made of another instance is younger, and looked at later.
        dropInvalid(of: instances.elements(numberedBy: { $0.serial }), &retired)
    }

    /// Whether a request to this container leads to the entry, directly or through decorators.
    func isReachable(_ wanted: Entry) -> Bool {
        ThreadRecord.reading {
            nearest { core -> Bool? in
                guard let entry = core.with({ $0.borrowedEntry(wanted.key) }) else { return nil }
                if entry == Borrowed(wanted) { return true }
                return entry.with { $0.registration == nil } ? nil : false
            } ?? false
        }
    }
}
