import DependencyInjection
import Testing

@Suite("Rule C10: a factory that cancels its own task", .timeLimit(.minutes(5)))
struct SelfCanceledBuildTests {
    /// A factory that cancels the task it runs in, and then gives up.
    private static func giveUp() throws -> Ticket {
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
        return Ticket(number: 0)
    }

    private static func isCancelledFactory(_ error: any Error) -> Bool {
        (error as? ResolutionError)?.reason.underlyingError is CancellationError
    }

    @Test("has failed, for a task that waits and is not cancelled")
    func waiter() async {
        let container = DIContainer { Shared(async: { _ in try Self.giveUp() }) }
        await #expect(performing: { try await container.resolve.async(Ticket.self) }, throws: Self.isCancelledFactory)
        #expect(!Task.isCancelled)
    }

    @Test("has failed, for a factory that waits and is not cancelled")
    func dependent() async {
        let container = DIContainer {
            Shared(async: { _ in try Self.giveUp() })
            Shared(async: { resolve in "\(try await resolve.async(Ticket.self))" })
        }
        await #expect(
            performing: { try await container.resolve.async(String.self) },
            throws: { Self.isCancelledFactory($0) && ($0 as? ResolutionError)?.key == "Ticket" })
    }

    @Test("is a cancellation for a task that was cancelled, in either order")
    func cancelledWaiter() async {
        for _ in 0..<raceRounds {
            let waiter = Locked<Task<Ticket, any Error>?>(nil)
            let mayFail = Gate()
            let container = DIContainer {
                Shared(async: { _ in
                    try await mayFail.wait()
                    waiter.withLock { $0 }?.cancel()
                    return try Self.giveUp()
                })
            }
            let request = Task { try await container.resolve.async(Ticket.self) }
            waiter.withLock { $0 = request }
            mayFail.open()
            await #expect(throws: CancellationError.self) { try await request.value }
        }
    }
}
