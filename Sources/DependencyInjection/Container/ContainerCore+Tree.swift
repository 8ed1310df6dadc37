// Looking through a container and its parents, by references that are valid until the end of a read, or by retained ones.

extension ContainerCore {
    // MARK: One container

    /// What this container has for a key.
    func slot(_ key: Key) -> Slot? { slots.find(key.word) { key.isKey(of: $0) } }

    /// The container's own entry of a key.
    func entry(_ key: Key) -> Entry? { slot(key)?.entry?.object }

    /// An entry with what is kept for its key, unless the entry was replaced. Runs on the queue, or in a read.
    func found(_ entry: Entry) -> Found? {
        guard let slot = slots.find(entry.key.word, where: { $0.entry == Borrowed(entry) }) else { return nil }
        return Found(owner: Borrowed(self), entry: Borrowed(entry), instance: slot.instance)
    }

    // MARK: A container and its parents

    /// This container, then its parents, the nearest first.
    var chain: some Sequence<ContainerCore> { sequence(first: self) { $0.parent } }

    /// Searches this container and then its parents, the nearest first, and returns the first thing found.
    ///
    /// - Parameter last: The parent at which the search ends; nil for all of them.
    func nearest<Result>(
        upTo last: Borrowed<ContainerCore>? = nil, _ find: (Borrowed<ContainerCore>) -> Result?
    ) -> Result? {
        var next: Borrowed<ContainerCore>? = Borrowed(self)
        while let core = next {
            if let found = find(core) { return found }
            next = core == last ? nil : core.with { $0.borrowedParent }
        }
        return nil
    }

    /// What answers a key, here or in the nearest parent; nil if there are no more than decorators. Call it during a read.
    func find(registered key: Key) -> Found? {
        var found: Found?
        let isRegistered: Bool? = nearest { core in
            guard let slot = core.with({ $0.slot(key) }), let entry = slot.entry else { return nil }
            found = found ?? Found(owner: core, entry: entry, instance: slot.instance)
            return entry.with { $0.isDecoratorOnly } ? nil : true
        }
        return isRegistered == nil ? nil : found
    }

    /// Whether a request to this container leads to the entry, directly or through decorators. Call it during a read.
    func leads(to wanted: Entry) -> Bool {
        nearest { core -> Bool? in
            guard let entry = core.with({ $0.slot(wanted.key)?.entry }) else { return nil }
            if entry == Borrowed(wanted) { return true }
            return entry.with { $0.isDecoratorOnly } ? nil : false
        } ?? false
    }

    // MARK: Looking without a read

    /// An entry, and the container that owns it, which whoever asked keeps.
    typealias Registered = (owner: Borrowed<ContainerCore>, entry: Entry)

    /// What answers a key, here or in the nearest parent.
    func registered(_ key: Key) -> Registered? {
        ThreadRecord.reading { find(registered: key).map { ($0.owner, $0.entry.object) } }
    }

    /// An entry of this container, followed by what it decorates in the parents, down to what is registered.
    func layers(of entry: Entry) -> [Registered] {
        var layers: [Registered] = [(Borrowed(self), entry)]
        while let last = layers.last, last.entry.isDecoratorOnly,
            let next = last.owner.object.parent?.registered(entry.key)
        {
            layers.append(next)
        }
        return layers
    }

    /// What is registered for a key, behind entries that only decorate it.
    func registration(of key: Key) -> Registration? {
        registered(key).flatMap { owner, entry in owner.object.layers(of: entry).last?.entry.registration }
    }

    /// The decorators that this container's entry adds to those which its parents apply.
    func addedDecorators(of entry: Entry) -> [Registration] {
        entry.decorators.without(layers(of: entry).dropFirst().flatMap(\.entry.decorators))
    }

    /// What declares that children register a type, here or in the nearest parent.
    func expectation(of type: any Any.Type, _ name: RegistrationName?) -> Registration? {
        registered(Key(expectationOf: type, name))?.entry.registration
    }

    /// Whether a type is registered, or made of types that are.
    func isAvailable<T>(_ type: T.Type, _ name: RegistrationName?) -> Bool {
        registered(Key(ObjectIdentifier(type), name)) != nil
            || (type as? any Synthesized.Type)?.isAvailable(in: self, name) ?? false
    }
}
