// Looking things up. A reference borrowed here is valid until the end of the read; the writer may use it, too.

internal import Synchronization

/// The result of a look-up, which builds nothing.
@usableFromInline enum Finding {
    /// The instance is built, and may be read on any thread.
    case ready(Borrowed<AnyObject>)
    /// The factory of this entry, which an alias may forward to, may be called at once.
    case direct(Borrowed<Entry>)
    /// Only the slow path can answer.
    case unbuilt
    /// Nothing is registered here or in a parent.
    case missing
}

extension ContainerCore {
    /// An entry, and the container that owns it.
    typealias Found = (owner: Borrowed<ContainerCore>, entry: Borrowed<Entry>)

    // MARK: Reading

    /// Finds what answers a type without a name.
    @inline(__always) func find(_ type: ObjectIdentifier) -> Finding {
        find(UInt(bitPattern: type), type, where: { _ in true }, where: { _ in true })
    }

    /// Finds what answers a type and a name.
    @inline(__always) func find(_ key: Key) -> Finding {
        find(key.word, key.type, where: { $0.key == key }, where: { $0.answers(key, of: nil) })
    }

    @inline(__always) private func find(
        _ word: UInt, _ type: ObjectIdentifier, where isEntry: (Entry) -> Bool, where isInstance: (Instance) -> Bool
    ) -> Finding {
        switch lookUp(word, where: isEntry, where: isInstance) {
        case .instance(let instance): return instance.with { $0.ready.map { .ready($0) } ?? .unbuilt }
        case .entry(let entry, let owner):
            return entry.with({ $0.isDirect }) ? direct(entry, of: owner) : answer(of: entry, of: owner, type)
        case .refused: return .unbuilt
        case nil: return .missing
        }
    }

    /// Answers by a factory; the slow path calls it if an observer has to be told.
    private func direct(_ entry: Borrowed<Entry>, of owner: Borrowed<ContainerCore>) -> Finding {
        isObserved || owner.with { $0.watch != nil } ? .unbuilt : .direct(entry)
    }

    /// What is found for a key by looking at each table once.
    private enum Lookup {
        /// An instance that may be read at once.
        case instance(Borrowed<Instance>)
        case entry(Borrowed<Entry>, of: Borrowed<ContainerCore>)
        /// Nothing may be read at once: this container or a parent is closed, or a parent has changed, so that what this
        /// container made of the parent's entries may have to go.
        case refused
    }

    /// Looks for an instance that is ready, or else for an entry: first here, then in the parents.
    @inline(__always) private func lookUp(
        _ word: UInt, where isEntry: (Entry) -> Bool, where isInstance: (Instance) -> Bool
    ) -> Lookup? {
        if let instance = instances.find(word, where: isInstance), instance.with({ $0.ready != nil }) {
            return .instance(instance)
        }
        if let entry = entries.find(word, where: isEntry) { return .entry(entry, of: Borrowed(self)) }
        // The tables of a closed container are hidden.
        if isClosing { return .refused }
        var next = borrowedParent
        while let core = next {
            if core.with({ $0.isClosing || $0.hasChanged(since: self) }) { return .refused }
            let inherited = core.with { $0.instances.find(word, where: isInstance) }
            if let inherited, inherited.with({ $0.isShared && $0.ready != nil }) { return .instance(inherited) }
            if let entry = core.with({ $0.entries.find(word, where: isEntry) }) { return .entry(entry, of: core) }
            next = core.with { $0.borrowedParent }
        }
        return nil
    }

    /// Looks for the target of an alias.
    private func lookUp(_ key: Key) -> Lookup? {
        let hasName = key.name != nil
        return lookUp(
            key.word, where: { !hasName || $0.key == key },
            where: { !hasName || $0.answers(key, of: nil) })
    }

    /// Answers by the current instance of an entry, if there is one.
    private func answer(
        of entry: Borrowed<Entry>, of owner: Borrowed<ContainerCore>, _ type: ObjectIdentifier
    ) -> Finding {
        // What is found by way of this entry may be another container's, and hide that something here has to go.
        if entry.with({ $0.mode == .forwarded }), isOutdated { return .unbuilt }
        // An alias without decorators answers with the target's instance, under another type.
        let isView = entry.with { $0.mode == .forwarded && !$0.isDecorated }
        var found: Found = (owner, entry)
        if isView, let target = entry.with({ $0.target }) {
            switch target.with({ lookUp($0.key) }) {
            case .instance(let instance): return instance.with { $0.view(type) }.map { .ready($0) } ?? .unbuilt
            case .entry(let target, let owner) where target.with({ $0.isDirect }): return direct(target, of: owner)
            case .entry(let target, let owner): found = (owner, target)
            case .refused, nil: return .unbuilt
            }
        }
        // What a decorator made of another container's instance is no answer once that container is closed.
        if found.entry.with({ $0.mode == .forwarded }), isCutOff { return .unbuilt }
        // What this container keeps for a parent's entry needs no further look.
        let isScoped = found.entry.with { $0.mode == .scoped }
        let instance =
            isScoped
            ? found.entry.with { self.instance(by: $0, of: found.owner) } : current(found.entry, of: found.owner)
        guard let instance, let box = instance.with({ $0.readable }) else { return .unbuilt }
        guard isView else { return .ready(box) }
        return instance.with { $0.view(type) }.map { .ready($0) } ?? .unbuilt
    }

