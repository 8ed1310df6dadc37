import GRDB
import Synchronization

/// The database in a file, with one connection for writing and several for reading.
final class NoteDatabase: Sendable {
    let pool: DatabasePool
    /// GRDB lends no connection for longer than one closure. This gate reserves the writer for a whole unit of work.
    let writer = Gate(width: 1)
    /// Each snapshot is a connection of its own.
    let snapshots: Gate

    /// Opens a file with a number of connections for reading. The file is created if it doesn't exist, and migrated to
    /// the current version.
    init(_ path: String, connections: Int) throws {
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = connections
        // Another process that adds a user may be writing.
        configuration.busyMode = .timeout(5)
        // A unit of work begins a transaction in one closure, and ends it in another.
        configuration.allowsUnsafeTransactions = true
        pool = try DatabasePool(path: path, configuration: configuration)
        snapshots = Gate(width: connections)
        try Migrations.migrator.migrate(pool)
    }

    /// Waits until no connection is in use, and closes the file.
    func close() throws { try pool.close() }
}

/// A gate that admits a limited number of tasks. The others wait in order, without blocking a thread.
final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(width: Int) { state = Mutex(State(free: width)) }

    /// The number of tasks that wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiters.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Enters for a resource that the operation opens. If that fails, the task leaves.
    func enter<Resource>(opening open: () async throws -> sending Resource) async throws -> sending Resource {
        await enter()
        do { return try await open() } catch {
            leave()
            throw error
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiters.isEmpty { return state.waiters.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
