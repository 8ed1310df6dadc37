import DependencyInjection
import Foundation

/// A latch that blocks threads until it is opened.
final class Latch: @unchecked Sendable {  // Everything is used under the lock of the condition.
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Blocks the thread until the latch is opened. Returns false if it isn't opened in time.
    @discardableResult
    func wait(atMost seconds: TimeInterval = 240) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            if !condition.wait(until: deadline) { return isOpen }
        }
        return true
    }
}

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

    /// The result of the work, or nil if it has not returned in time.
    func result() -> Result? {
        ended.wait(atMost: 120) ? outcome.withLock { $0 } : nil
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
