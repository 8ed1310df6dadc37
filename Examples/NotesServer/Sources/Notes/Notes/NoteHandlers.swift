import HTTPServer

struct ListNotes: Handler {
    let request: HTTPRequest
    let notes: any NoteStore
    let configuration: Configuration

    func answer() async throws -> HTTPResponse {
        let query = try NoteQuery(request.target, configuration)
        return try HTTPResponse(200, page: await notes.find(query), query: query)
    }
}

struct ShowNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    func answer() async throws -> HTTPResponse {
        let known = try request.entityTags("If-None-Match")
        let note = try await notes.note(id)
        // A 304 has the same header fields as the response that it replaces. libmicrohttpd omits the body.
        return try HTTPResponse(known?.include("\(note.version)") == true ? 304 : 200, note: note)
    }
}

struct CreateNote: Handler {
    let request: HTTPRequest
    let notes: any NoteStore

    func answer() async throws -> HTTPResponse {
        let note = try await notes.add(try NoteDraft(request))
        var response = try HTTPResponse(201, note: note)
        response.headers["Location"] = "/notes/\(note.id)"
        return response
    }
}

struct UpdateNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    func answer() async throws -> HTTPResponse {
        guard let tags = try request.entityTags("If-Match") else { throw APIError.preconditionRequired }
        let draft = try NoteDraft(request)
        return try HTTPResponse(200, note: await notes.replace(id, with: draft) { tags.allowChange(of: "\($0)") })
    }
}

struct DeleteNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    func answer() async throws -> HTTPResponse {
        let tags = try request.entityTags("If-Match") ?? .any
        try await notes.remove(id) { tags.allowChange(of: "\($0)") }
        return HTTPResponse(204)
    }
}
