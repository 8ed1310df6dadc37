import DependencyInjection
import DependencyInjectionGRPC
import GRPCCore
import Synchronization

/// The user who called a method.
struct Caller: Sendable {
    let name: String
}

/// The count of all RPCs.
final class Store: Sendable {
    private let stored = Mutex(0)

    var total: Int { stored.withLock { $0 } }
    func commit(_ change: Int) { stored.withLock { $0 += change } }
}

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
        guard store.total + change + number >= 0 else {
            throw RPCError(code: .outOfRange, message: "\(caller.name) has counted below zero.")
        }
        change += number
        return store.total + change
    }

    func commit() { store.commit(change) }
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

/// Runs the server until the operation ends, with a client of it.
func serve<Transport: ServerTransport, Result: Sendable>(
    _ app: DIContainer, on transport: Transport,
    _ operation: (GRPCServer<Transport>) async throws -> Result
) async throws -> Result {
    try await app.prepare(.all)
    let interceptor = RequestContainer(app) { metadata, _ in
        Shared(Caller(name: metadata[stringValues: "user"].first { _ in true } ?? "nobody"))
    }
    return try await withGRPCServer(
        transport: transport, services: [CounterService()], interceptors: [interceptor], handleServer: operation)
}
