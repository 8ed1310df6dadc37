internal import Synchronization

/// Holds the registrations and the instances of a container.
///
/// Resolvers, providers and lazy wrappers hold a core, and a core holds instances, which hold providers.
/// ``DIContainer`` breaks this circle: it abandons its core when it goes. A core knows its parent and nothing of its
/// children. A child that made something of a parent's registration compares it with the parent's entries and instances
/// at each request for it.
///
/// Unchecked because of the variables, which are used on the queue or on one actor only.
@usableFromInline final class ContainerCore: @unchecked Sendable {
    /// The observer that a strict test tells of requests, and the entries that it watches. For an alias, the target counts.
    struct Watch {
        let observer: any TestObserver
        let covers: @Sendable (Entry) -> Bool
    }

    /// What a factory has made that has to be closed, and the registration that says how.
    struct Opened {
        let product: any AnyBox
        let registration: Registration
        /// Higher than those of all that was built before.
        let serial: UInt
    }

    @usableFromInline let parent: ContainerCore?
    /// The parent, which readers need not retain because this container does.
    let borrowedParent: Borrowed<ContainerCore>?
    /// The number of parents.
    let depth: Int
    /// Whether it has a parent, or is the fork of a container that has one.
    let preparesScoped: Bool
    /// For each key the container's own registration, and the instance that it keeps, built by this or by a parent's.
    let slots: SlotTable<Entry, Instance>
    /// The observers of what happens here, those that began first before the others; nil if there are none.
    let observers = AtomicReference<Box<[Observer]>>()
    /// Nil outside of strict tests.
    let watch: Watch?
    /// A note of what is being built on the queue, for threads that wait for the queue.
    let note = AtomicReference<BuildNote>()
    let queue = ReentrantSerialQueue()
    let seal = AtomicReference<Box<CallSite>>()
    /// Set when closing begins, and never changed again.
    let closing = AtomicReference<Closing>()
    /// Whether an asynchronous build has ever begun for this container.
    let hasAsyncBuilds = Atomic<Bool>(false)
    /// Whether none can begin any more. Used by ``AsyncBuilds`` only.
    var hasEndedAsyncBuilds = false
    let abandonment = Atomic<Bool>(false)
    let resets = Atomic<Int>(0)
    /// What has to be closed, in the order in which it was opened. Used on the queue only.
    var opened: [Opened] = []
    /// Whether all builds have ended that began before closing, so that nothing can be built to be kept any more. Used on the
    /// queue only.
    var isDrained = false
    /// A serial that comes after the places of all entries which were copied; nil if it is no copy of another container.
    let birth: UInt?
    var isCopy: Bool { birth != nil }

    /// Whether nobody holds the container any more, so that nobody keeps its instances.
    var isAbandoned: Bool { abandonment.load(ordering: .sequentiallyConsistent) }

    /// The number of times that all instances were released.
    var resetCount: Int { resets.load(ordering: .relaxed) }

    init(
        parent: ContainerCore? = nil, slots: Slots<Entry, Instance>? = nil, copyOf origin: ContainerCore? = nil,
        _ watch: Watch? = nil
    ) {
        self.parent = parent
        preparesScoped = parent != nil || origin?.preparesScoped == true
        self.watch = watch
        birth = origin == nil ? nil : Serial.next()
        borrowedParent = parent.map { Borrowed($0) }
        depth = parent.map { $0.depth + 1 } ?? 0
        self.slots = SlotTable(slots)
    }

    deinit {
        complainOfOpened()
        // What a single slot keeps goes with it.
        guard slots.instanceCount > 1 || !opened.isEmpty else { return }
        // Nobody else can see them any more. What was built last goes first.
        var all = takeAll()
        while all.popLast() != nil {}
    }

    // MARK: The queue

    // Whoever abandons the container while a thread is on the queue leaves the clearing to that thread.

    var isHeldByCurrentThread: Bool { queue.isHeldByCurrentThread }

    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { clearIfAbandoned() }
        return try queue.sync(onWait: beginWait, body)
    }

    /// Runs work on the queue, unless another thread is there or on the way; returns whether it did.
    func tryExclusively(_ body: () -> Void) -> Bool {
        defer { clearIfAbandoned() }
        return queue.trySync(body)
    }
}

extension Borrowed<ContainerCore> {
    /// The container, retained. A resolver, a child or a frame retains a container that is in use.
    var object: ContainerCore { unlistedObject }
}
