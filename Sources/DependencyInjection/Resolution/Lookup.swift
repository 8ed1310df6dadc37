/// The result of a request: a box with the instance, and the cached instance that it belongs to.
struct ResolvedInstance {
    let box: any AnyBox
    /// Nil if the instance isn't cached.
    var cached: Instance?
}

/// An instance that a factory built, with its decorators.
struct Product {
    let box: any AnyBox
    /// Nil if the container isn't going to close it.
    let closableID: UInt?
}

// MARK: The lookup of a key in a container and its parents. It builds nothing.

/// The entry that a lookup of a key found, and the cached instance, if there is one.
package struct Match {
    package let entry: Entry
    /// The container that owns the entry.
    package let owner: ContainerCore
    /// The current instance in the cache.
    package let instance: Instance?
    /// A decorator that a container below the owner registers, and that the entry doesn't have.
    package var misplacedDecorator: Registration?

    package init(entry: Entry, owner: ContainerCore, instance: Instance?) {
        self.entry = entry
        self.owner = owner
        self.instance = instance
    }
}

extension ContainerCore {
    typealias Slot = SlotTable<Entry, Instance>.Slot

    // MARK: One container

    /// The slot of a key in this container's own table. Call it during a read, or on the queue.
    func slot(_ key: Key) -> Slot? { table.find(key.word) { key.isKey(of: $0) } }

    /// The container's own entry of a key. Call it during a read, or on the queue.
    func entry(_ key: Key) -> Entry? { slot(key)?.entry?.object }

    /// Whether the entry is in the container's own table.
    package func owns(_ entry: Entry) -> Bool {
        ThreadRecord.reading { slot(entry.key)?.entry == UnretainedReference(entry) }
    }

    // MARK: A container and its parents

    /// This container and its parents, the nearest first.
    package var selfAndParents: [ContainerCore] {
        var all = [self]
        while let parent = all[all.count - 1].parent { all.append(parent) }
        return all
    }

    /// Looks up a key in this container and its parents, the nearest first.
    ///
    /// - Returns: The match, or `nil` if there is no registration or if there are only decorators.
    package func match(for key: Key) -> Match? {
        ThreadRecord.reading {
            guard let found = find(key) else { return nil }
            let (entry, owner) = (found.entry.object, found.owner.object)
            let instance = instance(of: entry, ownedBy: owner, in: found.slot, found.ownSlot)
            var match = Match(entry: entry, owner: owner, instance: instance)
            if found.isBelowDecorators || entry.registration.isContribution {
                let decorators = decorators(of: entry.registration.collectionKey ?? key, below: owner)
                match.misplacedDecorator = decorators.without(entry.decorators).first
            }
            return match
        }
    }

    /// An entry that a lookup found, for the rest of a read.
    struct Found {
        let entry: UnretainedReference<Entry>
        let owner: UnretainedReference<ContainerCore>
        let slot: Slot
        /// The slot of the key in the container that made the lookup.
        let ownSlot: Slot?
        /// Whether a container below the owner only decorates the key.
        let isBelowDecorators: Bool
    }

    /// Looks up a key as ``match(for:)`` does, without retaining anything. Call it during a read.
    func find(_ key: Key) -> Found? {
        let ownSlot = slot(key)
        var next: UnretainedReference<ContainerCore>? = UnretainedReference(self)
        var (slot, isBelowDecorators) = (ownSlot, false)
        while let core = next {
            if let slot, let entry = slot.entry {
                if !entry.with({ $0.isDecoratorOnly }) {
                    return Found(
                        entry: entry, owner: core, slot: slot, ownSlot: ownSlot, isBelowDecorators: isBelowDecorators)
                }
                isBelowDecorators = true
            }
            next = core.with { $0.borrowedParent }
            slot = next?.with { $0.slot(key) }
        }
        return nil
    }

    /// The matches of a key and of the targets of aliases, up to the registration whose factory creates the instance.
    /// The last match is an alias if it has no target or leads back to an earlier one.
    package func chain(of key: Key) -> [Match] {
        var chain: [Match] = []
        var next = match(for: key)
        while let match = next, !chain.contains(where: { $0.entry.id == match.entry.id }) {
            chain.append(match)
            next = match.entry.aliasTarget.flatMap { self.match(for: $0.object.key) }
        }
        return chain
    }

    /// The container whose resolver the factory of a match receives. It caches the instance, if the lifetime is cached
    /// by a container.
    package func builder(of match: Match) -> ContainerCore { match.entry.cacheLocation == .owner ? match.owner : self }

    /// The current instance of an entry that was found for this container. Call it during a read of the thread.
    private func instance(
        of entry: Entry, ownedBy owner: ContainerCore, in ownersSlot: Slot, _ ownSlot: Slot?
    ) -> Instance? {
        switch entry.cacheLocation {
        case .owner: return owner.unlinkedInstance(of: entry) ?? ownersSlot.instance?.object
        case .requester:
            if let unlinked = unlinkedInstance(of: entry) { return unlinked }
            return ownSlot?.instance.flatMap { $0.with { $0.entry === entry } ? $0.object : nil }
        case .graph: return GraphScope.member(of: entry, builtBy: self)?.object
        case .uncached, nil: return nil
        }
    }

    /// The instance of a closing or released container that isn't in its table any more: not released yet, or awaited by
    /// the current request.
    private func unlinkedInstance(of entry: Entry) -> Instance? {
        guard readGate.contains([.closing, .released]) else { return nil }
        return GraphScope.member(of: entry, builtBy: self)?.object
            ?? lifecycle.withLock { $0.unreleased.first { $0.entry === entry } }
    }

    // MARK: Registrations

    /// Whether a type is registered in this container or a parent.
    package func isRegistered(_ key: Key) -> Bool { match(for: key) != nil }

    /// Whether a type is registered, or implicitly resolvable from registered types.
    func isAvailable<T>(_ type: T.Type, _ name: RegistrationName?) -> Bool {
        isRegistered(Key(ObjectIdentifier(type), name))
            || (type as? any ImplicitlyResolvable.Type)?.isAvailable(in: self, name) ?? false
    }
}

extension Key {
    /// Whether a slot with the same word belongs to this key.
    func isKey(of slot: ContainerCore.Slot) -> Bool {
        word & 1 == 0 || (slot.entry?.with { $0.key == self } ?? slot.instance?.with { $0.entry.key == self } ?? false)
    }
}
