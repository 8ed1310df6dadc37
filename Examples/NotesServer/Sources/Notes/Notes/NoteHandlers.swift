package import HTTPServer

package struct ListNotes: Handler {
    let request: HTTPRequest
    let notes: any NoteStore
    let configuration: Configuration

    package init(request: HTTPRequest, notes: any NoteStore, configuration: Configuration) {
        self.request = request
        self.notes = notes
        self.configuration = configuration
    }

    package func answer() async throws -> HTTPResponse {
        let query = try NoteQuery(request.target, configuration)
        return try HTTPResponse(200, page: await notes.find(query), query: query)
    }
}

package struct ShowNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    package init(request: HTTPRequest, id: Int64, notes: any NoteStore) {
        self.request = request
        self.id = id
        self.notes = notes
    }

    package func answer() async throws -> HTTPResponse {
        let known = try request.entityTags("If-None-Match")
        let note = try await notes.note(id)
        // A 304 has the same header fields as the response that it replaces. libmicrohttpd omits the body.
        return try HTTPResponse(known?.include("\(note.version)") == true ? 304 : 200, note: note)
    }
}

package struct CreateNote: Handler {
    let request: HTTPRequest
    let notes: any NoteStore

    package init(request: HTTPRequest, notes: any NoteStore) {
        self.request = request
        self.notes = notes
    }

    package func answer() async throws -> HTTPResponse {
        let note = try await notes.add(try NoteDraft(request))
        var response = try HTTPResponse(201, note: note)
        response.headers["Location"] = "/notes/\(note.id)"
        return response
    }
}

package struct UpdateNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    package init(request: HTTPRequest, id: Int64, notes: any NoteStore) {
        self.request = request
        self.id = id
        self.notes = notes
    }

    package func answer() async throws -> HTTPResponse {
        guard let tags = try request.entityTags("If-Match") else { throw APIError.preconditionRequired }
        let draft = try NoteDraft(request)
        return try HTTPResponse(200, note: await notes.replace(id, with: draft) { tags.allowChange(of: "\($0)") })
    }
}

package struct DeleteNote: Handler {
    let request: HTTPRequest
    let id: Int64
    let notes: any NoteStore

    package init(request: HTTPRequest, id: Int64, notes: any NoteStore) {
        self.request = request
        self.id = id
        self.notes = notes
    }

    package func answer() async throws -> HTTPResponse {
        let tags = try request.entityTags("If-Match") ?? .any
        try await notes.remove(id) { tags.allowChange(of: "\($0)") }
        return HTTPResponse(204)
    }
}
