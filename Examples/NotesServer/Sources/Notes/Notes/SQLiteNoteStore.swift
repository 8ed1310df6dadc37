import Foundation
import GRDB

/// A store for the notes of one user in the database, within the request's unit of work.
struct SQLiteNoteStore: NoteStore {
    let unit: UnitOfWork
    let owner: Identity
    let time: any TimeSource

    func find(_ query: NoteQuery) async throws -> NotePage {
        let words = query.search.map(Self.searchExpression)
        // A search text of only spaces matches all notes.
        let search = words == "" ? nil : words
        let (source, found, order) =
            search == nil
            ? ("notes", "?2 IS NULL", "notes.updatedAt DESC, notes.id DESC")
            : ("notesIndex JOIN notes ON notes.id = notesIndex.rowid", "notesIndex MATCH ?2", "rank, notes.id DESC")
        // The numbers of the parameters are the same in all statements, regardless of the query.
        let condition = """
            FROM \(source) WHERE notes.owner = ?1 AND \(found)
            AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(notes.tags) WHERE value = ?3))
            """
        let offset = (query.page - 1).multipliedReportingOverflow(by: query.size)
        let first = offset.overflow ? Int64.max : Int64(offset.partialValue)
        let (owner, tag, size) = (owner.id, query.tag, query.size)
        return try await unit.read { database in
            let total = try Int.fetchOne(
                database, sql: "SELECT count(*) \(condition)", arguments: [owner, search, tag])
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(Self.columns) \(condition) ORDER BY \(order) LIMIT ?4 OFFSET ?5",
                arguments: [owner, search, tag, size, first])
            return NotePage(notes: try rows.map(Note.init(row:)), total: total ?? 0)
        }
    }

    func note(_ id: Int64) async throws -> Note {
        try await unit.read { [owner] in try $0.note(id, of: owner) }
    }

    func add(_ draft: NoteDraft) async throws -> Note {
        let now = time.now()
        return try await unit.write { [owner] database in
            try database.execute(
                sql: """
                    INSERT INTO notes (owner, title, body, tags, version, createdAt, updatedAt)
                    VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5)
                    """, arguments: [owner.id, draft.title, draft.body, try draft.tagsAsJSON, now.microseconds])
            return try database.note(database.lastInsertedRowID, of: owner)
        }
    }

    func replace(
        _ id: Int64, with draft: NoteDraft, if mayChange: @Sendable (_ version: Int64) -> Bool
    ) async throws -> Note {
        let now = time.now()
        return try await unit.write { [owner] database in
            guard mayChange(try database.note(id, of: owner).version) else { throw NoteError.changed }
            try database.execute(
                sql:
                    "UPDATE notes SET title = ?, body = ?, tags = ?, version = version + 1, updatedAt = ? WHERE id = ?",
                arguments: [draft.title, draft.body, try draft.tagsAsJSON, now.microseconds, id])
            return try database.note(id, of: owner)
        }
    }

    func remove(_ id: Int64, if mayChange: @Sendable (_ version: Int64) -> Bool) async throws {
        try await unit.write { [owner] database in
            guard mayChange(try database.note(id, of: owner).version) else { throw NoteError.changed }
            try database.execute(sql: "DELETE FROM notes WHERE id = ?", arguments: [id])
        }
    }

    fileprivate static let columns = """
        notes.id, notes.title, notes.body, notes.tags, notes.version, notes.createdAt, notes.updatedAt
        """

    /// Returns an FTS5 expression that matches each word literally, because only the quote itself has a meaning inside
    /// quotes.
    ///
    /// Like SQLite, this function splits text by Unicode scalars instead of characters.
    static func searchExpression(_ text: String) -> String {
        text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
            .map { word in "\"" + word.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\"*" }
            .joined(separator: " ")
    }
}

extension Database {
    fileprivate func note(_ id: Int64, of owner: Identity) throws -> Note {
        let row = try Row.fetchOne(
            self, sql: "SELECT \(SQLiteNoteStore.columns) FROM notes WHERE id = ? AND owner = ?",
            arguments: [id, owner.id])
        guard let row else { throw NoteError.notFound }
        return try Note(row: row)
    }
}

extension Note {
    fileprivate init(row: Row) throws {
        id = row["id"]
        let tags = try JSONDecoder().decode([String].self, from: Data((row["tags"] as String).utf8))
        draft = try NoteDraft(title: row["title"], body: row["body"], tags: tags)
        version = row["version"]
        createdAt = Date(microseconds: row["createdAt"])
        updatedAt = Date(microseconds: row["updatedAt"])
    }
}

extension NoteDraft {
    fileprivate var tagsAsJSON: String {
        get throws { String(decoding: try JSONEncoder().encode(tags), as: UTF8.self) }
    }
}

extension Date {
    fileprivate var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }

    fileprivate init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
