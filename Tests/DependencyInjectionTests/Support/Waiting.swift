import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

/// The time that a test waits for anything, in seconds. A wait that ends without success is an issue of the test, and
/// the run continues.
let longestWait: TimeInterval = 60

/// Blocks the thread until the condition holds. Returns false if it doesn't hold in time.
func eventually(within seconds: TimeInterval = longestWait, _ condition: () -> Bool) -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        usleep(100)
    }
    return true
}

/// Suspends the task until the condition holds, even if the task is canceled. Returns false if it doesn't hold in time.
func eventually(within seconds: TimeInterval = longestWait, _ condition: () -> Bool) async -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        // The sleep returns immediately in a canceled task, which must still yield to other tasks.
        try? await Task.sleep(for: .milliseconds(1))
        await Task.yield()
    }
    return true
}

/// A latch that blocks threads and suspends tasks until it is opened, and that counts them.
final class Latch: @unchecked Sendable {  // Everything is used under the lock of the condition.
    private let condition = NSCondition()
    private var isUnlocked = false
    private let arrivals = Counter()

    var isOpen: Bool { condition.withLock { isUnlocked } }

    /// The number of times that a thread or task has waited here.
    var count: Int { arrivals.count }

    func open() {
        condition.withLock {
            isUnlocked = true
            condition.broadcast()
        }
    }

    /// Blocks the thread until the latch is opened, and then builds an instance. If the latch isn't opened in time,
    /// records an issue with the problem.
    func wait<T>(
        _ problem: String = "The latch was not opened", returning instance: @autoclosure () -> T = (),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> T {
        arrivals.increment()
        let deadline = Date.now + longestWait
        let isOpen = condition.withLock {
            while !isUnlocked, condition.wait(until: deadline) {}
            return isUnlocked
        }
        if !isOpen { Issue.record("\(problem) within \(longestWait) seconds.", sourceLocation: sourceLocation) }
        return instance()
    }

    /// Suspends the task until the latch is opened, and then builds an instance. Throws an error if the task is
    /// canceled. If the latch isn't opened in time, records an issue and throws an error.
    func opening<T>(
        returning instance: @autoclosure () throws -> T = (), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> T {
        arrivals.increment()
        let deadline = Date.now + longestWait
        while !isOpen {
            if Date.now >= deadline {
                Issue.record("The latch was not opened within \(longestWait) seconds.", sourceLocation: sourceLocation)
                throw Sabotage()
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        return try instance()
    }

    /// Suspends the task until threads or tasks have waited here the given number of times.
    func isReached(times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let isReached = await eventually { count >= times }
        #expect(isReached, "The latch was not reached \(times) times.", sourceLocation: sourceLocation)
    }
}

extension DIContainer {
    /// Whether one thread holds the container's queue and another one waits for the queue.
    var hasWaitingThread: Bool { core.queue.entrants.load(ordering: .relaxed) == 2 }

    /// Whether `close()` has begun.
    var isClosing: Bool { error(of: Never?.self)?.reason == .closed }

    /// Whether a call of `close()` waits for another one.
    var hasWaitingClose: Bool { core.lifecycle.withLock { lifecycle in !lifecycle.closeWaiters.isEmpty } }

    /// Suspends the task until the given number of tasks await asynchronous builds of the container.
    func untilTasksWait(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let deadline = Date.now + longestWait
        while await AsyncBuilds.shared.waitingTasks[ObjectIdentifier(core), default: 0] < count {
            if Date.now >= deadline {
                Issue.record("Fewer than \(count) tasks await a build.", sourceLocation: sourceLocation)
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension AsyncBuilds {
    /// The number of tasks that await the builds of each container.
    fileprivate var waitingTasks: [ObjectIdentifier: Int] {
        joinable.values.reduce(into: [:]) { counts, build in
            counts[ObjectIdentifier(build.core), default: 0] += build.progress?.waiters.count ?? 0
        }
    }
}
