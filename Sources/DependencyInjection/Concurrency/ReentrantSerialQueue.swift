internal import Dispatch
internal import Synchronization

/// Runs one piece of work at a time on the caller's thread. A thread that is inside may enter again.
///
/// Threads that meet wait on a dispatch queue. A thread that meets no other needs none, so most containers never make
/// one. The article *Reading without locks* has the invariants Q1 to Q6, which comments name by number.
///
/// A plain serial queue would deadlock on re-entry. Queue-specific data cannot detect re-entry reliably either: inside
/// `a.sync { b.sync { … } }` the current queue is `b`, although the thread still holds `a`. So the queue remembers the
/// thread that holds it; only that thread can ever find its own identity there.
struct ReentrantSerialQueue: ~Copyable, Sendable {
    /// Made when two threads meet for the first time.
    private let queue = AtomicReference<DispatchQueue>()
    /// The thread that is inside, as the address of its record, or 0.
    private let holder = Atomic<UInt>(0)
    /// Wakes the thread that waits for the one inside. At most one thread waits: the first on the dispatch queue
    /// (invariant Q2).
    // No `Mutex`: on Linux it stops the program where two threads wait for one another, before that is reported.
    private let waiting = AtomicReference<DispatchSemaphore>()
    /// The number of threads inside or on the way in.
    private let entrants = Atomic<Int>(0)

    /// Whether the calling thread is inside.
    var isHeldByCurrentThread: Bool { isHeld(by: .current) }

    private func isHeld(by thread: ThreadRecord) -> Bool { holder.load(ordering: .relaxed) == thread.identity }

    /// Runs `work` alone and returns what it returns, or throws what it throws.
    ///
    /// - Parameter beginWait: Is called if the thread has to wait for another. What it returns is released when the
    ///   wait is over.
    func sync<Result, Failure: Error>(
        onWait beginWait: () -> AnyObject? = { nil }, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = ThreadRecord.current
        if isHeld(by: thread) { return try work() }
        // Returning or rethrowing through a closure takes as long again.
        var outcome: Swift.Result<Result, Failure>?
        if !trySync(on: thread, { outcome = Swift.Result(catching: work) }) {
            waitAndRun(on: thread, beginWait) { outcome = Swift.Result(catching: work) }
        }
        guard let outcome else { preconditionFailure("A queue runs what it is given.") }
        return try outcome.get()
    }

    /// Runs work alone, unless another thread is inside or on the way in. Returns whether the work has run.
    func trySync(_ work: () -> Void) -> Bool { trySync(on: .current, work) }

    private func trySync(on thread: ThreadRecord, _ work: () -> Void) -> Bool {
        while entrants.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged {
            PausePoint.queueCounted.pass()
            let isRun = run(on: thread, work)
            PausePoint.queueLeaving.pass()
            leave(thread)
            if isRun { return true }
            // A thread that came a moment later was inside. If it left while this one was counted, its own attempt to
            // clear the container has failed, so this thread tries again (invariant Q4).
        }
        return false
    }

    /// Runs work when it is this thread's turn.
    private func waitAndRun(on thread: ThreadRecord, _ beginWait: () -> AnyObject?, _ work: () -> Void) {
        let others = entrants.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        PausePoint.queueCounted.pass()
        var wait = others > 0 ? beginWait() : nil
        let wasOnMainQueue = thread.isOnMainQueue
        thread.own.pointee.isOnMainQueue = MainQueue.isCurrent
        dispatchQueue.with { queue in
            queue.sync {
                while !run(
                    on: thread,
                    {
                        withExtendedLifetime(wait) {}
                        wait = nil
                        work()
                    })
                { waitUntilFree() }
            }
        }
        thread.own.pointee.isOnMainQueue = wasOnMainQueue
        PausePoint.queueLeaving.pass()
        leave(thread)
    }

    /// Runs work inside, unless another thread is there (invariant Q1). Returns whether the work has run.
    private func run(on thread: ThreadRecord, _ work: () -> Void) -> Bool {
        let isFree = holder.compareExchange(
            expected: 0, desired: thread.identity, ordering: .sequentiallyConsistent
        ).exchanged
        guard isFree else { return false }
        thread.own.pointee.heldQueues += 1
        work()
        thread.own.pointee.heldQueues -= 1
        holder.store(0, ordering: .sequentiallyConsistent)
        PausePoint.queueFreed.pass()
        if waiting.load() != nil { waiting.exchange(nil)?.signal() }
        return true
    }

    /// Waits until the thread inside has left. That thread sees the semaphore when it leaves, or it has left before
    /// this one looks again (invariant Q3).
    private func waitUntilFree() {
        let semaphore = DispatchSemaphore(value: 0)
        PausePoint.queueFound.pass()
        waiting.setIfEmpty(semaphore)
        if holder.load(ordering: .sequentiallyConsistent) == 0, waiting.exchange(nil) != nil { return }
        semaphore.wait()
    }

    /// Counts the thread out, and runs its deferred work. The thread has left the dispatch queue before.
    private func leave(_ thread: ThreadRecord) {
        entrants.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        thread.runDeferred()
    }

    /// The dispatch queue, which is set once and lives as long as this value.
    private var dispatchQueue: UnretainedReference<DispatchQueue> {
        if let queue = queue.load() { return queue }
        queue.setIfEmpty(DispatchQueue(label: "DependencyInjection"))
        return self.dispatchQueue
    }
}
