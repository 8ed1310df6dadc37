internal import Synchronization

/// The registrations and instances of a container: all of it but the reference that keeps the instances.
///
/// Resolvers, providers and lazy wrappers hold a core, and a core holds instances, which hold providers. The circle is
/// broken by ``DIContainer``, which holds the core as well and abandons it when it goes. A core knows its parent, and nothing of
/// its children: what these keep of its registrations they compare with the serial numbers of its entries and instances.
///
/// Unchecked because of `derived`, which is used on the queue only.
@usableFromInline
final class ContainerCore: @unchecked Sendable {
    private enum Life: Int, AtomicRepresentable {
        case kept
        /// Nobody keeps the instances any more.
        case abandoned
        /// And they are gone.
        case cleared
    }

    let parent: ContainerCore?
    /// The parent for readers, who need not retain it: this container does.
    let borrowedParent: Borrowed<ContainerCore>?
    /// The container's own registrations.
    let entries: AtomicTable<Entry>
    /// What the container keeps, by its own registrations and by its parents'.
    let instances = AtomicTable<Instance>()
    /// Those who want to hear of events; nil if nobody does.
    let observers = AtomicReference<Observer>()
    private let queue = ReentrantSerialQueue()
    private let seal = AtomicReference<Seal>()
    private let life = Atomic<Life>(.kept)
    private let resets = Atomic<Int>(0)
    /// The instances that decorators made of others.
    private var derived: [Instance] = []

    /// Whether nobody keeps the instances any more.
    var isAbandoned: Bool { life.load(ordering: .sequentiallyConsistent) != .kept }

    /// How often all instances were released.
    var resetCount: Int { resets.load(ordering: .relaxed) }

    init(parent: ContainerCore? = nil, entries: AtomicTable<Entry>.Contents? = nil) {
        self.parent = parent
        borrowedParent = parent.map { Borrowed($0) }
        self.entries = AtomicTable(entries)
    }

    // MARK: The queue

