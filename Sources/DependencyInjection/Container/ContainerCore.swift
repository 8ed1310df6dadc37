internal import Synchronization

/// The parts of a container: its registrations and cached instances, its lifecycle, its queue and its observers.
///
/// Resolvers, providers and lazy wrappers retain a core. A core retains instances, and these retain providers.
/// ``DIContainer`` breaks this cycle: it releases the instances of its core when no code retains the container any
/// more. A core retains its parent and has no reference to its children.
@usableFromInline package final class ContainerCore: Sendable {
    @usableFromInline package let parent: ContainerCore?
    /// The parent, for readers that don't retain it.
    let borrowedParent: UnretainedReference<ContainerCore>?
    /// Whether the container has a parent, or is a fork of a container that has one.
    let isChildOrFork: Bool
    /// An ID generated at the time of the fork, greater than the order of any copied entry. `nil` if the container
    /// isn't a fork.
    let forkID: UInt?

    /// The container's own registration and cached instance for each key.
    let table: SlotTable<Entry, Instance>
    /// The states that direct readers to the slow path.
    let readGate = ReadGate()
    let lifecycle = Locked(Lifecycle())
    let observers = ObserverList()
    /// The queue for registration and for the construction of cached instances.
    let queue = ReentrantSerialQueue()
    /// The build on the queue, for the deadlock warnings of other threads.
    let currentBuild = AtomicReference<BuildInProgress>()
    /// The number of times all instances were released by a reset.
    let resetCount = Atomic<Int>(0)

    /// Held during a change of the registrations, so that a fork copies all of a change or nothing. A fork can't wait for
    /// the queue, because a thread holds the queue as long as a factory runs.
    let changes = Locked(())
    /// Whether the table may have contributions. Otherwise, changes don't search for them.
    let mayHaveContributions: Atomic<Bool>

    init(
        parent: ContainerCore? = nil, contents: Slots<Entry, Instance>? = nil, copyOf origin: ContainerCore? = nil
    ) {
        self.parent = parent
        borrowedParent = parent.map { UnretainedReference($0) }
        isChildOrFork = parent != nil || origin?.isChildOrFork == true
        forkID = origin == nil ? nil : UniqueID.next()
        table = SlotTable(contents)
        let mayHaveContributions = origin?.selfAndParents.contains {
            $0.mayHaveContributions.load(ordering: .relaxed)
        }
        self.mayHaveContributions = Atomic(mayHaveContributions ?? false)
    }

    deinit {
        reportUnclosedInstances()
        // The order matters only if there are several objects. Otherwise the table releases the instance.
        guard table.instanceCount > 1 || lifecycle.withLock({ !$0.closables.isEmpty }) else { return }
        var objects = takeInstancesAndClosables()
        while objects.popLast() != nil {}
    }

    // MARK: The queue

    var isHeldByCurrentThread: Bool { queue.isHeldByCurrentThread }

    /// Runs work on the queue.
    package func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { clearIfReleased() }
        return try queue.sync(onWait: beginWait, body)
    }

    /// Runs work on the queue, unless another thread holds the queue or is entering it.
    ///
    /// - Returns: Whether the work ran.
    func tryExclusively(_ body: () -> Void) -> Bool {
        defer { clearIfReleased() }
        return queue.trySync(body)
    }

    // MARK: Releasing

    /// Releases all instances, because no code retains the container any more. Never blocks.
    func release() {
        guard lifecycle.withLock({ $0.release() }) else { return }
        readGate.insert(.released)
        clearIfReleased()
    }

    /// Releases the instances of a released container. If a thread holds the queue, that thread does so when it leaves
    /// (invariant Q5).
    func clearIfReleased() {
        guard readGate.contains(.released) else { return }
        var retired = DeferredRelease()
        _ = queue.trySync {
            reportUnclosedInstances()
            for retained in takeInstancesAndClosables() { retired.add(retained.object) }
        }
    }
}

/// The states that direct readers of a container to the slow path, in one atomic word.
struct ReadGate: ~Copyable, Sendable {
    struct States: OptionSet {
        let rawValue: UInt8
        /// The container is closing or closed.
        static let closing = States(rawValue: 1)
        /// An observer receives an event for each request.
        static let observedRequests = States(rawValue: 2)
        /// An observer receives an event for each build.
        static let observedBuilds = States(rawValue: 4)
        /// No code retains the container any more, or the test that it belongs to has ended.
        static let released = States(rawValue: 8)

