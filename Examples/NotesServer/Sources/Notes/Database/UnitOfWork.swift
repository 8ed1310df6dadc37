package import SQLite

/// The database operations of one request, which are committed or rolled back as a whole.
///
/// It borrows a connection on first use, so a request that doesn't use the database costs nothing there.
public actor UnitOfWork {
    /// The ID of the request.
    nonisolated let request: RequestID
    private let database: Database
    // Tasks, because two parts of a request may use the database at the same time and must share one connection.
    private var reading: Task<Connection, any Error>?
    private var writing: Task<Connection, any Error>?

    package init(database: Database, request: RequestID) {
        self.database = database
        self.request = request
    }

    /// Reads the state at the unit's first read, or the unit's own changes.
    func read<Result: Sendable>(_ work: @Sendable (isolated Connection) throws -> Result) async throws -> Result {
        if writing == nil, reading == nil { reading = begin("BEGIN", database.readers) }
        guard let connection = try await (writing ?? reading)?.value else { throw PoolError.closed }
        return try await connection.perform(work)
    }

    /// Writes, after waiting for other writers.
    func write<Result: Sendable>(_ work: @Sendable (isolated Connection) throws -> Result) async throws -> Result {
        let begun = writing ?? begin("BEGIN IMMEDIATE", database.writer)
        writing = begun
        return try await begun.value.perform(work)
    }

    package func commit() async throws {
        try await end { try $0.rows("COMMIT") }
    }

    package func rollBack() async throws {
        try await end { try $0.rollBack() }
    }

    private func begin(_ statement: String, _ pool: Pool) -> Task<Connection, any Error> {
        Task {
            let connection = try await pool.take()
            do { try await connection.rows(statement) } catch {
                pool.giveBack(connection)
                throw error
            }
            return connection
        }
    }

    /// Ends both transactions, even if one of them fails.
    private func end(_ finish: @Sendable (isolated Connection) throws -> Void) async throws {
        var failure: (any Error)?
        for (begun, pool) in [(writing, database.writer), (reading, database.readers)] {
            guard let connection = try? await begun?.value else { continue }
            do { try await connection.perform(finish) } catch {
                failure = failure ?? error
                // A transaction that couldn't be ended must not continue in the next request.
                try? await connection.rollBack()
            }
            pool.giveBack(connection)
        }
        (reading, writing) = (nil, nil)
        if let failure { throw failure }
    }
}
