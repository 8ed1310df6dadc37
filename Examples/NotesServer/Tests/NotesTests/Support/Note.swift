import Foundation

/// A note as the server shows it.
struct Note: Decodable, Equatable, Sendable {
    var id: Int
    var title: String
    var body: String
    var html: String
    var tags: [String]
    var version: Int
    var createdAt: String
    var updatedAt: String
}

/// A page of notes as the server shows it.
struct NoteList: Decodable, Equatable, Sendable {
    var notes: [Note]
    var page: Int
    var size: Int
    var total: Int

    var titles: [String] { notes.map(\.title) }
}

/// The server's description of an error.
struct ErrorResponse: Decodable, Sendable {
    struct Details: Decodable, Sendable {
        var code: String
        var message: String
    }

    var error: Details
    var requestID: String
}

/// The input of a client for a note.
struct NoteInput: Encodable, Sendable {
    var title: String
    var body: String?
    var tags: [String]?

    init(_ title: String, body: String? = nil, tags: [String]? = nil) {
        self.title = title
        self.body = body
        self.tags = tags
    }

    var json: [UInt8] {
        get throws { Array(try JSONEncoder().encode(self)) }
    }
}
