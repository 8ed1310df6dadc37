internal import Synchronization

/// The registrations and instances of a container: all of it but the reference that keeps the instances.
///
/// Resolvers, providers and lazy wrappers hold a core, and a core holds instances, which hold providers. The circle is
/// broken by ``DIContainer``, which holds the core as well and abandons it when it goes.
///
/// Unchecked because it has mutable state. The tables may be read anywhere; all else is used on the queue only.
@usableFromInline
final class ContainerCore: @unchecked Sendable {
    let parent: ContainerCore?
    /// The parent for readers, who need not retain it: this container does.
    let unretainedParent: Unmanaged<ContainerCore>?
    private let queue = ReentrantSerialQueue(label: "DependencyInjection.DIContainer")
    /// The container's own registrations.
    let table = EntryTable()
    /// Places for instances of this container by a parent's registrations, found by the identity of the registration.
    let locals = EntryTable()
    private var registrationCount = 0
    private var decorators: [Key: [Registration]] = [:]
    private var sealSite: CallSite?
    /// Whether nobody keeps the instances any more. Set on the queue.
    private let abandoned = Atomic<Bool>(false)
    /// What has to be cleared, here and in children, when a key changes.
    private var dependents: [Key: [Dependent]] = [:]

    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    init(parent: ContainerCore? = nil) {
        self.parent = parent
        unretainedParent = parent.map(Unmanaged.passUnretained)
    }

