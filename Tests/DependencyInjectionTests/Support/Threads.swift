import DependencyInjection
import Foundation
import Testing

/// Runs the work on the given number of threads, which start at the same moment, and returns their results. If a thread
/// doesn't end in time, records an issue.
func onThreads<Result: Sendable>(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable (Int) -> Result
) -> [Result] {
    let waiting = Counter()
    let mayStart = Latch()
    let results = Locked<[Result]>([])
    let done = DispatchGroup()
    for index in 0..<count {
        done.enter()
        Thread.detachNewThread {
            if waiting.increment() == count { mayStart.open() }
            mayStart.wait(sourceLocation: sourceLocation)
            // In a scope of its own, so that the thread retains no result when it reports its end.
            do {
                let result = work(index)
                results.withLock { $0.append(result) }
            }
            done.leave()
        }
    }
    if done.wait(timeout: .now() + longestWait) == .timedOut {
        Issue.record("Not all threads ended within \(longestWait) seconds.", sourceLocation: sourceLocation)
    }
    // Removed from the list, because the threads may retain the list for a moment.
    return results.takeAll()
}

/// Like ``onThreads(_:_:)``, but leaves the calling thread to the tasks that the work waits for.
func awaitThreads<Result: Sendable>(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable (Int) -> Result
) async -> [Result] {
    // Passed by a lock, because the thread sanitizer doesn't detect every ordering by a continuation.
    let results = Locked<[Result]>([])
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let all = onThreads(count, sourceLocation: sourceLocation, work)
            results.withLock { $0 = all }
            continuation.resume()
        }
    }
    return results.withLock { $0 }
}

/// Runs a change on one thread while other threads read repeatedly. Returns whether every read succeeded.
func reading(
    on readers: Int = 3, during change: @escaping @Sendable () -> Void, _ isFine: @escaping @Sendable (Int) -> Bool
) -> Bool {
    let isDone = Counter()
    let results = onThreads(readers + 1) { index in
        if index == 0 {
            change()
            isDone.increment()
            return true
        }
        var isAlwaysFine = true
        while isDone.count == 0 { isAlwaysFine = isFine(index) && isAlwaysFine }
        return isAlwaysFine
    }
    return results.allSatisfy { $0 }
}

/// The number of rounds and of threads in each race for a first resolution.
let raceRounds = 200
let raceThreads = 8

/// A thread that runs some work, so that a test fails instead of hanging if the work deadlocks.
final class BackgroundThread<Result: Sendable>: Sendable {
    private let ended = Latch()
    private let outcome = Locked<Result?>(nil)

    init(stackSize: Int = 8 << 20, _ work: @escaping @Sendable () -> Result) {
        let thread = Thread { [ended, outcome] in
            let result = work()
            outcome.withLock { $0 = result }
            ended.open()
        }
        thread.stackSize = stackSize
        thread.start()
    }

    /// The result of the work. If the work has not returned in time, records an issue and returns nil.
    func result(sourceLocation: SourceLocation = #_sourceLocation) -> Result? {
        ended.wait("The thread did not end", sourceLocation: sourceLocation)
        return outcome.withLock { $0 }
    }
}

/// Runs work on another thread while a factory on a third thread holds the container's queue.
///
/// Returns nil if the work doesn't return in time. The factory always ends afterwards, so that the work can end.
func whileBuilding<Result: Sendable>(
    in container: DIContainer, _ work: @escaping @Sendable () -> Result
) -> Result? {
    let began = Latch()
    let mayEnd = Latch()
    container.register(
        Shared(name: "slow") { _ in
            began.open()
            mayEnd.wait()
            return Ticket(number: 0)
        })
    let slow = BackgroundThread { container.resolve(Ticket.self, name: "slow") }
    began.wait()
    defer {
        mayEnd.open()
        _ = slow.result()
    }
    return BackgroundThread(work).result()
}
