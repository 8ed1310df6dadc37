internal import Synchronization

/// Holds the registrations and the instances of a container.
///
/// Resolvers, providers and lazy wrappers hold a core, and a core holds instances, which hold providers.
/// ``DIContainer`` breaks this circle: it abandons its core when it goes. A core knows its parent and nothing of its
/// children. A child that made something of a parent's registration compares it with the parent's entries and instances
/// at each request.
///
/// Unchecked because of `derived`, which is used on the queue only.
@usableFromInline final class ContainerCore: @unchecked Sendable {
    /// The observer that a strict test tells of requests, and the entries that it watches. For an alias, the target counts.
    typealias Watch = (observer: any TestObserver, covers: @Sendable (Entry) -> Bool)

    private enum Life: Int, AtomicRepresentable {
        case kept
        /// Nobody keeps the instances any more.
        case abandoned
        /// The instances are gone.
        case cleared
    }

    @usableFromInline let parent: ContainerCore?
    /// The parent, which readers need not retain because this container does.
    let borrowedParent: Borrowed<ContainerCore>?
    /// The number of parents.
    let depth: Int
    /// The container's own registrations.
    let entries: AtomicTable<Entry>
    /// The instances that the container keeps, built by its own registrations and by its parents'.
    let instances = AtomicTable<Instance>()
    /// The observers of what happens here; nil if there are none.
    let observers = AtomicReference<Observers>()
    /// Nil outside of strict tests.
    let watch: Watch?
    /// A note of what is being built on the queue, for threads that wait for the queue.
    let note = AtomicReference<BuildNote>()
    private let queue = ReentrantSerialQueue()
    private let seal = AtomicReference<Box<CallSite>>()
    private let life = Atomic<Life>(.kept)
    private let resets = Atomic<Int>(0)
    /// The serial of the last change.
    private let lastChange = Atomic<UInt>(0)
    /// The serial of the last sweep, which dropped what was made of things that the parents no longer have. It is the
    /// highest number as long as this container has made nothing of theirs.
    private let lastSweep = Atomic<UInt>(.max)
    /// The instances that decorators made of other instances.
    private var derived: [Instance] = []

    /// Whether nobody keeps the instances any more.
    var isAbandoned: Bool { life.load(ordering: .sequentiallyConsistent) != .kept }

    /// The number of times that all instances were released.
    var resetCount: Int { resets.load(ordering: .relaxed) }

    init(parent: ContainerCore? = nil, entries: AtomicTable<Entry>.Contents? = nil, _ watch: Watch? = nil) {
        self.parent = parent
        self.watch = watch
        borrowedParent = parent.map { Borrowed($0) }
        depth = parent.map { $0.depth + 1 } ?? 0
        self.entries = AtomicTable(entries)
    }

    // MARK: The queue

