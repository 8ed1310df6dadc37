import Testing

@testable import SQLite

struct SQLiteTests {
    @Test func valuesAreUnchanged() async throws {
        let connection = try await Connection.open(":memory:")
        let values: [SQLiteValue] = [.null, .integer(.min), .text("a\0ö"), .blob([0, 1, 255])]
        let row = try await connection.rows("SELECT ?, ?, ?, ?", values[0], values[1], values[2], values[3])[0]
        #expect(row.values == values)
        #expect(throws: SQLiteError.self) { try row.text(1) }
        #expect(throws: SQLiteError.self) { try row.integer(2) }
    }

    @Test func invalidStatementIsAnError() async throws {
        let connection = try await Connection.open(":memory:")
        let error = await #expect(throws: SQLiteError.self) { try await connection.rows("SELECT missing") }
        #expect(error?.description == "no such column: missing (SQLite 1)")
        await #expect(throws: SQLiteError.self) { try await connection.rows("SELECT ?") }
    }

    @Test func migrationsRunOnce() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("migrated.sqlite")
        let scripts = ["CREATE TABLE first (x)", "CREATE TABLE second (x)"]
        await (try Database.open(file, connections: 1, migrations: [scripts[0]])).close()
        await (try Database.open(file, connections: 1, migrations: scripts)).close()
        let database = try await Database.open(file, connections: 1, migrations: scripts)
        let tables = try await database.readers.with { try $0.rows("SELECT name FROM sqlite_schema ORDER BY 1") }
        #expect(tables.map(\.values) == [["first"], ["second"]])
        await database.close()
        // An older program would not know the newer format of the file.
        await #expect(throws: SQLiteError.self) {
            try await Database.open(file, connections: 1, migrations: [scripts[0]])
        }
    }

    @Test func failedMigrationIsRolledBack() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("broken.sqlite")
        await #expect(throws: SQLiteError.self) {
            try await Database.open(file, connections: 1, migrations: ["CREATE TABLE first (x)", "nonsense"])
        }
        let connection = try await Connection.open(file)
        #expect(try await connection.rows("SELECT * FROM sqlite_schema").isEmpty)
    }

    @Test func writesAreSynchronous() async throws {
        let directory = try TemporaryDirectory()
        let connection = try await Connection.open(directory.path("settings.sqlite"))
        #expect(try await connection.rows("PRAGMA journal_mode")[0].text(0) == "wal")
        #expect(try await connection.rows("PRAGMA synchronous")[0].integer(0) == 2)
    }

    @Test func readersCannotWrite() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("read.sqlite")
        let database = try await Database.open(file, connections: 1, migrations: ["CREATE TABLE t (x)"])
        await #expect(throws: SQLiteError.self) {
            _ = try await database.readers.with { try $0.rows("INSERT INTO t VALUES (1)") }
        }
        await database.close()
    }
}
