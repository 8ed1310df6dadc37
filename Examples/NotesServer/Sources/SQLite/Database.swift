/// Opens a database in a file: some connections to read, and one to write.
///
/// SQLite lets one write at a time. Who wants to write waits here, in order, and not inside SQLite, where a wait is a
/// repeated attempt.
public final class Database: Sendable {
    /// The connections that read.
    public let readers: Pool
    /// The one that writes.
    public let writer: Pool

    private init(readers: Pool, writer: Pool) {
        self.readers = readers
        self.writer = writer
    }

    /// Opens a file with a number of connections to read, and brings it up to date.
    /// - Parameters:
    ///   - path: The file, which is made if it does not exist.
    ///   - connections: How many read at the same time.
    ///   - migrations: Scripts that have been added over time. Those that the file does not have yet are run.
    public static func open(_ path: String, connections: Int, migrations: [String]) async throws -> Database {
        let writer = try await Connection.open(path)
        try await writer.migrate(migrations)
        var readers: [Connection] = []
        for _ in 0..<connections {
            let reader = try await Connection.open(path)
            try await reader.run(script: "PRAGMA query_only = ON")
            readers.append(reader)
        }
        return Database(readers: Pool(readers), writer: Pool([writer]))
    }

    /// Waits until nobody uses a connection, and closes the file.
    public func close() async {
        await readers.close()
        await writer.close()
    }
}

extension Connection {
    /// Runs the scripts that the file has not seen yet, all or none; its `user_version` counts them.
    fileprivate func migrate(_ scripts: [String]) throws {
        // The lock is taken before the version is read: two processes may start at the same time.
        try run(script: "BEGIN IMMEDIATE")
        do {
            let version = Int(try rows("PRAGMA user_version")[0].integer(0))
            guard version <= scripts.count else {
                throw SQLiteError(
                    code: 1, message: "the file has version \(version), and this program knows \(scripts.count)")
            }
            for script in scripts[version...] { try run(script: script) }
            try run(script: "PRAGMA user_version = \(scripts.count)")
            try run(script: "COMMIT")
        } catch {
            try rollBack()
            throw error
        }
    }
}
