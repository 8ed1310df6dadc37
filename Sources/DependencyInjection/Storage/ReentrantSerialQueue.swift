internal import Dispatch
internal import Synchronization

/// Runs one piece of work at a time on the caller's thread. A thread that is inside may enter again.
///
/// A plain serial queue would deadlock on re-entry. Queue-specific data cannot tell re-entry reliably either: inside
/// `a.sync { b.sync { … } }` the current queue is `b`, although the thread still holds `a`. So the queue remembers the
/// thread that holds it; only that thread can ever find its own identity there.
struct ReentrantSerialQueue: ~Copyable, Sendable {
    /// Made when somebody enters for the first time, since most children never need one.
    private let queue = AtomicReference<DispatchQueue>()
    /// The thread that is inside, as the address of its record, or 0.
    private let owner = Atomic<UInt>(0)
    /// The threads inside or on the way in, and ``closed`` during ``trySync(_:)``.
    private let entrants = Atomic<Int>(0)
    private static let closed = 1 << 32

    /// Nobody is inside or on the way, so this thread may reuse the dispatch queue.
    deinit {
        if let queue = queue.exchange(nil) { ThreadRecord.current.own.pointee.spareQueue = queue }
    }

    /// Tells whether the calling thread is inside.
    var isHeldByCurrentThread: Bool {
        owner.load(ordering: .relaxed) == ThreadRecord.current.identity
    }

    /// Runs `work` alone and returns what it returns, or throws what it throws.
    ///
    /// - Parameter owner: Is told if the thread has to wait for another.
    func sync<Result, Failure: Error>(
        for owner: (any QueueOwner)? = nil, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if isHeldByCurrentThread { return try work() }
        // Returning or rethrowing through `DispatchQueue.sync` takes as long again.
        var outcome: Swift.Result<Result, Failure>?
        run(for: owner) { outcome = Swift.Result(catching: work) }
        guard let outcome else { preconditionFailure("A queue runs what it is given.") }
        return try outcome.get()
    }

    private func run(for owner: (any QueueOwner)?, _ work: () -> Void) {
        let others = entrants.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        if others >= Self.closed {
            ThreadRecord.spin { entrants.load(ordering: .sequentiallyConsistent) >= Self.closed }
        }
        var wait = others > 0 ? owner?.beginWait() : nil
        let thread = ThreadRecord.current
        let wasOnMainQueue = thread.isOnMainQueue
        thread.own.pointee.isOnMainQueue = MainQueue.isCurrent
        dispatchQueue.with { queue in
            queue.sync {
                withExtendedLifetime(wait) {}
                wait = nil
                enter(thread)
                work()
                leave(thread)
            }
        }
        thread.own.pointee.isOnMainQueue = wasOnMainQueue
        entrants.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        thread.runDeferred()
    }

    /// Runs short work alone, unless another thread is inside or on the way in; returns whether it did.
    ///
    /// A thread that comes meanwhile spins until the work has ended. The work must wait for nothing.
    func trySync(_ work: () -> Void) -> Bool {
        let thread = ThreadRecord.current
        let isFree = entrants.compareExchange(
            expected: 0, desired: Self.closed, ordering: .sequentiallyConsistent
        ).exchanged
        guard isFree else { return false }
        enter(thread)
        work()
        leave(thread)
        entrants.wrappingSubtract(Self.closed, ordering: .sequentiallyConsistent)
        thread.runDeferred()
        return true
    }

    /// The dispatch queue, which is set once and kept until this value goes.
    private var dispatchQueue: Borrowed<DispatchQueue> {
        if let queue = queue.load() { return queue }
        let thread = ThreadRecord.current
        queue.setIfEmpty(thread.own.pointee.spareQueue ?? DispatchQueue(label: "DependencyInjection"))
        thread.own.pointee.spareQueue = nil
        return self.dispatchQueue
    }

    /// Acquiring and releasing the owner repeats what the queue guarantees, for tools that do not know dispatch.
    private func enter(_ thread: ThreadRecord) {
        _ = owner.exchange(thread.identity, ordering: .acquiring)
        thread.own.pointee.heldQueues += 1
    }

    private func leave(_ thread: ThreadRecord) {
        thread.own.pointee.heldQueues -= 1
        owner.store(0, ordering: .releasing)
    }
}

/// What a queue belongs to.
protocol QueueOwner: AnyObject {
    /// Is called by a thread that has to wait. What it returns is released when the wait is over.
    func beginWait() -> AnyObject?
}
