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
        let isEntered = enter(onWait: beginWait)
        defer { if isEntered { exit(.current) } }
        return try work()
    }

    /// Runs work exclusively, unless another thread holds the queue or is entering it. Returns whether the work has
    /// run.
    func trySync(_ work: () -> Void) -> Bool {
        let thread = ThreadRecord.current
        guard tryEnter(thread) else { return false }
        defer { exit(thread) }
        work()
        return true
    }

    /// Enters the queue until ``exit(_:)``. Returns `false` if the thread already holds the queue.
    ///
    /// - Parameter beginWait: As for ``sync(onWait:_:)``.
    func enter(onWait beginWait: () -> AnyObject?) -> Bool {
        let thread = ThreadRecord.current
        if isHeld(by: thread) { return false }
        if !tryEnter(thread) { waitAndEnter(thread, beginWait) }
        return true
    }

    /// Enters the queue, unless another thread holds it or is entering it.
    private func tryEnter(_ thread: ThreadRecord) -> Bool {
        while entrants.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged {
            PausePoint.queueCounted.pass()
            if hold(thread) { return true }
            PausePoint.queueLeaving.pass()
            leave(thread)
            // Another thread held the queue a moment ago. If that thread left while this thread was counted, its
            // attempt to clear the container failed. So this thread tries again (invariant Q4).
        }
        return false
    }

    /// Enters the queue when this thread gets its turn. The dispatch queue determines the order of the waiting threads.
    private func waitAndEnter(_ thread: ThreadRecord, _ beginWait: () -> AnyObject?) {
        let others = entrants.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        PausePoint.queueCounted.pass()
        let wait = others > 0 ? beginWait() : nil
        dispatchQueue.with { $0.sync { while !hold(thread) { waitUntilFree() } } }
        withExtendedLifetime(wait) {}
    }

    /// Leaves the queue, which the thread has entered.
    func exit(_ thread: ThreadRecord) {
        thread.own.pointee.heldQueues -= 1
        holder.store(0, ordering: .sequentiallyConsistent)
        PausePoint.queueFreed.pass()
        if waiting.load() != nil { waiting.exchange(nil)?.signal() }
        PausePoint.queueLeaving.pass()
        leave(thread)
    }

    /// Takes the queue, unless another thread holds it (invariant Q1).
    private func hold(_ thread: ThreadRecord) -> Bool {
        let isFree = holder.compareExchange(
            expected: 0, desired: thread.identity, ordering: .sequentiallyConsistent
        ).exchanged
        if isFree { thread.own.pointee.heldQueues += 1 }
        return isFree
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

    /// Decrements the number of entrants, and runs the thread's deferred work.
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
