import DependencyInjection
import Foundation
import Testing

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
        if !ended.opens() {
            Issue.record("The thread did not end within \(longestWait) seconds.", sourceLocation: sourceLocation)
        }
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
