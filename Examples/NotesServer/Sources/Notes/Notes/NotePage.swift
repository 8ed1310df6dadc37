import Hummingbird

/// A request for one page of a user's notes.
struct NoteQuery: Sendable {
    var search: String?
    var tag: String?
    var page = 1
    var size: Int
}

extension NoteQuery {
    /// Creates a query from a request, whose numbers must be in their ranges.
    init(_ request: Request, _ context: NotesContext, _ settings: Settings) throws {
        struct Query: Decodable {
            let search, tag: String?
            let page, size: Int?
        }
        let query = try request.uri.decodeQuery(as: Query.self, context: context)
        self.init(search: query.search, tag: query.tag, page: query.page ?? 1, size: query.size ?? settings.pageSize)
        guard page > 0, (1...settings.maximumPageSize).contains(size) else {
            throw APIError.invalidRequest("A page is at least 1, and a size from 1 to \(settings.maximumPageSize).")
        }
    }
}

/// One page of the requested notes.
struct NotePage: ResponseEncodable, Sendable {
    let notes: [NoteView]
    let page: Int
    let size: Int
    /// The number of notes on all pages.
    let total: Int
}
