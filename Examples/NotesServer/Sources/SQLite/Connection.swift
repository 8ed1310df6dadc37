import Dispatch

/// A connection to a database, with a queue of its own for blocking on the disk.
///
/// A task is suspended while it uses the connection, so that it doesn't block a thread that other tasks need.
public actor Connection {
    private let executor: QueueExecutor
    private var handle: Handle?

    /// The executor, which runs the actor on its queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() { executor = QueueExecutor(label: "SQLite") }

    /// Opens a file, which is created if it doesn't exist.
    ///
    /// Data is on the disk when its transaction has ended, and reading doesn't wait for writing.
    public static func open(_ path: String) async throws -> Connection {
        let connection = Connection()
        try await connection.open(path)
        return connection
    }

    private func open(_ path: String) throws {
        let handle = try Handle(path: path)
        try handle.run(
            script: """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = FULL;
                PRAGMA foreign_keys = ON;
                """)
        self.handle = handle
    }

    /// Runs several operations without interleaving.
    public func perform<Result: Sendable>(
        _ work: @Sendable (isolated Connection) throws -> Result
    ) throws -> Result { try work(self) }

    /// Runs a statement and returns its rows. The statement is prepared once.
    @discardableResult
    public func rows(_ sql: String, _ values: SQLiteValue...) throws -> [SQLiteRow] {
        try openHandle.rows(sql, values)
    }

    /// Runs several statements without parameters.
    public func run(script: String) throws { try openHandle.run(script: script) }

    /// Rolls back the open transaction, if there is one.
    public func rollBack() throws {
        if try openHandle.isInTransaction { try openHandle.rows("ROLLBACK", []) }
    }

    /// The ID of the last inserted row.
    public var lastInsertedID: Int64 {
        get throws { try openHandle.lastInsertedID }
    }

    /// The number of rows that the last statement changed.
    public var changedRows: Int {
        get throws { try openHandle.changedRows }
    }

    /// Closes the file.
    public func close() { handle = nil }

    private var openHandle: Handle {
        get throws {
            guard let handle else { throw PoolError.closed }
            return handle
        }
    }
}

/// An executor that runs an actor on a dispatch queue. A serial queue gets an additional thread if those of the
/// processors are blocked.
private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
