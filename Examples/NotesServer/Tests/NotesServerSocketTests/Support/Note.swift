import Foundation

/// A note as sent by the server.
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

/// A page of notes as sent by the server.
struct NoteList: Decodable, Equatable, Sendable {
    var notes: [Note]
    var page: Int
    var size: Int
    var total: Int

    var titles: [String] { notes.map(\.title) }
}

/// An error as sent by the server.
struct ErrorAnswer: Decodable, Sendable {
    struct Details: Decodable, Sendable {
        var code: String
        var message: String
    }

    var error: Details
    var requestID: String
}

/// A note as sent by a client.
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
