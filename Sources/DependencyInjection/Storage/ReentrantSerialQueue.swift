internal import Dispatch
internal import Synchronization

/// Runs one piece of work at a time on the caller's thread. A thread that is inside may enter again.
///
/// Threads that meet wait on a dispatch queue. A thread that meets nobody needs none, so most containers never make one.
///
/// A plain serial queue would deadlock on re-entry. Queue-specific data cannot tell re-entry reliably either: inside
/// `a.sync { b.sync { … } }` the current queue is `b`, although the thread still holds `a`. So the queue remembers the
/// thread that holds it; only that thread can ever find its own identity there.
struct ReentrantSerialQueue: ~Copyable, Sendable {
    /// Made when two threads meet for the first time.
    private let queue = AtomicReference<DispatchQueue>()
    /// Held by whoever is inside. At most one thread waits for it: the first on the dispatch queue.
    private let lock = Mutex(())
    /// The thread that is inside, as the address of its record, or 0.
    private let holder = Atomic<UInt>(0)
    /// The number of threads inside or on the way in.
    private let entrants = Atomic<Int>(0)

    /// Nobody is inside or on the way, so this thread may reuse the dispatch queue.
    deinit {
        if let queue = queue.exchange(nil) { ThreadRecord.current.own.pointee.spareQueue = queue }
    }

    /// Tells whether the calling thread is inside.
    var isHeldByCurrentThread: Bool { isHeld(by: .current) }

    private func isHeld(by thread: ThreadRecord) -> Bool { holder.load(ordering: .relaxed) == thread.identity }

    /// Runs `work` alone and returns what it returns, or throws what it throws.
    ///
    /// - Parameter owner: Is told if the thread has to wait for another.
    func sync<Result, Failure: Error>(
        for owner: (any QueueOwner)? = nil, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = ThreadRecord.current
        if isHeld(by: thread) { return try work() }
        // Returning or rethrowing through a closure takes as long again.
        var outcome: Swift.Result<Result, Failure>?
        if !trySync(on: thread, { outcome = Swift.Result(catching: work) }) {
            waitAndRun(on: thread, for: owner) { outcome = Swift.Result(catching: work) }
        }
        guard let outcome else { preconditionFailure("A queue runs what it is given.") }
        return try outcome.get()
    }

    /// Runs work alone, unless another thread is inside or on the way in; returns whether it did.
    func trySync(_ work: () -> Void) -> Bool { trySync(on: .current, work) }

    private func trySync(on thread: ThreadRecord, _ work: () -> Void) -> Bool {
        let isFree = entrants.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged
        guard isFree else { return false }
        run(on: thread, work)
        leave(thread)
        return true
    }

    /// Runs work when it is this thread's turn.
    private func waitAndRun(on thread: ThreadRecord, for owner: (any QueueOwner)?, _ work: () -> Void) {
        let others = entrants.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        var wait = others > 0 ? owner?.beginWait() : nil
        let wasOnMainQueue = thread.isOnMainQueue
        thread.own.pointee.isOnMainQueue = MainQueue.isCurrent
        dispatchQueue.with { queue in
            queue.sync {
                run(on: thread) {
                    withExtendedLifetime(wait) {}
                    wait = nil
                    work()
                }
            }
        }
        thread.own.pointee.isOnMainQueue = wasOnMainQueue
        leave(thread)
    }

    /// Runs work inside.
    // Not inlined, for the reason that `Guarded.withLock` gives.
    @inline(never) private func run(on thread: ThreadRecord, _ work: () -> Void) {
        lock.withLock { _ in
            // Acquiring and releasing the holder repeats what the lock guarantees, for tools that do not know it.
            _ = holder.exchange(thread.identity, ordering: .acquiring)
            thread.own.pointee.heldQueues += 1
            work()
            thread.own.pointee.heldQueues -= 1
            holder.store(0, ordering: .releasing)
        }
    }

    /// Notes that the thread is not inside any more. It is on no dispatch queue of the library by now.
    private func leave(_ thread: ThreadRecord) {
        entrants.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        thread.runDeferred()
    }

    /// The dispatch queue, which is set once and kept until this value goes.
    private var dispatchQueue: Borrowed<DispatchQueue> {
        if let queue = queue.load() { return queue }
        let thread = ThreadRecord.current
        queue.setIfEmpty(thread.own.pointee.spareQueue ?? DispatchQueue(label: "DependencyInjection"))
        thread.own.pointee.spareQueue = nil
        return self.dispatchQueue
    }
}

/// What a queue belongs to.
protocol QueueOwner: AnyObject {
    /// Is called by a thread that has to wait. What it returns is released when the wait is over.
    func beginWait() -> AnyObject?
}
