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
        return try await unit.read { [owner] database in
            let total = try Int.fetchOne(
                database, sql: "SELECT count(*) \(condition)", arguments: [owner.id, search, query.tag])
            let notes = try Note.fetchAll(
                database, sql: "SELECT notes.* \(condition) ORDER BY \(order) LIMIT ?4 OFFSET ?5",
                arguments: [owner.id, search, query.tag, query.size, first])
            return NotePage(
                notes: notes.map(NoteView.init), page: query.page, size: query.size, total: total ?? 0)
        }
    }

    func note(_ id: Int64) async throws -> Note {
        try await unit.read { [owner] in try $0.note(id, of: owner) }
    }

    func add(_ draft: NoteDraft) async throws -> Note {
        let now = time.now().microseconds
        return try await unit.write { [owner] in
            try $0.note(
                """
                INSERT INTO notes (owner, title, body, tags, version, createdAt, updatedAt)
                VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5) RETURNING *
                """, [owner.id, draft.title, draft.body, try draft.tagsAsJSON, now])
        }
    }

    func replace(_ id: Int64, with draft: NoteDraft, if versions: EntityTags) async throws -> Note {
        let now = time.now().microseconds
        return try await unit.write { [owner] in
            try $0.note(id, of: owner, if: versions)
            return try $0.note(
                """
                UPDATE notes SET title = ?, body = ?, tags = ?, version = version + 1, updatedAt = ? WHERE id = ?
                RETURNING *
                """, [draft.title, draft.body, try draft.tagsAsJSON, now, id])
        }
    }

    func remove(_ id: Int64, if versions: EntityTags?) async throws {
        try await unit.write { [owner] in
            try $0.note(id, of: owner, if: versions)
            try $0.execute(sql: "DELETE FROM notes WHERE id = ?", arguments: [id])
        }
    }

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
    /// Returns the note that a statement finds or changes.
    fileprivate func note(_ statement: String, _ arguments: StatementArguments) throws -> Note {
        guard let note = try Note.fetchOne(self, sql: statement, arguments: arguments) else { throw APIError.notFound }
        return note
    }

    /// Returns a note of a user. Throws an error if the tags don't allow changing its version.
    @discardableResult
    fileprivate func note(_ id: Int64, of owner: Identity, if versions: EntityTags? = nil) throws -> Note {
        let note = try note("SELECT * FROM notes WHERE id = ? AND owner = ?", [id, owner.id])
        guard versions?.allowChange(of: "\(note.version)") != false else { throw APIError.changed }
        return note
    }
}

extension NoteDraft {
    fileprivate var tagsAsJSON: String {
        get throws { String(decoding: try JSONEncoder().encode(tags), as: UTF8.self) }
    }
}

extension Date {
    fileprivate var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }

    init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
