internal import Dispatch
internal import Synchronization

/// Runs one piece of work at a time, in the caller's thread, and lets a thread that is already inside enter again.
///
/// A plain serial queue would deadlock on re-entry. Queue-specific data cannot tell re-entry reliably either: inside
/// `a.sync { b.sync { … } }` the current queue is `b`, although the thread still holds `a`. So the queue remembers the
/// thread that holds it; only that thread can ever find its own identity there.
final class ReentrantSerialQueue: Sendable {
    private let queue: DispatchQueue
    /// The thread that is inside, as the address of its record, or 0.
    private let owner = Atomic<UInt>(0)

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Tells whether the calling thread is inside.
    var isHeldByCurrentThread: Bool {
        owner.load(ordering: .relaxed) == ThreadRecord.current.identity
    }

    /// Runs `work` alone and returns what it returns, or throws what it throws.
    func sync<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        let thread = ThreadRecord.current
        if owner.load(ordering: .relaxed) == thread.identity {
            return try work()
        }
        let wasOnMainQueue = thread.isOnMainQueue
        thread.own.pointee.isOnMainQueue = MainQueue.isCurrent
        defer {
            thread.own.pointee.isOnMainQueue = wasOnMainQueue
            thread.runDeferred()
        }
        // `DispatchQueue.sync` rethrows untyped errors only, so the outcome travels as a value.
        let outcome: Swift.Result<Result, Failure> = queue.sync {
            // Acquire and release repeat what the queue guarantees, for tools that do not know dispatch.
            _ = owner.exchange(thread.identity, ordering: .acquiring)
            thread.own.pointee.heldQueues += 1
            defer {
                thread.own.pointee.heldQueues -= 1
                owner.store(0, ordering: .releasing)
            }
            return Swift.Result(catching: work)
        }
        return try outcome.get()
    }
}

extension ThreadRecord {
    /// Runs work once the thread is inside no queue: work that takes queues out of order, or runs foreign `deinit`s.
    func whenFree(_ work: @escaping () -> Void) {
        if own.pointee.heldQueues == 0 { work() } else { own.pointee.deferred.append(work) }
    }

    /// Runs what had to wait. Work that enters and leaves a queue does not begin the next: the depth of the stack would be
    /// the number of pieces.
    fileprivate func runDeferred() {
        guard own.pointee.heldQueues == 0, !own.pointee.isRunningDeferred else { return }
        own.pointee.isRunningDeferred = true
        defer { own.pointee.isRunningDeferred = false }
        while !own.pointee.deferred.isEmpty {
            let batch = own.pointee.deferred
            own.pointee.deferred = []
            for work in batch { work() }
        }
    }
}
