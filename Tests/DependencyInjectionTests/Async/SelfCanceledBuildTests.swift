import DependencyInjection
import Testing

@Suite("Rule C10: a factory that cancels its own task", .mayHang)
struct SelfCanceledBuildTests {
    /// A factory that cancels its own task, and then throws a `CancellationError`.
    private static func giveUp() throws -> Ticket {
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
        return Ticket(number: 0)
    }

    private static func isCancelledFactory(_ error: any Error) -> Bool {
        (error as? ResolutionError)?.reason.underlyingError is CancellationError
    }

    @Test("fails for a waiting task that isn't canceled")
    func waiter() async {
        let container = DIContainer { Shared(async: { _ in try Self.giveUp() }) }
        await #expect(performing: { try await container.resolve.async(Ticket.self) }, throws: Self.isCancelledFactory)
        #expect(!Task.isCancelled)
    }

    @Test("fails for a waiting factory that isn't canceled")
    func dependent() async {
        let container = DIContainer {
            Shared(async: { _ in try Self.giveUp() })
            Shared(async: { resolve in "\(try await resolve.async(Ticket.self))" })
        }
        await #expect(
            performing: { try await container.resolve.async(String.self) },
            throws: { Self.isCancelledFactory($0) && ($0 as? ResolutionError)?.key == "Ticket" })
    }

    @Test("throws a CancellationError in a canceled task, in either order")
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
