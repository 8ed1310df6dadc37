import Foundation
import GRDB
import Hummingbird
import Markdown

/// A note of a user, as it is stored.
struct Note: Codable, Equatable, FetchableRecord {
    let id: Int64
    let title: String
    let body: String
    /// The tags, sorted and without duplicates.
    let tags: [String]
    /// The number of changes, starting at 1.
    let version: Int64
    let createdAt: Date
    let updatedAt: Date

    var entityTag: String { "\"\(version)\"" }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .custom { Int64.fromDatabaseValue($0).map(Date.init(microseconds:)) }
    }
}

/// A note as it is sent, with its body as HTML and its version as the ETag.
struct NoteView: ResponseEncodable {
    let note: Note

    private enum CodingKeys: CodingKey { case html }

    func encode(to encoder: any Encoder) throws {
        try note.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Markdown.html(note.body), forKey: .html)
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(self, from: request, context: context)
        response.headers[.eTag] = note.entityTag
        return response
    }
}

/// The content of a note, as sent by a user.
struct NoteDraft: Decodable, Sendable {
    let title: String
    let body: String
    let tags: [String]

    init(title: String, body: String? = nil, tags: [String]? = nil) throws(APIError) {
        self.title = title.trimmingCharacters(in: .whitespacesAndNewlines)
        self.body = body ?? ""
        self.tags = Set((tags ?? []).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }).sorted()
        guard (1...200).contains(self.title.count) else { throw .invalidNote("A title has 1 to 200 characters.") }
        // SQLite would end a text there.
        guard !([self.title, self.body] + self.tags).contains(where: { $0.utf8.contains(0) }) else {
            throw .invalidNote("A text has no NUL character.")
        }
        guard self.tags.count <= 20 else { throw .invalidNote("A note has at most 20 tags.") }
        guard self.tags.allSatisfy({ (1...50).contains($0.count) }) else {
            throw .invalidNote("A tag has 1 to 50 characters.")
        }
    }

    private enum CodingKeys: CodingKey { case title, body, tags }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            title: values.decode(String.self, forKey: .title), body: values.decodeIfPresent(String.self, forKey: .body),
            tags: values.decodeIfPresent([String].self, forKey: .tags))
    }
}
