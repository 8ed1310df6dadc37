import Foundation
import SQLite

/// A store for the notes of one user in the database, within the request's unit of work.
package struct SQLiteNoteStore: NoteStore {
    private let unit: UnitOfWork
    private let owner: Identity
    private let time: any TimeSource

    package init(unit: UnitOfWork, owner: Identity, time: any TimeSource) {
        self.unit = unit
        self.owner = owner
        self.time = time
    }

    package func find(_ query: NoteQuery) async throws -> NotePage {
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
        let owner = SQLiteValue.integer(owner.id)
        let pattern = SQLiteValue(search)
        let tag = SQLiteValue(query.tag)
        let offset = (query.page - 1).multipliedReportingOverflow(by: query.size)
        let first = SQLiteValue.integer(offset.overflow ? .max : Int64(offset.partialValue))
        let size = SQLiteValue.integer(Int64(query.size))
        return try await unit.read { connection in
            let total = try connection.rows("SELECT count(*) \(condition)", owner, pattern, tag)
            let rows = try connection.rows(
                "SELECT \(Self.columns) \(condition) ORDER BY \(order) LIMIT ?4 OFFSET ?5", owner, pattern, tag, size,
                first)
            return NotePage(notes: try rows.map(Note.init(row:)), total: Int(try total[0].integer(0)))
        }
    }

    package func note(_ id: Int64) async throws -> Note {
        try await unit.read { [owner] in try $0.note(id, of: owner) }
    }

    package func add(_ draft: NoteDraft) async throws -> Note {
        let now = time.now()
        return try await unit.write { [owner] connection in
            try connection.rows(
                """
                INSERT INTO notes (owner, title, body, tags, version, createdAt, updatedAt)
                VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5)
                """, .integer(owner.id), .text(draft.title), .text(draft.body), .text(try draft.tagsAsJSON),
                .integer(now.microseconds))
            return try connection.note(connection.lastInsertedID, of: owner)
        }
    }

    package func replace(
        _ id: Int64, with draft: NoteDraft, if mayChange: @Sendable (_ version: Int64) -> Bool
    ) async throws -> Note {
        let now = time.now()
        return try await unit.write { [owner] connection in
            guard mayChange(try connection.note(id, of: owner).version) else { throw NoteError.changed }
            try connection.rows(
                "UPDATE notes SET title = ?, body = ?, tags = ?, version = version + 1, updatedAt = ? WHERE id = ?",
                .text(draft.title), .text(draft.body), .text(try draft.tagsAsJSON), .integer(now.microseconds),
                .integer(id))
            return try connection.note(id, of: owner)
        }
    }

    package func remove(_ id: Int64, if mayChange: @Sendable (_ version: Int64) -> Bool) async throws {
        try await unit.write { [owner] connection in
            guard mayChange(try connection.note(id, of: owner).version) else { throw NoteError.changed }
            try connection.rows("DELETE FROM notes WHERE id = ?", .integer(id))
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

extension Connection {
    fileprivate func note(_ id: Int64, of owner: Identity) throws -> Note {
        let rows = try rows(
            "SELECT \(SQLiteNoteStore.columns) FROM notes WHERE id = ? AND owner = ?", .integer(id), .integer(owner.id))
        guard let row = rows.first else { throw NoteError.notFound }
        return try Note(row: row)
    }
}

extension Note {
    fileprivate init(row: SQLiteRow) throws {
        id = try row.integer(0)
        let tags = try JSONDecoder().decode([String].self, from: Data(row.text(3).utf8))
        draft = try NoteDraft(title: row.text(1), body: row.text(2), tags: tags)
        version = try row.integer(4)
        createdAt = Date(microseconds: try row.integer(5))
        updatedAt = Date(microseconds: try row.integer(6))
    }
}

extension NoteDraft {
    fileprivate var tagsAsJSON: String {
        get throws { String(decoding: try JSONEncoder().encode(tags), as: UTF8.self) }
    }
}

extension SQLiteValue {
    fileprivate init(_ text: String?) { self = text.map(Self.text) ?? .null }
}

extension Date {
    fileprivate var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }

    fileprivate init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
