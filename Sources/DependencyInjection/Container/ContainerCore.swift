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
    /// The observers, in the order in which they were added.
    let observers = Locked<[EventObserver]>([])
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
        mayHaveContributions = Atomic(contents != nil)
    }

    deinit {
        reportUnclosedInstances()
        // Closing has released all objects. The order matters only if there are several, otherwise the table releases the
        // instance.
        guard !isClosingOrClosed, table.hasSeveralKeys || lifecycle.withLock({ !$0.closables.isEmpty }) else { return }
        var instances = takeInstances()
        while instances.popLast() != nil {}
    }

    // MARK: The queue

    var isHeldByCurrentThread: Bool { queue.isHeldByCurrentThread }

    /// Runs work on the queue.
    package func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let isOnQueue = enterQueue()
        defer { leaveQueue(isOnQueue) }
        return try body()
    }

    /// Enters the queue until ``leaveQueue(_:)``. Returns whether the thread already held the queue.
    func enterQueue() -> Bool { !queue.enter(onWait: beginWait) }

    /// Leaves the queue, unless the thread held it before.
    func leaveQueue(_ wasOnQueue: Bool) {
        if !wasOnQueue { queue.exit(.current) }
        clearIfReleased()
    }

    /// Runs work on the queue, unless another thread holds the queue or is entering it.
    ///
    /// - Returns: Whether the work ran.
    func tryExclusively(_ body: () -> Void) -> Bool {
        let hasRun = queue.trySync(body)
        clearIfReleased()
        return hasRun
    }

    /// Runs work of a task on the queue, on a thread that may block. Another thread may hold the queue for as long as a
    /// plain factory runs.
    func waitExclusively(_ body: @escaping () -> Void) async {
        await BlockingThreads.run { [self] in exclusively(body) }
    }

    // MARK: Releasing

    /// Runs a transition of the lifecycle, and directs readers before another thread can observe the new state.
    func transition<Result: Sendable>(_ body: (inout Lifecycle) -> Result) -> Result {
        lifecycle.withLock { lifecycle in
            let old = lifecycle.readStates
            defer { readGate.replace(old, with: lifecycle.readStates) }
            return body(&lifecycle)
        }
    }

    /// Releases the instances of a released container. If a thread holds the queue, that thread does so when it leaves
    /// (invariant Q5).
    func clearIfReleased() {
        guard readGate.contains(.released) else { return }
        var retired = DeferredRelease()
        _ = queue.trySync {
            reportUnclosedInstances()
            for instance in takeInstances() { retired.add(instance) }
        }
    }
}
