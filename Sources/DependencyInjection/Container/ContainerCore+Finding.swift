// Looking things up. A reference borrowed here is valid until the end of the read; the writer may use it, too.

internal import Synchronization

/// The result of a look-up, which builds nothing.
@usableFromInline enum Finding {
    /// The instance is built, and may be read on any thread.
    case ready(Borrowed<AnyObject>)
    /// The factory of this entry, which an alias may forward to, may be called at once.
    case direct(Borrowed<Entry>)
    /// Only the slow path can answer.
    case slowPath
    /// Nothing is registered here or in a parent.
    case missing
}

extension ContainerCore {
    /// What a container has for a key.
    typealias Slot = SlotTable<Entry, Instance>.Slot

    /// An entry, and the container that owns it.
    typealias Found = (owner: Borrowed<ContainerCore>, entry: Borrowed<Entry>)

    // MARK: Reading

    /// Finds what answers a type without a name.
    func find(_ type: ObjectIdentifier) -> Finding {
        find(UInt(bitPattern: type), type, where: { _ in true })
    }

    /// Finds what answers a type and a name.
    func find(_ key: Key) -> Finding {
        find(key.word, key.type, where: { key.isKey(of: $0) })
    }

    @inline(__always) private func find(
        _ word: UInt, _ type: ObjectIdentifier, where isMeant: (Slot) -> Bool
    ) -> Finding {
        switch lookUp(word, where: isMeant) {
        case .ready(let instance): instance.with { $0.ready.map { .ready($0) } ?? .slowPath }
        case .entry(let found, let kept): follow(found, beside: kept, as: type)
        case .refused: .slowPath
        case nil: .missing
        }
    }

    /// What is found for a key by looking at each table once.
    private enum Lookup {
        /// An instance that may be read at once.
        case ready(Borrowed<Instance>)
        /// An entry, and what the container that is asked keeps for the key.
        case entry(Found, beside: Borrowed<Instance>?)
        /// Nothing may be read at once: this container or a parent is closed, or what this container keeps is outdated.
        case refused
    }

    /// Looks for an instance that is ready, or else for an entry: first here, then in the parents.
    private func lookUp(_ word: UInt, where isMeant: (Slot) -> Bool) -> Lookup? {
        let own = slots.find(word, where: isMeant)
        let kept = own?.instance
        if let kept, kept.with({ $0.ready != nil }) { return .ready(kept) }
        if let entry = own?.entry { return .entry((Borrowed(self), entry), beside: kept) }
        // Closing hides the slots, so it is asked for after these.
        if isClosing { return .refused }
        var next = borrowedParent
        while let core = next {
            if let slot = core.with({ $0.slots.find(word, where: isMeant) }) {
                if let instance = slot.instance, instance.with({ $0.isShared && $0.ready != nil }) {
                    return kept == nil ? .ready(instance) : .refused
                }
                if let entry = slot.entry { return .entry((core, entry), beside: kept) }
            }
            if core.with({ $0.isClosing }) { return .refused }
            next = core.with { $0.borrowedParent }
        }
        return kept == nil ? nil : .refused
    }

    /// Finds what an entry leads to, by way of an alias or not: its factory or, if there is one, its current instance.
    private func follow(_ found: Found, beside kept: Borrowed<Instance>?, as type: ObjectIdentifier) -> Finding {
        // An alias without decorators answers with the target's instance, under another type.
        guard let target = found.entry.with({ $0.isDecorated ? nil : $0.target }) else {
            return followNoAlias(found, beside: kept) { instance in instance.with { $0.readable } }
        }
        // An instance of the alias itself is an earlier registration's.
        if kept != nil { return .slowPath }
        switch target.with({ target in lookUp(target.key.word) { target.key.isKey(of: $0) } }) {
        case .ready(let instance): return instance.with { $0.view(type) }.map { .ready($0) } ?? .slowPath
        case .entry(let found, let kept):
            return followNoAlias(found, beside: kept) { instance in
                instance.with { $0.readable == nil ? nil : $0.view(type) }
            }
        case .refused, nil: return .slowPath
        }
    }

    /// Finds what an entry leads to that is no plain alias. The slow path answers if an observer has to be told, or if what is
    /// kept beside it is outdated.
    private func followNoAlias(
        _ found: Found, beside kept: Borrowed<Instance>?, _ box: (Borrowed<Instance>) -> Borrowed<AnyObject>?
    ) -> Finding {
        let instance: Borrowed<Instance>?
        switch found.entry.with({ $0.mode }) {
        case .transient:
            let isFree = kept == nil && !isObserved && found.owner.with { $0.watch == nil }
            return isFree && found.entry.with { $0.isDirect } ? .direct(found.entry) : .slowPath
        // What is ready was found before.
        case .owned: return .slowPath
        case .graph: instance = current(found.entry, of: found.owner)
        case .scoped: instance = kept.flatMap { kept in kept.with { Borrowed($0.entry) } == found.entry ? kept : nil }
        // What a decorator made of another container's instance is no answer once that container is closed.
        case .forwarded: instance = isCutOff ? nil : current(found.entry, of: found.owner)
        }
        guard let instance, kept == nil || kept == instance else { return .slowPath }
        return box(instance).map { .ready($0) } ?? .slowPath
    }

