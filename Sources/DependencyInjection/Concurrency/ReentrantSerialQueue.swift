internal import Dispatch
internal import Synchronization

/// A queue that runs one piece of work at a time on the caller's thread. A thread that holds the queue may enter again.
///
/// Contending threads wait on a dispatch queue. Without contention there is no dispatch queue, so most containers never
/// create one. The article *Reading without locks* defines the invariants Q1 to Q6, which comments refer to by number.
///
/// A plain serial queue would deadlock on re-entry. Queue-specific data can't detect re-entry reliably either: inside
/// `a.sync { b.sync { … } }` the current queue is `b`, although the thread still holds `a`. So the queue stores the
/// identity of the thread that holds it. Only that thread can ever read its own identity there.
struct ReentrantSerialQueue: ~Copyable, Sendable {
    /// Created when two threads contend for the first time.
    private let queue = AtomicReference<DispatchQueue>()
    /// The thread that holds the queue, as the address of its record, or 0.
    private let holder = Atomic<UInt>(0)
    /// Wakes the thread that waits for the holder. At most one thread waits: the first on the dispatch queue (invariant
    /// Q2).
    // Not a `Mutex`: on Linux, a mutex stops the program when two threads wait for each other, before the wait is
    // reported.
    private let waiting = AtomicReference<DispatchSemaphore>()
    /// The number of threads that hold the queue or are entering it. Tests wait until a thread has to wait.
    let entrants = Atomic<Int>(0)

    /// Whether the calling thread holds the queue.
    var isHeldByCurrentThread: Bool { isHeld(by: .current) }

    private func isHeld(by thread: ThreadRecord) -> Bool { holder.load(ordering: .relaxed) == thread.identity }

    /// Runs `work` exclusively, and returns its result or rethrows its error.
    ///
    /// - Parameter beginWait: Called if the thread has to wait for another one. Its result is released when the wait
    ///   ends.
    func sync<Result, Failure: Error>(
        onWait beginWait: () -> AnyObject? = { nil }, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = ThreadRecord.current
        if isHeld(by: thread) { return try work() }
        // Returning or rethrowing through a closure would double the time.
        var outcome: Swift.Result<Result, Failure>?
        if !trySync(on: thread, { outcome = Swift.Result(catching: work) }) {
            waitAndRun(on: thread, beginWait) { outcome = Swift.Result(catching: work) }
        }
        guard let outcome else { preconditionFailure("A queue runs what it is given.") }
        return try outcome.get()
    }

    /// Runs work exclusively, unless another thread holds the queue or is entering it. Returns whether the work has
    /// run.
    func trySync(_ work: () -> Void) -> Bool { trySync(on: .current, work) }

    private func trySync(on thread: ThreadRecord, _ work: () -> Void) -> Bool {
        while entrants.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged {
            PausePoint.queueCounted.pass()
            let isRun = run(on: thread, work)
            PausePoint.queueLeaving.pass()
            leave(thread)
            if isRun { return true }
            // Another thread held the queue a moment ago. If that thread left while this thread was counted, its
            // attempt to clear the container failed. So this thread tries again (invariant Q4).
        }
        return false
    }

    /// Runs work when this thread gets its turn.
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

    /// Runs work on the queue, unless another thread holds it (invariant Q1). Returns whether the work has run.
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

    /// Waits until the holder has left. The holder finds the semaphore when it leaves, or it has left before this
    /// thread checks again (invariant Q3).
    private func waitUntilFree() {
        let semaphore = DispatchSemaphore(value: 0)
        PausePoint.queueFound.pass()
        waiting.setIfEmpty(semaphore)
        if holder.load(ordering: .sequentiallyConsistent) == 0, waiting.exchange(nil) != nil { return }
        semaphore.wait()
    }

    /// Decrements the number of entrants, and runs the thread's deferred work. The thread has left the dispatch queue
    /// before.
    private func leave(_ thread: ThreadRecord) {
        entrants.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        thread.runDeferred()
    }

    /// The dispatch queue, which is created once and lives as long as this value.
    private var dispatchQueue: UnretainedReference<DispatchQueue> {
        if let queue = queue.load() { return queue }
        queue.setIfEmpty(DispatchQueue(label: "DependencyInjection"))
        return self.dispatchQueue
    }
}
