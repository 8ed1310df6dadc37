// Looking through a container and its parents, by references that are valid until the end of a read, or by retained ones.

internal import Synchronization

extension ContainerCore {
    // MARK: One container

    /// What this container has for a key.
    func slot(_ key: Key) -> Slot? { slots.find(key.word) { key.isKey(of: $0) } }

    func borrowedEntry(_ key: Key) -> Borrowed<Entry>? { slot(key)?.entry }

    /// The container's own entry of a key.
    func entry(_ key: Key) -> Entry? { borrowedEntry(key)?.object }

    /// Whether an entry belongs to this container and was not replaced. Runs on the queue, or in a read.
    func isInstalled(_ entry: Entry) -> Bool { borrowedEntry(entry.key) == Borrowed(entry) }

    // MARK: A container and its parents

    /// This container, then its parents, the nearest first.
    var chain: some Sequence<ContainerCore> { sequence(first: self) { $0.parent } }

    /// The entry that answers a key, here or in the nearest parent.
    func nearestEntry(_ key: Key) -> Found? {
        nearest { core in core.with { $0.borrowedEntry(key) }.map { (core, $0) } }
    }

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

    /// Whether something holds for this container or a parent, up to the one given.
    func isAnywhere(
        upTo last: Borrowed<ContainerCore>? = nil, _ condition: (ContainerCore) -> Bool
    ) -> Bool {
        nearest(upTo: last) { $0.with(condition) ? true : nil } ?? false
    }

    // MARK: Looking without a read

    /// The entry that answers a key, and the container that owns it: this one, or the nearest parent, which this one keeps.
    func registered(_ key: Key) -> (owner: Borrowed<ContainerCore>, entry: Entry)? {
        ThreadRecord.reading { searchRegistered(key).map { ($0.owner, $0.entry.object) } }
    }

    /// The entry that answers a key, here or in the nearest parent; nil if there are no more than decorators. Call it during a read.
    func searchRegistered(_ key: Key) -> Found? {
        var found: Found?
        let isRegistered: Bool? = nearest { core in
            guard let entry = core.with({ $0.borrowedEntry(key) }) else { return nil }
            found = found ?? (core, entry)
            return entry.with { $0.subject.isDecorator } ? nil : true
        }
        return isRegistered == nil ? nil : found
    }

    /// What is registered for a key, behind entries that only decorate it.
    func undecorated(_ key: Key) -> (owner: Borrowed<ContainerCore>, entry: Entry)? {
        registered(key).flatMap { owner, entry in owner.object.layers(of: entry).last }
    }

    /// An entry of this container, followed by what it decorates in the parents, down to what is registered.
    func layers(of entry: Entry) -> [(owner: Borrowed<ContainerCore>, entry: Entry)] {
        var layers = [(owner: Borrowed(self), entry: entry)]
        while let last = layers.last, last.entry.registration == nil,
            let next = last.owner.object.parent?.registered(entry.key)
        {
            layers.append(next)
        }
        return layers
    }

    /// The decorators that this container's entry adds to those which its parents apply.
    func addedDecorators(of entry: Entry) -> [Registration] {
        entry.decorators.without(layers(of: entry).dropFirst().flatMap(\.entry.decorators))
    }

    /// What declares that children register a type, here or in the nearest parent.
    func expectation(of type: any Any.Type, _ name: RegistrationName?) -> Registration? {
        // A key of a declaration takes long to make.
        guard isAnywhere({ $0.hasExpectations.load(ordering: .relaxed) }) else { return nil }
        return registered(Key(expectationOf: type, name))?.entry.subject
    }

    /// Whether a type is registered, or made of types that are.
    func isAvailable<T>(_ type: T.Type, _ name: RegistrationName?) -> Bool {
        registered(Key(ObjectIdentifier(type), name)) != nil
            || (type as? any Synthesized.Type)?.isAvailable(in: self, name) ?? false
    }
}
