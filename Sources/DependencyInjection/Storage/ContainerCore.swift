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
    /// Places for instances of this container by a parent's registrations, found by the identity of the parent's entry.
    let locals = EntryTable()
    private var registrationCount = 0
    private var decorators: [Key: [Registration]] = [:]
    private var sealSite: CallSite?
    /// Whether nobody keeps the instances any more.
    private(set) var isAbandoned = false
    /// Entries of children that an instance was taken from, to be renewed when the queue has been left.
    private var stale: [Dependent] = []

    init(parent: ContainerCore? = nil) {
        self.parent = parent
        unretainedParent = parent.map(Unmanaged.passUnretained)
    }

    // MARK: The queue

    /// Runs on the queue. When it is left for good, children forget what they made of instances that are gone; before,
    /// that would lock a child after its parent.
    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let isOutermost = !queue.isHeldByCurrentThread
        var stale: [Dependent] = []
        defer {
            for dependent in stale { dependent.core?.renew(dependent) }
        }
        return try queue.sync { () throws(Failure) -> Result in
            defer {
                if isOutermost { swap(&stale, &self.stale) }
            }
            return try body()
        }
    }

    /// Changes the tables. What that retires is released after the queue has been left, since it may run foreign `deinit`s.
    private func change<Failure: Error>(
        _ body: (inout EntryTable.Retired) throws(Failure) -> Void
    ) throws(Failure) {
        var retired = EntryTable.Retired()
        try exclusively { () throws(Failure) in try body(&retired) }
    }

    // MARK: Changing

    func register(_ registrations: [Registration], _ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            if let first = registrations.first { try checkSeal(first.type, first.key, site) }
            table.reserve(registrations.count, retired: &retired)
            for registration in registrations {
                if registration.isDecorator {
                    decorate(registration, &retired)
                } else {
                    install(registration, &retired)
                }
            }
        }
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(type, key, site)
            replace(key, with: nil, &retired)
            if let decorator = decorators[key]?.first, parent != nil { install(decorator.inherited, &retired) }
        }
    }

    func removeAll(_ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(DIContainer.self, Key(ObjectIdentifier(DIContainer.self), nil), site)
            for entry in table.entries { forget(entry.dependents, &retired) }
            table.removeAll(retired: &retired)
            locals.removeAll(retired: &retired)
            decorators = [:]
        }
    }

    func removeInstances(_ site: CallSite) throws(ResolutionError) {
        try change { retired throws(ResolutionError) in
            try checkSeal(DIContainer.self, Key(ObjectIdentifier(DIContainer.self), nil), site)
            for entry in table.entries where entry.isBuilt {
                replace(entry.registration.key, with: entry.renewed(), &retired)
            }
            locals.removeAll(retired: &retired)
        }
    }

    func seal(_ site: CallSite) {
        exclusively { sealSite = sealSite ?? site }
    }

    /// Keeps no instance from now on, and knows those that others keep.
    func abandon() {
        change { retired in
            isAbandoned = true
            for entry in table.entries where entry.isBuilt {
                let fresh = entry.renewed()
                if let known = entry.published?.weakened { fresh.publish(known, isGuarded: true) }
                table.replace(entry.registration.key, with: fresh, retired: &retired)
            }
            locals.removeAll(retired: &retired)
        }
    }

    private func checkSeal(_ type: any Any.Type, _ key: Key, _ site: CallSite) throws(ResolutionError) {
        guard let sealSite else { return }
        throw ResolutionError(
            Request(type, key: key, [], site), .sealed(file: sealSite.file.description, line: sealSite.line))
    }

    private func install(_ registration: Registration, _ retired: inout EntryTable.Retired) {
        registrationCount += 1
        let key = registration.key
        // Most containers have no decorators: no need to look for them.
        let decorators = decorators.isEmpty ? [] : decorators[key] ?? []
        replace(key, with: Entry(registration, order: registrationCount, decorators: decorators), &retired)
    }

    private func decorate(_ decorator: Registration, _ retired: inout EntryTable.Retired) {
        let key = decorator.key
        decorators[key, default: []].append(decorator)
        if let entry = table.entry(key) {
            let decorated = Entry(entry.registration, order: entry.order, decorators: decorators[key] ?? [])
            replace(key, with: decorated, &retired)
        } else if parent != nil {
            install(decorator.inherited, &retired)
        }
    }

    private func replace(_ key: Key, with entry: Entry?, _ retired: inout EntryTable.Retired) {
        let dependents = table.entry(key)?.dependents ?? []
        table.replace(key, with: entry, retired: &retired)
        forget(dependents, &retired)
    }

    /// Renews the entries that hold something made of an instance that is gone: at once here, later in children.
    private func forget(_ dependents: [Dependent], _ retired: inout EntryTable.Retired) {
        for dependent in dependents {
            if dependent.core === self { renew(dependent, &retired) } else { stale.append(dependent) }
        }
    }

    private func renew(_ dependent: Dependent) {
        change { retired in renew(dependent, &retired) }
    }

    private func renew(_ dependent: Dependent, _ retired: inout EntryTable.Retired) {
        guard let entry = dependent.isLocal ? locals.entry(dependent.key) : table.entry(dependent.key), entry.isBuilt
        else { return }
        if dependent.isLocal {
            locals.replace(dependent.key, with: entry.renewed(), retired: &retired)
        } else {
            table.replace(dependent.key, with: entry.renewed(), retired: &retired)
        }
        forget(entry.dependents, &retired)
    }

    // MARK: Finding

    /// The entry that answers a key, and the container that owns it: this one or the nearest parent.
    func find(_ key: Key) -> (owner: ContainerCore, entry: Entry)? {
        var next: ContainerCore? = self
        while let core = next {
            if let entry = core.reading({ $0.entry(key) }) { return (core, entry) }
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
        let own = reading { $0.entries }.sorted { $0.order < $1.order }.map(\.registration)
            .filter { $0.lifetime != .inherited }
        let keys = Set(own.map(\.key))
        return own + (parent?.visibleRegistrations ?? []).filter { !keys.contains($0.key) }
    }

    /// The decorators that requests here run into, the innermost first: a parent's only wrap what the parent registered.
    private var visibleDecorators: [Key: [Registration]] {
        var visible = parent?.visibleDecorators ?? [:]
        exclusively {
            for entry in table.entries where entry.registration.lifetime != .inherited {
                visible[entry.registration.key] = nil
            }
            visible.merge(decorators) { $0 + $1 }
        }
        return visible
    }

    /// A container without a parent that has all registrations that are visible here, and no instances.
    func forked() -> ContainerCore {
        let fork = ContainerCore()
        fork.change { retired in
            fork.decorators = visibleDecorators
            for registration in visibleRegistrations { fork.install(registration, &retired) }
        }
        return fork
    }

    private func reading<Result>(_ body: (borrowing EntryTable) -> Result) -> Result {
        let thread = ThreadRecord.current
        thread.beginReading()
        defer { thread.endReading() }
        return body(table)
    }

    // MARK: Places

    /// This container's own place for instances by a parent's entry.
    func local(for origin: Entry) -> Entry {
        let key = Key(ObjectIdentifier(origin), nil)
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
            // What parents have replaced meanwhile would never be asked for again.
            for entry in locals.entries {
                if let old = entry.origin, parent?.find(old.registration.key)?.entry !== old {
                    locals.replace(Key(ObjectIdentifier(old), nil), with: nil, retired: &retired)
                }
            }
            result = Entry(
                origin.registration, order: origin.order, decorators: origin.decorators, origin: origin)
            locals.replace(key, with: result, retired: &retired)
        }
        return result
    }

    /// Whether an entry of this container is still in its place. On the queue.
    func isCurrent(_ entry: Entry) -> Bool {
        if let origin = entry.origin { return locals.entry(Key(ObjectIdentifier(origin), nil)) === entry }
        return table.entry(entry.registration.key) === entry
    }

    /// Puts a fresh entry in the place of one whose instance is gone. On the queue.
    func renewed(_ entry: Entry) -> Entry {
        let fresh = entry.renewed()
        change { retired in
            if let origin = entry.origin {
                locals.replace(Key(ObjectIdentifier(origin), nil), with: fresh, retired: &retired)
            } else {
                replace(entry.registration.key, with: fresh, &retired)
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
