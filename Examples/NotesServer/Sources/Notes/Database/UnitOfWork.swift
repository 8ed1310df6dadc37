import GRDB

/// The database operations of one request, which are committed or rolled back as a whole.
///
/// It uses a connection from its first operation, so a request that doesn't use the database costs nothing there.
actor UnitOfWork {
    private let database: NoteDatabase
    // Tasks, because two parts of a request may use the database at the same time and must share one transaction.
    private var snapshot: Task<DatabaseSnapshot, any Error>?
    private var writing: Task<Void, any Error>?

    /// Creates a unit of work for the request with an ID.
    init(database: NoteDatabase, request: RequestID) { self.database = database }

    /// Reads the state at the unit's first read, or the unit's own changes.
    func read<Result: Sendable>(_ work: @Sendable (Database) throws -> Result) async throws -> Result {
        if let writing {
            try await writing.value
            return try await database.pool.writeWithoutTransaction(work)
        }
        let snapshot =
            snapshot
            ?? Task { [database] in
                try await database.snapshots.enter { try database.pool.makeSnapshot() }
            }
        self.snapshot = snapshot
        return try await snapshot.value.read(work)
    }

    /// Writes, after waiting for other writers.
    func write<Result: Sendable>(_ work: @Sendable (Database) throws -> Result) async throws -> Result {
        let writing =
            writing
            ?? Task { [database] in
                try await database.writer.enter {
                    try await database.pool.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
                }
            }
        self.writing = writing
        try await writing.value
        return try await database.pool.writeWithoutTransaction(work)
    }

    /// Commits all changes.
    func commit() async throws { try await end { try $0.commit() } }

    /// Undoes all changes.
    func rollBack() async throws { try await end { try $0.rollback() } }

    /// Ends the transaction and the snapshot. A unit whose begin has failed has nothing to end.
    private func end(_ finish: @Sendable (Database) throws -> Void) async throws {
        let (begun, snapshot) = (writing, snapshot)
        (writing, self.snapshot) = (nil, nil)
        // The connection is closed when the snapshot is released.
        if (try? await snapshot?.value) != nil { database.snapshots.leave() }
        guard let begun, (try? await begun.value) != nil else { return }
        defer { database.writer.leave() }
        try await database.pool.writeWithoutTransaction { database in
            do { try finish(database) } catch {
                // A transaction that couldn't be ended must not continue in the next request.
                if database.isInsideTransaction { try? database.rollback() }
                throw error
            }
        }
    }
}