    /// The instance that this container keeps for exactly this entry. One of an earlier entry of the key is outdated.
    private func instance(by entry: Entry, of owner: Borrowed<ContainerCore>) -> Borrowed<Instance>? {
        instances.search(Instance.word(entry.key, of: foreign(owner))) { $0.entry === entry }
    }

    func borrowedEntry(_ key: Key) -> Borrowed<Entry>? {
        entries.search(key.word) { key.name == nil || $0.key == key }
    }

    /// The container's own entry of a key.
    func entry(_ key: Key) -> Entry? { borrowedEntry(key)?.object }

    /// Whether an entry belongs to this container and was not replaced. Runs on the queue, or in a read.
    func isInstalled(_ entry: Entry) -> Bool { borrowedEntry(entry.key) == Borrowed(entry) }

    // MARK: What is current

    /// The current instance of an entry: the kept one, if what it was made of is still current. Builds nothing.
    func current(_ entry: Borrowed<Entry>, of owner: Borrowed<ContainerCore>) -> Borrowed<Instance>? {
        // The entries that forward to another, the outermost first.
        var forwarding: [Found] = []
        var source: Found = (owner, entry)
        while source.entry.with({ $0.mode == .forwarded }) {
            // So many are a circle, which the slow path reports.
            guard forwarding.count < 10_000, let next = base(of: source.entry, source.owner) else { return nil }
            forwarding.append(source)
            source = next
        }
        guard var (instance, keeper) = source.entry.with({ madeInstance(of: $0, source.owner) }) else { return nil }
        for (owner, entry) in forwarding.reversed() {
            keeper = keeper.with { $0.lower(of: owner) }
            guard entry.with({ $0.isDecorated }) else { continue }
            let isMember = instance.with { $0.isMember }
            let basis = instance.with { $0.serial }
            let decorated = entry.with { recorded(by: $0, of: owner, in: keeper, madeOf: basis, isMember: isMember) }
            guard let decorated else { return nil }
            instance = decorated
        }
        return instance
    }

    /// The instance that an entry has made which forwards to no other, and the container that keeps it.
    private func madeInstance(
        of entry: Entry, _ owner: Borrowed<ContainerCore>
    ) -> (instance: Borrowed<Instance>, keeper: Borrowed<ContainerCore>)? {
        let keeper = entry.mode == .owned ? owner : entry.mode == .scoped ? keeperOfScoped(by: owner) : Borrowed(self)
        let instance: Borrowed<Instance>? =
            switch entry.mode {
            case .owned, .scoped: recorded(by: entry, of: owner, in: keeper, madeOf: 0)
            case .graph: recorded(by: entry, of: owner, in: keeper, madeOf: 0, isMember: true)
            case .transient, .forwarded: nil
            }
        return instance.map { ($0, keeper) }
    }

    /// The instance that a container or, for a member of a graph, the current request keeps for exactly this entry.
    private func recorded(
        by entry: Entry, of owner: Borrowed<ContainerCore>, in keeper: Borrowed<ContainerCore>, madeOf basis: UInt,
        isMember: Bool = false
    ) -> Borrowed<Instance>? {
        if !isMember, let kept = keeper.with({ $0.instance(by: entry, of: owner) }), kept.with({ $0.basis == basis }) {
            return kept
        }
        // An abandoned or closed container keeps no value, but the request may.
        guard isMember || keeper.with({ $0.isAbandoned || $0.isClosing }) else { return nil }
        return RequestContext.member(by: entry, for: keeper, madeOf: basis)
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
            if let target = entry.target { return target.with { search($0.key) } }
            return owner.with { $0.borrowedParent }?.with { $0.search(entry.key) }
        }
    }

    /// The entry that answers a key, here or in the nearest parent.
    func search(_ key: Key) -> Found? {
        nearest { core in core.with { $0.borrowedEntry(key) }.map { (core, $0) } }
    }

    /// Searches this container and then its parents, the nearest first, and returns the first thing found.
    ///
    /// - Parameter last: The parent at which the search ends; nil for all of them.
    @inline(__always) func nearest<Result>(
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

    /// This container or the other, whichever is the lower one in the tree. One of them is a parent of the other.
    ///
    /// The lower one keeps what an entry of `other` makes of an instance that this container keeps.
    func lower(of other: Borrowed<ContainerCore>) -> Borrowed<ContainerCore> {
        depth < other.with { $0.depth } ? other : Borrowed(self)
    }

    /// The container, or nil if it is this one.
    func foreign(_ owner: Borrowed<ContainerCore>) -> Borrowed<ContainerCore>? {
        owner == Borrowed(self) ? nil : owner
    }

    // MARK: Looking without a read

    /// The entry that answers a key, and the container that owns it: this one, or the nearest parent, which this one keeps.
    func registered(_ key: Key) -> (owner: Borrowed<ContainerCore>, entry: Entry)? {
        ThreadRecord.reading {
            var found: Found?
            // Decorators alone are no registration.
            let registered = nearest { core in
                let entry = core.with { $0.borrowedEntry(key) }
                found = found ?? entry.map { (core, $0) }
                return entry.flatMap { $0.with { $0.subject.isDecorator } ? nil : $0 }
            }
            return registered == nil ? nil : found.map { ($0.owner, $0.entry.object) }
        }
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
    func isAvailable<T>(_ type: T.Type, _ key: Key) -> Bool {
        registered(key) != nil || (type as? any Synthesized.Type)?.isAvailable(in: self, key.name) ?? false
    }
}
