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
            // In a function of its own, so that the thread retains no result when it reports its end.
            func run() {
                let result = work(index)
                results.withLock { $0.append(result) }
            }
            run()
            done.leave()
        }
    }
    if done.wait(timeout: .now() + longestWait) == .timedOut {
        Issue.record("Not all threads ended within \(longestWait) seconds.", sourceLocation: sourceLocation)
    }
    // Removed from the list, because the threads may retain the list for a moment.
    return results.withLock { results in
        defer { results = [] }
        return results
    }
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

/// A value protected by a lock that the thread sanitizer detects. On Linux, it doesn't detect the standard library's
/// `Mutex`.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
