import Foundation

/// A note of a user.
struct Note: Equatable, Sendable {
    let id: Int64
    let draft: NoteDraft
    /// The number of changes, starting at 1.
    let version: Int64
    let createdAt: Date
    let updatedAt: Date
}

/// The content of a note, as sent by a user.
struct NoteDraft: Equatable, Sendable {
    let title: String
    let body: String
    /// The tags, sorted and without duplicates.
    let tags: [String]

    init(title: String, body: String = "", tags: [String] = []) throws(InvalidNote) {
        self.title = title.trimmingCharacters(in: .whitespacesAndNewlines)
        self.body = body
        self.tags = Set(tags.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }).sorted()
        guard (1...200).contains(self.title.count) else {
            throw InvalidNote(reason: "A title has 1 to 200 characters.")
        }
        // SQLite would end a text there.
        guard !([title, body] + tags).contains(where: { $0.utf8.contains(0) }) else {
            throw InvalidNote(reason: "A text has no NUL character.")
        }
        guard self.tags.count <= 20 else { throw InvalidNote(reason: "A note has at most 20 tags.") }
        guard self.tags.allSatisfy({ (1...50).contains($0.count) }) else {
            throw InvalidNote(reason: "A tag has 1 to 50 characters.")
        }
    }
}

/// The reason why a note is invalid.
struct InvalidNote: Error {
    let reason: String
}

/// A request for one page of a user's notes.
struct NoteQuery: Equatable, Sendable {
    var search: String?
    var tag: String?
    var page = 1
    var size: Int
}

/// One page of the requested notes.
struct NotePage: Equatable, Sendable {
    let notes: [Note]
    /// The number of notes on all pages.
    let total: Int
}