    /// What this container has for a key, also if that is hidden.
    func slot(_ key: Key) -> Slot? { slots.findEvenHidden(key.word) { key.isKey(of: $0) } }

    func borrowedEntry(_ key: Key) -> Borrowed<Entry>? { slot(key)?.entry }

    /// The container's own entry of a key.
    func entry(_ key: Key) -> Entry? { borrowedEntry(key)?.object }

    /// Whether an entry belongs to this container and was not replaced. Runs on the queue, or in a read.
    func isInstalled(_ entry: Entry) -> Bool { borrowedEntry(entry.key) == Borrowed(entry) }

    /// How many entries may forward to one another; more are a circle.
    static let longestWay = 10_000

    // MARK: What is current

    /// The current instance of an entry: the kept one, if what it was made of is still current. Builds nothing.
    func current(_ entry: Borrowed<Entry>, of owner: Borrowed<ContainerCore>) -> Borrowed<Instance>? {
        // The entries that forward to another, the outermost first.
        var forwarding: [Found] = []
        var source: Found = (owner, entry)
        while source.entry.with({ $0.mode == .forwarded }) {
            // The slow path reports a circle.
            guard forwarding.count < Self.longestWay, let next = base(of: source.entry, source.owner)
            else { return nil }
            forwarding.append(source)
            source = next
        }
        var keeper = source.entry.with { self.keeper(of: $0, source.owner) }
        var instance = source.entry.with { self.instance(by: $0, keptBy: keeper, madeOf: nil) }
        for (owner, entry) in forwarding.reversed() {
            guard let basis = instance?.with({ $0.serial }) else { return nil }
            keeper = keeper.lowered(to: owner)
            entry.with { if $0.isDecorated { instance = self.instance(by: $0, keptBy: keeper, madeOf: basis) } }
        }
        return instance
    }

    /// The instance that is kept for exactly this entry, and for what it wraps.
    func instance(by entry: Entry, keptBy keeper: Keeper, madeOf basis: UInt?) -> Borrowed<Instance>? {
        switch keeper {
        case .nobody: return nil
        case .graph: return RequestContext.member(by: entry, for: Borrowed(self), madeOf: basis)
        case .container(let core):
            if let layer = core.with({ $0.layer(by: entry) }), layer.with({ $0.basis == basis }) { return layer }
            // An abandoned or closed container keeps no value, but the request may.
            guard core.with({ $0.isAbandoned || $0.isClosing }) else { return nil }
            return RequestContext.member(by: entry, for: core, madeOf: basis)
        }
    }

    /// What this container keeps that exactly this entry has made, for a request or for what decorates it.
    private func layer(by entry: Entry) -> Borrowed<Instance>? {
        var next = outermost(entry.key)
        while let layer = next, layer.with({ $0.entry !== entry }) {
            next = layer.with { $0.inner.map { Borrowed($0) } }
        }
        return next
    }

    /// Whether this is the current instance of what the entry forwards to.
    func isSource(_ instance: Instance, of entry: Entry, _ owner: ContainerCore) -> Bool {
        ThreadRecord.reading {
            guard let next = base(of: Borrowed(entry), Borrowed(owner)) else { return false }
            return current(next.entry, of: next.owner) == Borrowed(instance)
        }
    }

    /// The entry that this one forwards to: the target of an alias, or what a parent has for the same key.
    private func base(of entry: Borrowed<Entry>, _ owner: Borrowed<ContainerCore>) -> Found? {
        entry.with { entry in
            if let target = entry.target { return target.with { nearestEntry($0.key) } }
            return owner.with { $0.borrowedParent }?.with { $0.nearestEntry(entry.key) }
        }
    }

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

    /// The current instance of an entry, retained.
    func current(_ entry: Entry, of owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { current(Borrowed(entry), of: Borrowed(owner))?.object }
    }

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

extension Key {
    /// Whether a slot, which was found by the word, is for this key.
    func isKey(of slot: ContainerCore.Slot) -> Bool {
        name == nil || (slot.entry?.with { $0.key == self } ?? slot.instance?.with { $0.entry.key == self } ?? false)
    }
}
