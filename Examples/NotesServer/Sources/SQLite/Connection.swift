import Dispatch

/// Connects to a database, and has a thread of its own to wait for the disk.
///
/// A task that asks it something is suspended meanwhile, so that no thread waits that other tasks need.
public actor Connection {
    private let executor: QueueExecutor
    private var handle: Handle?

    /// Has the actor's work done on its queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() { executor = QueueExecutor(label: "SQLite") }

    /// Opens a file, and makes it if it does not exist.
    ///
    /// What is written is on the disk when a transaction has ended, and those who read do not wait for those who write.
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

    /// Does several things without letting anybody in between.
    public func perform<Result: Sendable>(
        _ work: @Sendable (isolated Connection) throws -> Result
    ) throws -> Result { try work(self) }

    /// Runs a statement, and returns its rows. The statement is prepared once.
    @discardableResult
    public func rows(_ sql: String, _ values: SQLiteValue...) throws -> [SQLiteRow] {
        try openHandle.rows(sql, values)
    }

    /// Runs several statements that take no values.
    public func run(script: String) throws { try openHandle.run(script: script) }

    /// Takes back what an open transaction has done, if there is one.
    public func rollBack() throws {
        if try openHandle.isInTransaction { try openHandle.rows("ROLLBACK", []) }
    }

    /// The ID of the row that was inserted last.
    public var lastInsertedID: Int64 {
        get throws { try openHandle.lastInsertedID }
    }

    /// How many rows the last statement has changed.
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

/// Runs an actor on a dispatch queue. A serial queue gets a thread more if those of the processors wait.
private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
