// Where a container keeps instances: with its own registrations, or apart for those of its parents.

extension ContainerCore {
    /// This container's own place for instances by a parent's entry.
    func local(for origin: Entry, of owner: ContainerCore) -> Entry {
        let key = Key(ObjectIdentifier(origin.registration), nil)
        let thread = ThreadRecord.current
        thread.beginReading()
        let known = locals.entry(key)
        thread.endReading()
        if let known { return known }
        var result = origin
        change { retired in
            if let known = locals.entry(key) {
                result = known
                return
            }
            result = Entry(
                origin.registration, order: origin.order, decorators: origin.decorators, isLocal: true)
            locals.replace(key, with: result, retired: retired)
            let dependent = Dependent(core: self, key: key, isLocal: true, isMadeOfInstance: false)
            for core in parent?.chain(to: owner) ?? [] {
                core.exclusively { core.add(dependent, to: origin.registration.key) }
            }
        }
        return result
    }

    /// This container and its parents, up to one of them.
    func chain(to last: ContainerCore) -> [ContainerCore] {
        var chain = [self]
        while let core = chain.last, core !== last, let parent = core.parent { chain.append(parent) }
        return chain
    }

    /// The key under which an entry of this container is found.
    func key(of entry: Entry) -> Key {
        entry.isLocal ? Key(ObjectIdentifier(entry.registration), nil) : entry.registration.key
    }

    /// Whether an entry of this container is still in its place. On the queue.
    func isCurrent(_ entry: Entry) -> Bool {
        (entry.isLocal ? locals.entry(key(of: entry)) : table.entry(key(of: entry))) === entry
    }

    /// Puts a fresh entry in the place of one whose instance is gone. On the queue.
    func renewed(_ entry: Entry) -> Entry {
        let fresh = entry.renewed()
        change { retired in
            if entry.isLocal {
                locals.replace(key(of: entry), with: fresh, retired: retired)
            } else {
                table.replace(key(of: entry), with: fresh, retired: retired)
                clearDependents(of: key(of: entry), retired, where: \.isMadeOfInstance)
            }
        }
        return fresh
    }

    /// Keeps an instance in an entry of this container, unless the entry was replaced. On the queue.
    func keep(_ box: Holder, in entry: Entry, isMainActor: Bool, isWeak: Bool) {
        guard isCurrent(entry), !entry.isBuilt else { return }
        if isWeak || isAbandoned {
            if let known = box.weakened { entry.publish(known, isGuarded: true) }
        } else {
            entry.publish(box, isGuarded: isMainActor)
        }
    }
}