    var isHeldByCurrentThread: Bool { queue.isHeldByCurrentThread }

    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { clearIfAbandoned() }
        return try queue.sync(body)
    }

    /// Changes the tables, and drops what becomes outdated by that; throws if the container is sealed.
    private func change(
        _ site: CallSite, _ type: any Any.Type = ContainerCore.self, _ name: RegistrationName? = nil,
        _ body: (inout Retirement) -> Void
    ) throws(ResolutionError) {
        let seal = exclusively { () -> Seal? in
            var retired = Retirement()
            if let seal = self.seal.load()?.object { return seal }
            body(&retired)
            dropOutdated(&retired)
            retired.release()
            return nil
        }
        guard let sealed = seal?.site else { return }
        throw ResolutionError(
            Request(type, name, [], site), .sealed(file: sealed.file.description, line: sealed.line), in: nil)
    }

    // MARK: Changing

    func register(_ registrations: [Registration], _ site: CallSite) throws(ResolutionError) {
        guard let first = registrations.first else { return }
        try change(site, first.type, first.name) { install(registrations, &$0) }
    }

    /// Registers in a container that nobody else can see yet, and that needs no queue therefore.
    func fill(_ registrations: [Registration]) {
        // A table that a fork shares is copied at the first change.
        if registrations.isEmpty { return }
        var retired = Retirement()
        install(registrations, &retired)
        retired.release()
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) throws(ResolutionError) {
        try change(site, type, key.name) { retired in
            let decorators = entry(key)?.decorators ?? []
            put(decorators.first.map { Entry($0, decorators: decorators) }, key, &retired)
        }
    }

    func removeAll(_ site: CallSite) throws(ResolutionError) {
        try change(site) { retired in
            entries.removeAll(retiring: &retired)
            reportReset()
            instances.removeAll(retiring: &retired)
        }
    }

    func removeInstances(_ site: CallSite) throws(ResolutionError) {
        try change(site) { retired in
            // An asynchronous build that is under way began before, and so is not kept.
            resets.wrappingAdd(1, ordering: .relaxed)
            reportReset()
            instances.removeAll(retiring: &retired)
        }
    }

    private func install(_ registrations: [Registration], _ retired: inout Retirement) {
        entries.reserve(registrations.count, retiring: &retired)
        for registration in registrations {
            let old = entry(registration.key)
            let new =
                if registration.isDecorator {
                    old?.decorated(by: [registration]) ?? Entry(registration, decorators: [registration])
                } else {
                    Entry(registration, decorators: old?.decorators ?? [], replacing: old?.site(unless: registration))
                }
            put(new, registration.key, &retired)
            if isObserved { reportRegistration(registration, in: old) }
        }
    }

    /// Puts an entry, or none, in the place of a key, and forgets the instance.
    private func put(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        entries.put(entry, at: key.word, where: { $0.key == key }, retiring: &retired)
        put(nil, key, of: nil, &retired)
    }

    private final class Seal: Sendable {
        let site: CallSite
        init(_ site: CallSite) { self.site = site }
    }

    func seal(_ site: CallSite) { exclusively { _ = seal.setIfEmpty(Seal(site)) } }

    // MARK: Keeping

    /// Keeps an instance in the place of what was kept there. On the queue.
    func keep(_ instance: Instance) {
        var retired = Retirement()
        put(instance, instance.entry.key, of: instance.owner, &retired)
        if instance.basis != 0 {
            derived.append(instance)
            dropOutdated(&retired)
        }
        if instance.owner != nil { dropUnreachable(instance, &retired) }
        retired.release()
    }

    /// Puts an instance, or none, in the place of what is kept for a key. On the queue.
    private func put(
        _ instance: Instance?, _ key: Key, of owner: Borrowed<ContainerCore>?, _ retired: inout Retirement
    ) {
        let word = Instance.word(key, of: owner)
        if isObserved { reportRelease(instances.find(word) { $0.answers(key, of: owner) }) }
        instances.put(instance, at: word, where: { $0.answers(key, of: owner) }, retiring: &retired)
    }

    /// Forgets what decorators made of instances that are not current any more. On the queue.
    private func dropOutdated(_ retired: inout Retirement) {
        if derived.isEmpty { return }
        derived = derived.filter { instance in
            if isCurrent(instance) { return true }
            if isObserved { reportRelease(instances.find(instance.word) { $0 === instance }) }
            instances.put(nil, at: instance.word, where: { $0 === instance }, retiring: &retired)
            retired.add(instance)
            return false
        }
    }

    /// Whether an instance is what a request for it gets.
    private func isCurrent(_ instance: Instance) -> Bool {
        ThreadRecord.reading {
            let owner = instance.owner ?? Borrowed(self)
            return owner.with { $0.isInstalled(instance.entry) }
                && current(Borrowed(instance.entry), of: owner) == Borrowed(instance)
        }
    }

    /// Forgets what is kept for the same key by entries of other parents that are gone. On the queue.
    private func dropUnreachable(_ instance: Instance, _ retired: inout Retirement) {
        guard parent?.parent != nil else { return }
        let key = instance.entry.key
        var next = borrowedParent
        while let core = next {
            next = core.with { $0.borrowedParent }
            let other = instances.find(Instance.word(key, of: core)) { $0.answers(key, of: core) }
            guard let entry = other?.with({ Borrowed($0.entry) }) else { continue }
            if ThreadRecord.reading({ core.with { $0.borrowedEntry(key) } }) != entry { put(nil, key, of: core, &retired) }
        }
    }

    // MARK: Abandoning

    /// Keeps no instance from now on, and knows those that others keep. Waits for nobody.
    func abandon() {
        life.store(.abandoned, ordering: .sequentiallyConsistent)
        clearIfAbandoned()
    }

    /// Clears at once, unless somebody is on the queue, who will do so on leaving.
    private func clearIfAbandoned() {
        guard life.load(ordering: .sequentiallyConsistent) == .abandoned else { return }
        var retired = Retirement()
        _ = queue.trySync {
            let known = instances.elements.compactMap(Instance.init(weakening:))
            instances.removeAll(retiring: &retired)
            derived = known.filter { $0.basis != 0 }
            for instance in known {
                instances.put(instance, at: instance.word, where: { _ in false }, retiring: &retired)
            }
            life.store(.cleared, ordering: .sequentiallyConsistent)
        }
        retired.release()
    }
}
