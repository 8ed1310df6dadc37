import DependencyInjection
import Foundation

/// Blocks threads until it is opened, and tasks that may block.
final class Latch: @unchecked Sendable {  // Everything is used under the lock of the condition.
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Returns whether it was opened in time.
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

/// Runs work on a thread of its own, so that a test of something that may wait for ever fails instead of hanging.
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

/// Runs work on another thread while a factory of the container runs, and so holds its queue, on a third.
///
/// Returns nil if the work has not returned after some seconds. The factory then continues, and the work after it.
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
