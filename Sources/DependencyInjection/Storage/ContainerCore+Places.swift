// Where a container keeps instances: with its own registrations, or apart for those of its parents.

extension ContainerCore {
    /// This container's own place for instances by a parent's entry.
    func local(for origin: Entry, of owner: ContainerCore) -> Entry {
        let key = Key(ObjectIdentifier(origin.registration), nil)
        if let known = reading({ locals.entry(key) }) { return known }
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

    /// This container and its parents, up to one of them or all.
    func chain(to last: ContainerCore?) -> [ContainerCore] {
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
        place(key(of: entry), isLocal: entry.isLocal) === entry
    }

    /// The entry in one of this container's places. On the queue.
    func place(_ key: Key, isLocal: Bool) -> Entry? { isLocal ? locals.entry(key) : table.entry(key) }

    /// Puts a fresh entry in the place of one whose instance is gone. On the queue.
    func renewed(_ entry: Entry) -> Entry {
        var fresh = entry
        change { fresh = renew(key(of: entry), entry, $0) }
        return fresh
    }

    /// The instance of an entry of this container, unless it is gone.
    func published(in entry: Entry, isWeak: Bool) -> Holder? {
        guard let box = entry.published else { return nil }
        keepAlive(box, isWeak: isWeak)
        return box
    }

    /// Keeps what this container does not keep until the graph that the thread is building is complete.
    func keepAlive(_ box: Holder, isWeak: Bool) {
        if isWeak || isAbandoned { ThreadRecord.current.keepAlive(box) }
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

    /// Runs while the queues of several containers are held, each one's before its parent's.
    func holding(_ cores: ArraySlice<ContainerCore>, _ body: () -> Void) {
        guard let first = cores.first else { return body() }
        first.exclusively { holding(cores.dropFirst(), body) }
    }
}
