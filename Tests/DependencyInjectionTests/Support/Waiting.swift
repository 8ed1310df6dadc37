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

/// A latch that blocks threads and suspends tasks until it is opened.
final class Latch: @unchecked Sendable {  // Everything is used under the lock of the condition.
    private let condition = NSCondition()
    private var isUnlocked = false

    var isOpen: Bool { condition.withLock { isUnlocked } }

    func open() {
        condition.withLock {
            isUnlocked = true
            condition.broadcast()
        }
    }

    /// Blocks the thread until the latch is opened. Returns false if it isn't opened in time.
    func opens() -> Bool {
        let deadline = Date.now + longestWait
        return condition.withLock {
            while !isUnlocked {
                if !condition.wait(until: deadline) { return isUnlocked }
            }
            return true
        }
    }

    /// Blocks the thread until the latch is opened. If it isn't opened in time, records an issue.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) {
        if !opens() {
            Issue.record("The latch was not opened within \(longestWait) seconds.", sourceLocation: sourceLocation)
        }
    }

    /// Suspends the task until the latch is opened or the task is canceled. If the latch isn't opened in time, records
    /// an issue and throws an error.
    func opening(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let deadline = Date.now + longestWait
        while !isOpen {
            if Date.now >= deadline {
                Issue.record("The latch was not opened within \(longestWait) seconds.", sourceLocation: sourceLocation)
                throw Sabotage()
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// A point of a factory or handler at which tasks and threads stop until it is opened.
final class Checkpoint: Sendable {
    private let arrivals = Counter()
    private let latch = Latch()

    /// The number of times that a task or thread has stopped here.
    var count: Int { arrivals.count }

    func open() { latch.open() }

    /// Suspends the task until the checkpoint is opened, and then builds an instance. Throws if the task is canceled.
    func stop<T>(
        returning instance: @autoclosure () throws -> T = (), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> T {
        arrivals.increment()
        try await latch.opening(sourceLocation: sourceLocation)
        return try instance()
    }

    /// Blocks the thread until the checkpoint is opened. Then builds an instance.
    func block<T>(
        returning instance: @autoclosure () -> T = (), sourceLocation: SourceLocation = #_sourceLocation
    ) -> T {
        arrivals.increment()
        latch.wait(sourceLocation: sourceLocation)
        return instance()
    }

    /// Suspends the task until tasks or threads have stopped here the given number of times.
    func isReached(times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let isReached = await eventually { count >= times }
        #expect(isReached, "The checkpoint was not reached \(times) times.", sourceLocation: sourceLocation)
    }
}

extension DIContainer {
    /// Blocks the thread until one thread holds the container's queue and another one waits for the queue.
    func untilThreadWaits(sourceLocation: SourceLocation = #_sourceLocation) {
        let isWaiting = eventually { core.queue.entrants.load(ordering: .relaxed) == 2 }
        #expect(isWaiting, "No thread waits for the queue.", sourceLocation: sourceLocation)
    }

    /// Suspends the task until `close()` has begun.
    func untilClosing(sourceLocation: SourceLocation = #_sourceLocation) async {
        let isClosing = await eventually { failure { _ = try resolve.orThrow(Never?.self) }?.reason == .closed }
        #expect(isClosing, "No call of close() has begun.", sourceLocation: sourceLocation)
    }

    /// Suspends the task until another call of `close()` waits for the first one.
    func untilSecondCloseWaits(sourceLocation: SourceLocation = #_sourceLocation) async {
        let isWaiting = await eventually {
            core.lifecycle.withLock { lifecycle in
                !lifecycle.closeWaiters.isEmpty
            }
        }
        #expect(isWaiting, "No call of close() waits for another one.", sourceLocation: sourceLocation)
    }

    /// Suspends the task until the given number of tasks await asynchronous builds of the container.
    func untilTasksWait(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let deadline = Date.now + longestWait
        while await AsyncBuilds.shared.tasksThatWait(in: core) < count {
            if Date.now >= deadline {
                Issue.record("Fewer than \(count) tasks await a build.", sourceLocation: sourceLocation)
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension AsyncBuilds {
    /// The number of tasks that await builds of a container.
    fileprivate func tasksThatWait(in core: ContainerCore) -> Int {
        joinable.values.reduce(0) { $0 + ($1.core === core ? $1.progress?.waiters.count ?? 0 : 0) }
    }
}
