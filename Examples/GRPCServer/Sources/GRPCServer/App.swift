import DependencyInjection
import DependencyInjectionGRPC
import GRPCCore
import GRPCInProcessTransport
import Synchronization

/// The user who called a method.
struct Caller: Sendable { let name: String }

/// The count of all RPCs.
final class Store: Sendable { let total = Mutex(0) }

/// The changes of one RPC, which are committed or dropped as a whole.
actor UnitOfWork {
    private let store: Store
    private let caller: Caller
    private var change = 0

    init(store: Store, caller: Caller) {
        self.store = store
        self.caller = caller
    }

    /// Changes the count, and returns the new one. A count is never negative.
    func add(_ number: Int) throws -> Int {
        let count = store.total.withLock { $0 } + change + number
        guard count >= 0 else { throw RPCError(code: .outOfRange, message: "\(caller.name) has counted below zero.") }
        change += number
        return count
    }

    func commit() { store.total.withLock { $0 += change } }
}

/// Returns the container of the app.
func makeApp() -> DIContainer {
    DIContainer {
        Shared(Store())
        Scoped(autowiring: UnitOfWork.init)
            .onClose { unit, failure in if failure == nil { await unit.commit() } }
        ProvidedByChild(Caller.self)
    }
}

/// Runs the server until the operation ends, with a client in the same process. Another transport, such as that of
/// grpc-swift-nio-transport, has the same interceptor and services.
func serve(_ app: DIContainer, _ operation: (CounterClient) async throws -> Void) async throws {
    let transport = InProcessTransport()
    let interceptor = RequestContainer(app) { metadata, _ in
        Shared(Caller(name: metadata[stringValues: "user"].first { _ in true } ?? "nobody"))
    }
    try await app.run { app in
        try await app.prepare(.all)
        try await withGRPCServer(
            transport: transport.server, services: [CounterService()], interceptors: [interceptor]
        ) { _ in
            try await withGRPCClient(transport: transport.client) { try await operation(CounterClient(client: $0)) }
        }
    }
}
