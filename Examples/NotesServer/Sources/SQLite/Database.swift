/// A database in a file, with several connections for reading and one for writing.
///
/// SQLite permits one writer at a time. Writers wait here in order, instead of inside SQLite, which would retry
/// repeatedly.
public final class Database: Sendable {
    /// The connections for reading.
    public let readers: Pool
    /// The connection for writing.
    public let writer: Pool

    private init(readers: Pool, writer: Pool) {
        self.readers = readers
        self.writer = writer
    }

    /// Opens a file with a number of connections for reading, and migrates it to the current version.
    /// - Parameters:
    ///   - path: The file, which is created if it doesn't exist.
    ///   - connections: The number of connections for reading.
    ///   - migrations: Scripts that have been added over time. The file runs those that it hasn't run yet.
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

    /// Waits until no connection is in use, and closes the file.
    public func close() async {
        await readers.close()
        await writer.close()
    }
}

extension Connection {
    /// Runs the scripts that haven't been run on the file, all or none. Its `user_version` counts them.
    fileprivate func migrate(_ scripts: [String]) throws {
        // The lock is taken before the version is read, because two processes may start at the same time.
        try run(script: "BEGIN IMMEDIATE")
        do {
            let version = Int(try rows("PRAGMA user_version")[0].integer(0))
            guard version <= scripts.count else {
                throw SQLiteError(
                    code: 1, message: "the file has version \(version), but the latest version is \(scripts.count)")
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
