import Synchronization

/// Lends connections; who comes first is served first.
public final class Pool: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Connection, any Error>
    }

    private struct State {
        var idle: [Connection]
        var lent = 0
        var waiters: [Waiter] = []
        var nextID = 0
        var isClosing = false
        var whenAllAreBack: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    /// Makes a pool that lends these.
    public init(_ connections: [Connection]) {
        state = Mutex(State(idle: connections))
    }

    /// How many wait for a connection.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Lends a connection, or waits for one. Give it back with ``giveBack(_:)``.
    ///
    /// Throws a `CancellationError` if the task is cancelled while it waits, and ``PoolError/closed`` after ``close()``.
    public func take() async throws -> Connection {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let connection: Result<Connection, any Error>? = state.withLock { state in
                    if state.isClosing { return .failure(PoolError.closed) }
                    // Asked under the lock: whoever is cancelled later finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let connection = state.idle.popLast() {
                        state.lent += 1
                        return .success(connection)
                    }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let connection { continuation.resume(with: connection) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Takes back what was lent, and hands it to whoever has waited longest.
    public func giveBack(_ connection: Connection) {
        let (waiter, idle) = state.withLock { state -> (Waiter?, CheckedContinuation<Void, Never>?) in
            guard state.waiters.isEmpty else { return (state.waiters.removeFirst(), nil) }
            state.idle.append(connection)
            state.lent -= 1
            return (nil, state.lent == 0 ? state.whenAllAreBack.take() : nil)
        }
        waiter?.continuation.resume(returning: connection)
        idle?.resume()
    }

    /// Lends a connection while an operation runs.
    public func with<Result: Sendable>(
        _ operation: @Sendable (isolated Connection) throws -> Result
    ) async throws -> Result {
        let connection = try await take()
        defer { giveBack(connection) }
        return try await connection.perform(operation)
    }

    /// Lends no more, waits until everything is back, and closes it. May be called once.
    public func close() async {
        let waiters = state.withLock { state in
            state.isClosing = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: PoolError.closed) }
        await withCheckedContinuation { continuation in
            let isBack = state.withLock { state in
                if state.lent > 0 { state.whenAllAreBack = continuation }
                return state.lent == 0
            }
            if isBack { continuation.resume() }
        }
        let connections = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in connections { await connection.close() }
    }
}

/// Says why there is no connection.
public enum PoolError: Error {
    /// The pool is closed, or a connection is.
    case closed
}
