import DependencyInjection
import GRPCCore
import GRPCInProcessTransport
import Synchronization
import Testing

@testable import GRPCServer

@Suite(.timeLimit(.minutes(5))) struct RequestContainerTests {
    /// Runs an operation with a client of a server.
    private func withClient(
        _ app: DIContainer = makeApp(),
        _ operation: (CounterClient<InProcessTransport.Client>, Store) async throws -> Void
    ) async throws {
        let transport = InProcessTransport()
        try await app.run { app in
            try await serve(app, on: transport.server) { _ in
                try await withGRPCClient(transport: transport.client) { client in
                    try await operation(CounterClient(client), app.resolve(Store.self))
                }
            }
        }
    }

    @Test func unaryMethodIsCommitted() async throws {
        try await withClient { client, store in
            let counts = [try await client.add(5), try await client.add(2)]
            #expect(counts == [5, 7] && store.total == 7)
        }
    }

    @Test func failedMethodIsRolledBack() async throws {
        try await withClient { client, store in
            _ = try await client.add(1)
            let error = await #expect(throws: RPCError.self) { try await client.add(-2) }
            #expect(error?.code == .outOfRange && error?.message == "ada has counted below zero.")
            #expect(store.total == 1)
        }
    }

    @Test func streamIsCommittedAfterItsLastMessage() async throws {
        try await withClient { client, store in
            _ = try await client.add(5)
            let numbers = Mutex<[Int]>([])
            try await client.countDown(3) { number in numbers.withLock { $0.append(number) } }
            #expect(numbers.withLock { $0 } == [4, 3, 2])
            #expect(store.total == 2)
        }
    }

    @Test func failedStreamIsRolledBack() async throws {
        try await withClient { client, store in
            _ = try await client.add(2)
            let numbers = Mutex<[Int]>([])
            let error = await #expect(throws: RPCError.self) {
                try await client.countDown(3) { number in numbers.withLock { $0.append(number) } }
            }
            // Its first messages have been sent.
            #expect(error?.code == .outOfRange && numbers.withLock { $0 } == [1, 0])
            #expect(store.total == 2)
        }
    }

    @Test func failedCommitIsTheStatusOfTheRPC() async throws {
        let app = makeApp()
        app.register {
            Scoped(autowiring: UnitOfWork.init)
                .onClose { (_: UnitOfWork) in throw RPCError(code: .dataLoss, message: "no disk") }
        }
        try await withClient(app) { client, store in
            await #expect(throws: RPCError.self) { try await client.add(5) }
            await #expect(throws: RPCError.self) { try await client.countDown(0) { _ in } }
            #expect(store.total == 0)
        }
    }

    @Test func unitOutsideOfAnRPCIsAnError() throws {
        #expect(throws: ResolutionError.self) { try makeApp().resolve.orThrow(UnitOfWork.self) }
    }
}
