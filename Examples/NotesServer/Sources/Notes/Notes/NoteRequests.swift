import HTTPTypes
import Hummingbird

extension NoteQuery {
    /// Creates a query from a request. Each name must be known and occur once.
    init(_ request: Request, _ settings: Settings) throws(APIError) {
        guard let query = Query(request.uri.query) else { throw .invalidRequest("The query is not correctly encoded.") }
        self.init(size: settings.pageSize)
        var seen: Set<String> = []
        for (name, value) in query.items {
            guard seen.insert(name).inserted else { throw .invalidRequest("\(name) stands in the query twice.") }
            switch name {
            case "search": search = value
            case "tag": tag = value
            case "page": page = try Self.number(value, name, 1...Int.max)
            case "size": size = try Self.number(value, name, 1...settings.maximumPageSize)
            default: throw .invalidRequest("The query may have search, tag, page and size, but has \(name).")
            }
        }
    }

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
        guard let number = Int(text), range.contains(number), text.utf8.first != UInt8(ascii: "+") else {
            throw .invalidRequest("\(name) is no number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

extension NoteDraft {
    /// Creates a draft from the body of a request.
    init(_ request: Request) async throws {
        struct Body: Decodable {
            let title: String
            let body: String?
            let tags: [String]?
        }
        let body = try await request.decode(Body.self)
        try self.init(title: body.title, body: body.body ?? "", tags: body.tags ?? [])
    }
}

extension Request {
    /// Returns the versions that a header field lists, or `nil` without that field.
    func entityTags(_ name: HTTPField.Name) throws(APIError) -> EntityTags? {
        guard let value = headers[name] else { return nil }
        guard let tags = EntityTags(value) else { throw .invalidRequest("\(name.canonicalName) lists no ETags.") }
        return tags
    }
}
