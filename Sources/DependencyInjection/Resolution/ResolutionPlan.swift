/// The chain of registrations of a request: aliases, then the entry whose factory creates the instance.
///
/// Creating a plan looks up each key once and builds nothing.
struct ResolutionPlan {
    /// The aliases, the requested one first.
    let aliases: [Match]
    /// The entry whose factory creates the instance, or `nil` if the last alias has no target.
    let source: Match?
    /// Whether the last alias forwards to an earlier one.
    let isCircular: Bool

    /// Creates the plan of a key, or returns `nil` if nothing is registered for it.
    init?(for key: Key, in container: ContainerCore) {
        var aliases: [Match] = []
        var isCircular = false
        let last: Match? = ThreadRecord.reading { thread in
            var next = container.currentMatch(for: key, on: thread)
            while let match = next, let target = match.entry.aliasTarget {
                if aliases.contains(where: { $0.entry.id == match.entry.id }) {
                    isCircular = true
                    return nil
                }
                aliases.append(match)
                next = container.currentMatch(for: target.with { $0.key }, on: thread)
            }
            return next
        }
        if last == nil, aliases.isEmpty { return nil }
        self.aliases = aliases
        source = last
        self.isCircular = isCircular
    }
}

/// The result of a request: a box with the instance, and the cached instance that it belongs to.
struct ResolvedInstance {
    let box: any AnyBox
    /// Nil if the instance isn't cached.
    var cached: Instance?
}

// MARK: The lookup of a key in a container and its parents. It builds nothing.

/// The entry that a lookup of a key found, and the cached instance, if there is one.
struct Match {
    let entry: Entry
    /// The container that owns the entry.
    let owner: ContainerCore
    /// The container whose resolver the factory receives. It caches the instance, if the lifetime is cached by a
    /// container.
    let builder: ContainerCore
    /// The current instance in the cache.
    let instance: Instance?
    /// A decorator that a container below the owner registers, and that the entry doesn't have.
    let misplacedDecorator: Registration?
}

extension ContainerCore {
    typealias Slot = SlotTable<Entry, Instance>.Slot

    // MARK: One container

    /// The slot of a key in this container's own table. Call it during a read, or on the queue.
    func slot(_ key: Key) -> Slot? { table.find(key.word) { key.isKey(of: $0) } }

    /// The container's own entry of a key. Call it during a read, or on the queue.
    func entry(_ key: Key) -> Entry? { slot(key)?.entry?.object }

    /// Whether the entry is in the container's own table.
    func owns(_ entry: Entry) -> Bool {
        ThreadRecord.reading { slot(entry.key)?.entry == UnretainedReference(entry) }
    }

    // MARK: A container and its parents

    /// This container and its parents, the nearest first.
    var selfAndParents: some Sequence<ContainerCore> { sequence(first: self) { $0.parent } }

    /// Looks up a key in this container and its parents, the nearest first.
    ///
    /// - Returns: The match, or `nil` if there is no registration or if there are only decorators.
    func match(for key: Key) -> Match? { ThreadRecord.reading { currentMatch(for: key, on: $0) } }

    /// Looks up a key as ``match(for:)`` does, during a read of the thread.
    func currentMatch(for key: Key, on thread: ThreadRecord) -> Match? {
        var decorators: [Registration] = []
        var next: UnretainedReference<ContainerCore>? = UnretainedReference(self)
        while let core = next {
            next = core.with { $0.borrowedParent }
            guard let slot = core.with({ $0.slot(key) }), let entry = slot.entry?.object(on: thread) else { continue }
            if entry.isDecoratorOnly {
                decorators += entry.decorators
                continue
            }
            let owner = core.object
            if let key = entry.registration.collectionKey { decorators = self.decorators(of: key, below: owner) }
            return Match(
                entry: entry, owner: owner, builder: entry.cacheLocation == .owner ? owner : self,
                instance: instance(of: entry, ownedBy: owner, in: slot, on: thread),
                misplacedDecorator: decorators.isEmpty ? nil : decorators.without(entry.decorators).first)
        }
        return nil
    }

    /// Whether an entry is still in the table of its owner, and its current instance for this container.
    struct EntryState {
        var isInstalled = false
        var instance: Instance?
    }

    /// Looks up an entry again.
    ///
    /// The lookup searches only the owner, because a container in between may hide the entry from this one.
    func state(of entry: Entry, ownedBy owner: ContainerCore) -> EntryState {
        ThreadRecord.reading { thread in
            guard let slot = owner.slot(entry.key), slot.entry == UnretainedReference(entry) else {
                return EntryState()
            }
            return EntryState(
                isInstalled: true, instance: instance(of: entry, ownedBy: owner, in: slot, on: thread))
        }
    }

    /// The current instance of an entry that was found for this container. Call it during a read of the thread.
    private func instance(
        of entry: Entry, ownedBy owner: ContainerCore, in ownersSlot: Slot, on thread: ThreadRecord
    ) -> Instance? {
        switch entry.cacheLocation {
        case .owner: return owner.awaitedInstance(of: entry) ?? ownersSlot.instance?.object(on: thread)
        case .requester:
            if let awaited = awaitedInstance(of: entry) { return awaited }
            let instance = (owner === self ? ownersSlot : slot(entry.key))?.instance
            return instance.flatMap { $0.with { $0.entry === entry } ? $0.object(on: thread) : nil }
        case .graph: return GraphScope.member(of: entry, builtBy: self)?.object(on: thread)
        case .uncached, nil: return nil
        }
    }

    /// The instance that the current request has awaited, if this container may no longer cache it.
    private func awaitedInstance(of entry: Entry) -> Instance? {
        readGate.contains([.closing, .released]) ? GraphScope.member(of: entry, builtBy: self)?.object : nil
    }

    // MARK: Registrations

    /// Whether a type is registered in this container or a parent.
    func isRegistered(_ key: Key) -> Bool { match(for: key) != nil }

    /// The declaration that children register a type, in this container or the nearest parent.
    func declaration(of type: any Any.Type, _ name: RegistrationName?) -> Registration? {
        match(for: Key(declarationOf: type, name))?.entry.registration
    }

    /// Whether a type is registered, or implicitly resolvable from registered types.
    func isAvailable<T>(_ type: T.Type, _ name: RegistrationName?) -> Bool {
        isRegistered(Key(ObjectIdentifier(type), name))
            || (type as? any ImplicitlyResolvable.Type)?.isAvailable(in: self, name) ?? false
    }
}

extension Key {
    /// Whether a slot with the same word belongs to this key.
    func isKey(of slot: ContainerCore.Slot) -> Bool {
        name == nil || (slot.entry?.with { $0.key == self } ?? slot.instance?.with { $0.entry.key == self } ?? false)
    }
}