        /// The states in which instances can only be read on the slow path.
        static let instances: States = [.closing, .observedRequests]
    }

    private let states = Atomic<UInt8>(0)

    func insert(_ added: States) { states.bitwiseOr(added.rawValue, ordering: .sequentiallyConsistent) }

    func remove(_ removed: States) { states.bitwiseAnd(~removed.rawValue, ordering: .sequentiallyConsistent) }

    /// Whether one of these states applies.
    func contains(_ states: States) -> Bool {
        self.states.load(ordering: .sequentiallyConsistent) & states.rawValue != 0
    }
}

// MARK: What the lifecycle permits

extension ContainerCore {
    /// Whether the container is closing or closed.
    var isClosingOrClosed: Bool { readGate.contains(.closing) }

    /// Whether this task or this thread takes part in a build that the container has admitted and caches.
    ///
    /// - Parameter isOnQueue: Whether the thread held the queue before.
    func isBuilding(isOnQueue: Bool) -> Bool {
        isOnQueue || AsyncStep.all.contains { $0.isBuilding(for: self) }
    }

    /// Throws if this container is closing or closed, unless the request is a part of a build that began before.
    func checkOpen(_ request: Request) throws(ResolutionError) {
        guard isClosingOrClosed else { return }
        let refusal = lifecycle.withLock {
            $0.refusalOfRequest(isBuilding: isBuilding(isOnQueue: isHeldByCurrentThread))
        }
        if let refusal {
            throw ResolutionError(request, refusedBy: refusal, in: self)
        }
    }

    /// Throws if this container or a parent is closing or closed.
    func checkSelfAndParentsOpen(_ request: Request) throws(ResolutionError) {
        for core in selfAndParents { try core.checkOpen(request) }
    }

    /// Throws if a build of a cached instance must not begin. Runs on the queue.
    ///
    /// - Parameter isOnQueue: Whether the thread held the queue before.
    /// - Returns: Whether the container caches the instance.
    func admitBuild(isOnQueue: Bool, _ request: Request) throws(ResolutionError) -> Bool {
        // An open container closes after it has waited for the queue.
        if !readGate.contains([.closing, .released]) { return true }
        switch lifecycle.withLock({ $0.admission(isBuilding: isBuilding(isOnQueue: isOnQueue)) }) {
        case .cached: return true
        case .uncached: return false
        case .refused(let refusal): throw ResolutionError(request, refusedBy: refusal, in: self)
        }
    }

    /// Returns the error of a change if the container is sealed or closed.
    ///
    /// - Parameter isOnQueue: Whether the thread held the queue before.
    func refusalOfChange(_ request: Request, isOnQueue: Bool) -> ResolutionError? {
        let refusal = lifecycle.withLock { $0.refusalOfChange(isBuilding: isBuilding(isOnQueue: isOnQueue)) }
        return refusal.map { ResolutionError(request, refusedBy: $0, in: self) }
    }

    /// Records an instance that a factory has returned, if its registration has an `onClose` handler.
    ///
    /// - Returns: The ID of the closable instance.
    func recordClosable(_ product: any AnyBox, by registration: Registration) -> UInt? {
        if registration.closeHandlers.isEmpty { return nil }
        let closable = ClosableInstance(product: product, registration: registration, id: UniqueID.next())
        lifecycle.withLock { $0.record(closable) }
        return closable.id
    }

    /// Reports instances whose `onClose` handlers will never run, because no code retains the container any more.
    /// Does nothing in release builds.
    func reportUnclosedInstances() {
        #if DEBUG
            guard forkID == nil, !isClosingOrClosed else { return }
            let closables = lifecycle.withLock { $0.closables }
            if closables.isEmpty { return }
            StandardError.print(
                """
                A container was released without being closed. `onClose` handlers did not run for:\
                \(closables.map(\.registration).lines())
                  fix: call `try await container.close()`
                   or: use `withChild { … } operation: { … }`
                """)
        #endif
    }
}

extension ResolutionError {
    /// Creates the error of a request that the lifecycle of a container refuses.
    init(_ request: Request, refusedBy refusal: Lifecycle.Refusal, in core: ContainerCore) {
        switch refusal {
        case .sealed(let site): self.init(request, Cause.sealed(at: site), in: nil)
        case .closed(let call, let isOver): self.init(request, Cause.closed(by: call, isOver: isOver), in: core)
        }
    }
}