    // MARK: The queue

    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try queue.sync(body)
    }

    /// Changes the tables. What that retires is released when the thread is inside no queue, since it may run foreign
    /// `deinit`s.
    func change<Failure: Error>(
        _ body: (EntryTable.Retired) throws(Failure) -> Void
    ) throws(Failure) {
        let retired = EntryTable.Retired()
        defer { ThreadRecord.current.whenFree { withExtendedLifetime(retired) {} } }
        try queue.sync { () throws(Failure) in try body(retired) }
    }

    // MARK: Changing

    func register(_ registrations: [Registration], _ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            if let first = registrations.first { try checkSeal(first.type, first.key, site) }
            table.reserve(registrations.count, retired: retired)
            for registration in registrations {
                if registration.isDecorator {
                    decorate(registration, retired)
                } else {
                    install(registration, retired)
                }
            }
        }
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(type, key, site)
            replace(key, with: nil, retired)
            if let decorator = decorators[key]?.first, parent != nil { install(decorator.inherited, retired) }
        }
    }

    func removeAll(_ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(DIContainer.self, Key(ObjectIdentifier(DIContainer.self), nil), site)
            for entry in table.entries { replace(entry.registration.key, with: nil, retired) }
            locals.removeAll(retired: retired)
            retired.take(decorators.values.flatMap { $0 })
            decorators = [:]
        }
    }

    func removeInstances(_ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(DIContainer.self, Key(ObjectIdentifier(DIContainer.self), nil), site)
            // An asynchronous build that is under way began before, and so is not kept.
            for entry in table.entries where entry.isBuilt || entry.registration.isAsync {
                renew(entry.registration.key, entry, retired)
            }
            locals.removeAll(retired: retired)
        }
    }

    func seal(_ site: CallSite) {
        exclusively { sealSite = sealSite ?? site }
    }

    /// Keeps no instance from now on, and knows those that others keep.
    func abandon() {
        change { retired in
            abandoned.store(true, ordering: .relaxed)
            for entry in table.entries where entry.isBuilt {
                let fresh = entry.renewed()
                if let known = entry.published?.weakened { fresh.publish(known, isGuarded: true) }
                table.replace(entry.registration.key, with: fresh, retired: retired)
            }
            locals.removeAll(retired: retired)
        }
    }

    private func checkSeal(_ type: any Any.Type, _ key: Key, _ site: CallSite) throws(ResolutionError) {
        guard let sealSite else { return }
        throw ResolutionError(
            Request(type, key: key, [], site), .sealed(file: sealSite.file.description, line: sealSite.line))
    }

    private func install(_ registration: Registration, _ retired: EntryTable.Retired) {
        registrationCount += 1
        let key = registration.key
        // Most containers have no decorators: no need to look for them.
        let decorators = decorators.isEmpty ? [] : decorators[key] ?? []
        replace(key, with: Entry(registration, order: registrationCount, decorators: decorators), retired)
    }

    private func decorate(_ decorator: Registration, _ retired: EntryTable.Retired) {
        let key = decorator.key
        decorators[key, default: []].append(decorator)
        if let entry = table.entry(key) {
            let decorated = Entry(entry.registration, order: entry.order, decorators: decorators[key] ?? [])
            replace(key, with: decorated, retired)
        } else if parent != nil {
            install(decorator.inherited, retired)
        }
    }

    /// Puts another registration, or none, in the place of a key.
    private func replace(_ key: Key, with entry: Entry?, _ retired: EntryTable.Retired) {
        table.replace(key, with: entry, retired: retired)
        clearDependents(of: key, retired) { _ in true }
    }

    /// Forgets the instance of a key, and keeps the registration.
    @discardableResult
    func renew(_ key: Key, _ entry: Entry, _ retired: EntryTable.Retired) -> Entry {
        let fresh = entry.renewed()
        if entry.isLocal {
            locals.replace(key, with: fresh, retired: retired)
        } else {
            table.replace(key, with: fresh, retired: retired)
        }
        clearDependents(of: key, retired, where: \.isMadeOfInstance)
        return fresh
    }

    // MARK: Dependents

    /// Remembers what to clear when a key changes. On the queue.
    func add(_ dependent: Dependent, to key: Key) {
        // Those that are gone are dropped when their number has doubled; a weak instance may be rebuilt in one place.
        var known = dependents[key] ?? []
        if known.count == known.capacity {
            known.removeAll {
                $0.core == nil
                    || $0.core === dependent.core && $0.key == dependent.key
                        && $0.isLocal == dependent.isLocal && $0.isMadeOfInstance == dependent.isMadeOfInstance
            }
        }
        known.append(dependent)
        dependents[key] = known
    }

    func clearDependents(
        of key: Key, _ retired: EntryTable.Retired, where isMeant: (Dependent) -> Bool
    ) {
        guard !dependents.isEmpty, let known = dependents[key] else { return }
        dependents[key] = known.filter { !isMeant($0) }
        for dependent in known where isMeant(dependent) {
            guard let core = dependent.core else { continue }
            if core === self {
                clear(dependent, retired)
            } else if core.queue.isHeldByCurrentThread {
                core.change { core.clear(dependent, $0) }
            } else {
                // To take a child's queue now, after its parent's, could end in a deadlock.
                ThreadRecord.current.whenFree { [weak core] in core?.change { core?.clear(dependent, $0) } }
            }
        }
    }

    private func clear(_ dependent: Dependent, _ retired: EntryTable.Retired) {
        if dependent.isLocal, !dependent.isMadeOfInstance {
            locals.replace(dependent.key, with: nil, retired: retired)
            clearDependents(of: dependent.key, retired) { _ in true }
        } else if let entry = place(dependent.key, isLocal: dependent.isLocal), entry.isBuilt {
            renew(dependent.key, entry, retired)
        }
    }

    // MARK: Finding

    /// The entry that answers a key, and the container that owns it: this one or the nearest parent.
    func find(_ key: Key) -> (owner: ContainerCore, entry: Entry)? {
        var next: ContainerCore? = self
        while let core = next {
            if let entry = core.reading({ core.table.entry(key) }) { return (core, entry) }
            next = core.parent
        }
        return nil
    }

    /// Whether a key is registered here or in a parent, and not only decorated.
    func isRegistered(_ key: Key) -> Bool {
        guard let (owner, entry) = find(key) else { return false }
        return entry.registration.lifetime == .inherited ? owner.parent?.isRegistered(key) ?? false : true
    }

    /// Whether a type is registered, or made of types that are.
    func isAvailable<T>(_ type: T.Type, _ key: Key) -> Bool {
        isRegistered(key) || (type as? any Synthesized.Type)?.isAvailable(in: self, key.name) ?? false
    }

    /// Every registration that a request may be answered by, this container's before its parents', each in order.
    var visibleRegistrations: [Registration] {
        let own = reading { table.entries }.sorted { $0.order < $1.order }.map(\.registration)
            .filter { $0.lifetime != .inherited }
        let keys = Set(own.map(\.key))
        return own + (parent?.visibleRegistrations ?? []).filter { !keys.contains($0.key) }
    }

    /// The decorators that requests here run into, the innermost first: a parent's only wrap what the parent registered.
    private var visibleDecorators: [Key: [Registration]] {
        var visible = parent?.visibleDecorators ?? [:]
        for entry in table.entries where entry.registration.lifetime != .inherited {
            visible[entry.registration.key] = nil
        }
        visible.merge(decorators) { $0 + $1 }
        return visible
    }

    /// A container without a parent that has all registrations that are visible here, and no instances.
    func forked() -> ContainerCore {
        let fork = ContainerCore()
        // With all queues held, so that a block of registrations is in the fork whole or not at all.
        holding(chain(to: nil)[...]) {
            fork.change { retired in
                fork.decorators = visibleDecorators
                for registration in visibleRegistrations { fork.install(registration, retired) }
            }
        }
        return fork
    }

    /// Looks at the tables without the queue.
    func reading<Result>(_ body: () -> Result) -> Result {
        let thread = ThreadRecord.current
        thread.beginReading()
        defer { thread.endReading() }
        return body()
    }
}
