import GRDB

/// The migrations that create the current database schema. Add new ones at the end, and never change existing ones.
enum Migrations {
    /// The migrations, as GRDB records them in the file.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accountsAndNotes") { database in
            // Files of earlier versions counted their migrations here.
            if try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 { try createSchema(database) }
        }
        return migrator
    }

    static func createSchema(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE users (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    tokenHash BLOB NOT NULL UNIQUE
                ) STRICT;

                -- The tags are a JSON array of texts. The times are microseconds since 1970.
                CREATE TABLE notes (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    owner INTEGER NOT NULL REFERENCES users(id),
                    title TEXT NOT NULL,
                    body TEXT NOT NULL,
                    tags TEXT NOT NULL,
                    version INTEGER NOT NULL,
                    createdAt INTEGER NOT NULL,
                    updatedAt INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX notesByChange ON notes(owner, updatedAt DESC, id DESC);
                """)
        // What is searched; the texts themselves stay in the table of the notes.
        try database.create(virtualTable: "notesIndex", using: FTS5()) { index in
            index.synchronize(withTable: "notes")
            for column in ["title", "body", "tags"] { index.column(column) }
        }
    }
}
