import Synchronization

/// A pool that lends connections in order of request.
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

    /// Creates a pool that lends the given connections.
    public init(_ connections: [Connection]) {
        state = Mutex(State(idle: connections))
    }

    /// The number of tasks that wait for a connection.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Lends a connection, or waits for one. Return it with ``giveBack(_:)``.
    ///
    /// Throws a `CancellationError` if the task is canceled while it waits, and ``PoolError/closed`` after ``close()``.
    public func take() async throws -> Connection {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let connection: Result<Connection, any Error>? = state.withLock { state in
                    if state.isClosing { return .failure(PoolError.closed) }
                    // Checked under the lock, because a later cancellation finds the waiter.
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

    /// Returns a connection to the pool, which lends it to the task that has waited longest.
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

    /// Stops lending, waits until all connections are returned, and closes them. Can be called once.
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

/// The reason why no connection is available.
public enum PoolError: Error {
    /// The pool or the connection is closed.
    case closed
}
