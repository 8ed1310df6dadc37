import Foundation
import Hummingbird
import Markdown

/// A note as sent to clients.
private struct NoteView: Encodable {
    let id: Int64
    let title, body, html: String
    let tags: [String]
    let version: Int64
    let createdAt, updatedAt: String

    init(_ note: Note) {
        id = note.id
        title = note.draft.title
        body = note.draft.body
        html = Markdown.html(note.draft.body)
        tags = note.draft.tags
        version = note.version
        createdAt = note.createdAt.formatted(.iso8601)
        updatedAt = note.updatedAt.formatted(.iso8601)
    }
}

extension Response {
    /// Creates a response with a note and its version.
    init(_ status: HTTPResponse.Status, note: Note) throws {
        try self.init(status, json: NoteView(note), headers: [.eTag: "\"\(note.version)\""])
    }

    /// Creates a response with one page of notes.
    init(_ status: HTTPResponse.Status, page: NotePage, query: NoteQuery) throws {
        struct Body: Encodable {
            let notes: [NoteView]
            let page, size, total: Int
        }
        let notes = page.notes.map(NoteView.init)
        try self.init(status, json: Body(notes: notes, page: query.page, size: query.size, total: page.total))
    }
}
