import DependencyInjection
import GRPCCore
import Synchronization
import Testing

@testable import GRPCServer

@Suite(.timeLimit(.minutes(5))) struct RequestContainerTests {
    private let app: DIContainer
    private let store: Store

    init() {
        app = makeApp()
        store = app.resolve()
    }

    /// The committed count.
    private var total: Int { store.total.withLock { $0 } }

    @Test func unaryMethodIsCommitted() async throws {
        try await serve(app) { client in
            let counts = try await [client.add(5), client.add(2)]
            #expect(counts == [5, 7] && total == 7)
        }
    }

    @Test func failedMethodIsRolledBack() async throws {
        try await serve(app) { client in
            _ = try await client.add(1)
            let error = await #expect(throws: RPCError.self) { try await client.add(-2) }
            #expect(error?.code == .outOfRange && error?.message == "ada has counted below zero.")
            #expect(total == 1)
        }
    }

    @Test func streamIsCommittedAfterItsLastMessage() async throws {
        try await serve(app) { client in
            _ = try await client.add(5)
            let numbers = Mutex<[Int]>([])
            try await client.call(Counter.countDown, 3) { number in numbers.withLock { $0.append(number) } }
            #expect(numbers.withLock { $0 } == [4, 3, 2])
            #expect(total == 2)
        }
    }

    @Test func failedStreamIsRolledBack() async throws {
        try await serve(app) { client in
            _ = try await client.add(2)
            let numbers = Mutex<[Int]>([])
            let error = await #expect(throws: RPCError.self) {
                try await client.call(Counter.countDown, 3) { number in numbers.withLock { $0.append(number) } }
            }
            // Its first messages have been sent.
            #expect(error?.code == .outOfRange && numbers.withLock { $0 } == [1, 0])
            #expect(total == 2)
        }
    }

    @Test func failedCommitIsTheStatusOfTheRPC() async throws {
        app.register {
            Scoped(autowiring: UnitOfWork.init)
                .onClose { (_: UnitOfWork) in throw RPCError(code: .dataLoss, message: "no disk") }
        }
        try await serve(app) { client in
            await #expect(throws: RPCError.self) { try await client.add(5) }
            await #expect(throws: RPCError.self) { try await client.call(Counter.countDown, 0) { _ in } }
            #expect(total == 0)
        }
    }

    // MARK: Canceled RPCs

    @Test func methodThatThrowsWhenItIsCanceledIsRolledBack() async throws {
        try await serve(app) { client in
            _ = try await client.add(1_000_000_000)
            var options = CallOptions.defaults
            // When this deadline is over, the server marks the RPC as canceled.
            options.timeout = .milliseconds(100)
            let impatient = CounterClient(client: client.client, options: options)
            let error = await #expect(throws: RPCError.self) {
                // Yielding leaves a thread to other tasks, because neither side ever waits.
                try await impatient.call(Counter.countDown, 1_000_000_000) { _ in await Task.yield() }
            }
            #expect(error?.code == .deadlineExceeded || error?.code == .cancelled)
        }
        #expect(total == 1_000_000_000)
    }

    /// The in-process transport doesn't report to the server that a client was canceled.
    @Test func methodOfACanceledClientIsCommitted() async throws {
        try await serve(app) { client in
            _ = try await client.add(100_000)
            let (arrivals, continuation) = AsyncStream.makeStream(of: Int.self)
            let counting = Task { try await client.call(Counter.countDown, 100_000) { continuation.yield($0) } }
            for await _ in arrivals { break }
            counting.cancel()
            _ = await counting.result
            // The server's end would also mark the RPC as canceled.
            for _ in 0..<500 where total != 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(total == 0)
        }
    }

    @Test func unitOutsideOfAnRPCIsAnError() throws {
        #expect(throws: ResolutionError.self) { try app.resolve.orThrow(UnitOfWork.self) }
    }
}

extension CounterClient {
    fileprivate func add(_ number: Int) async throws -> Int {
        let count = Mutex(0)
        try await call(Counter.add, number) { number in count.withLock { $0 = number } }
        return count.withLock { $0 }
    }
}