    var isHeldByCurrentThread: Bool { queue.isHeldByCurrentThread }

    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { clearIfAbandoned() }
        return try queue.sync(for: self, body)
    }

    /// Changes the tables and drops instances that become outdated; stops the program if the container is sealed.
    private func change(
        _ site: CallSite, _ type: any Any.Type = ContainerCore.self, _ name: RegistrationName? = nil,
        _ body: (inout Retirement) -> Void
    ) {
        let seal = exclusively { () -> Box<CallSite>? in
            var retired = Retirement()
            if let seal = self.seal.load()?.object { return seal }
            body(&retired)
            lastChange.store(Serial.next(), ordering: .relaxed)
            if keepsForeign { dropUnreachable(&retired) } else { dropOutdated(&retired) }
            return nil
        }
        guard let sealed = seal?.value else { return }
        ResolutionError(
            Request(type, name, [], file: site.file, line: site.line), .sealed(at: sealed), in: nil
        ).trap(file: site.file, line: site.line)
    }

    // MARK: Changing

    func register(_ registrations: [Registration], _ site: CallSite) {
        guard let first = registrations.first else { return }
        change(site, first.type, first.name) { install(registrations, &$0) }
    }

    /// Registers in a container that nobody else can see yet, and so needs no queue.
    func fill(_ registrations: [Registration]) {
        // Any change would copy a table that a fork shares.
        if registrations.isEmpty { return }
        var retired = Retirement()
        install(registrations, &retired)
    }

    func unregister(_ type: any Any.Type, _ key: Key, _ site: CallSite) {
        change(site, type, key.name) { retired in
            let decorators = entry(key)?.decorators ?? []
            put(decorators.first.map { Entry($0, decorators: decorators) }, key, &retired)
        }
    }

    /// Removes all instances, and the registrations as well if asked to.
    func removeAll(registrations: Bool, _ site: CallSite) {
        change(site) { retired in
            // The result of an asynchronous build that began earlier is not kept.
            resets.wrappingAdd(1, ordering: .relaxed)
            if registrations { entries.removeAll(retiring: &retired) }
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
                    Entry(
                        registration, decorators: old?.decorators ?? [],
                        replacing: old?.replaced(by: registration) ?? [])
                }
            put(new, registration.key, &retired)
            if isObserved { reportRegistration(registration, in: old) }
        }
    }

    /// Sets or removes the entry of a key, and drops its instance.
    private func put(_ entry: Entry?, _ key: Key, _ retired: inout Retirement) {
        entries.put(entry, at: key.word, where: { $0.key == key }, retiring: &retired)
        put(nil, key, of: nil, &retired)
    }

    func seal(_ site: CallSite) { exclusively { _ = seal.setIfEmpty(Box(site)) } }

    // MARK: Keeping

    /// Keeps an instance, and drops the one that it replaces. Runs on the queue.
    func store(_ instance: Instance) {
        var retired = Retirement()
        let old = put(instance, instance.entry.key, of: instance.owner, &retired)
        if instance.basis != 0 { derived.append(instance) }
        if old != nil { dropOutdated(&retired) }
    }

    /// Sets or removes the instance that is kept for a key, and returns the old one. Runs on the queue.
    @discardableResult private func put(
        _ instance: Instance?, _ key: Key, of owner: Borrowed<ContainerCore>?, _ retired: inout Retirement
    ) -> Instance? {
        let word = Instance.word(key, of: owner)
        let old = instances.put(instance, at: word, where: { $0.answers(key, of: owner) }, retiring: &retired)
        reportRelease(old)
        return old
    }

    /// Drops what decorators made of outdated instances. Runs on the queue.
    private func dropOutdated(_ retired: inout Retirement) {
        if derived.isEmpty { return }
        derived = derived.filter { instance in
            if isCurrent(instance) { return true }
            reportRelease(instances.put(nil, at: instance.word, where: { $0 === instance }, retiring: &retired))
            retired.add(instance)
            return false
        }
    }

    /// Whether a request would get this instance.
    private func isCurrent(_ instance: Instance) -> Bool {
        ThreadRecord.reading {
            let owner = instance.owner ?? Borrowed(self)
            return owner.with { $0.isInstalled(instance.entry) }
                && current(Borrowed(instance.entry), of: owner) == Borrowed(instance)
        }
    }

    // MARK: What parents have changed

    /// Whether this container keeps what it made of its parents' entries or instances.
    private var keepsForeign: Bool { lastSweep.load(ordering: .relaxed) != .max }

    /// Notes that this container is going to keep something made of its parents' entries, if these are still current.
    /// Runs on the queue.
    func prepareToKeepForeign() {
        if parent != nil, !keepsForeign { lastSweep.store(Serial.next(), ordering: .relaxed) }
    }

    /// Whether this container has changed since a child last looked for changes.
    func hasChanged(since child: ContainerCore) -> Bool {
        lastChange.load(ordering: .relaxed) > child.lastSweep.load(ordering: .relaxed)
    }

    /// Whether this container keeps something of its parents', and one of them has changed since it last looked.
    var isOutdated: Bool { keepsForeign && nearest { $0.with { $0.hasChanged(since: self) } ? $0 : nil } != nil }

    /// Drops what was made of things that the parents no longer have. A thread that would have to wait leaves this to
    /// the next one.
    func dropUnreachable() {
        guard isOutdated else { return }
        var retired = Retirement()
        if isHeldByCurrentThread {
            dropUnreachable(&retired)
        } else {
            _ = queue.trySync { dropUnreachable(&retired) }
            // A thread that abandoned the container meanwhile has left the clearing to this one.
            clearIfAbandoned()
        }
    }

    private func dropUnreachable(_ retired: inout Retirement) {
        lastSweep.store(Serial.next(), ordering: .relaxed)
        for instance in instances.elements where instance.owner != nil && !isReachable(instance.entry) {
            put(nil, instance.entry.key, of: instance.owner, &retired)
        }
        dropOutdated(&retired)
    }

    /// Whether a request to this container leads to the entry, directly or through decorators.
    func isReachable(_ wanted: Entry) -> Bool {
        ThreadRecord.reading {
            nearest { core -> Bool? in
                guard let entry = core.with({ $0.borrowedEntry(wanted.key) }) else { return nil }
                if entry == Borrowed(wanted) { return true }
                return entry.with { $0.registration == nil } ? nil : false
            } ?? false
        }
    }

    // MARK: Abandoning

    /// Releases all instances, and from now on knows only those that somebody else holds. Does not wait.
    func abandon() {
        life.store(.abandoned, ordering: .sequentiallyConsistent)
        clearIfAbandoned()
    }

    /// Releases the instances at once, unless a thread is on the queue: that thread then does so when it leaves.
    private func clearIfAbandoned() {
        guard life.load(ordering: .sequentiallyConsistent) == .abandoned else { return }
        var retired = Retirement()
        _ = queue.trySync {
            let abandoned = instances.elements
            instances.removeAll(retiring: &retired)
            derived = []
            for instance in abandoned {
                // Now that the container is abandoned, it holds the instance weakly.
                guard let box = instance.box,
                    let known = Instance(
                        box, in: self, by: instance.entry, of: instance.owner, madeOf: instance.basis, instance.traits,
                        serial: instance.serial)
                else { continue }
                put(known, known.entry.key, of: known.owner, &retired)
            }
            life.store(.cleared, ordering: .sequentiallyConsistent)
        }
    }
}
