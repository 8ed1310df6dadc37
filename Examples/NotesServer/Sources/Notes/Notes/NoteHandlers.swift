import DependencyInjectionHummingbird
import Hummingbird

struct ListNotes: RequestHandler {
    let notes: any NoteStore
    let settings: Settings

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let query = try NoteQuery(request, settings)
        return try Response(.ok, page: await notes.find(query), query: query)
    }
}

struct ShowNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let known = try request.entityTags(.ifNoneMatch)
        let note = try await notes.note(context.noteID)
        var response = try Response(.ok, note: note)
        // A 304 has the same header fields as the response that it replaces, and no body.
        guard known?.include("\(note.version)") == true else { return response }
        response = response.createHeadResponse()
        response.status = .notModified
        return response
    }
}

struct CreateNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let note = try await notes.add(try await NoteDraft(request))
        var response = try Response(.created, note: note)
        response.headers[.location] = "/notes/\(note.id)"
        return response
    }
}

struct UpdateNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let id = try context.noteID
        guard let tags = try request.entityTags(.ifMatch) else { throw APIError.preconditionRequired }
        let draft = try await NoteDraft(request)
        return try Response(.ok, note: await notes.replace(id, with: draft) { tags.allowChange(of: "\($0)") })
    }
}

struct DeleteNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let id = try context.noteID
        let tags = try request.entityTags(.ifMatch)
        try await notes.remove(id) { tags?.allowChange(of: "\($0)") != false }
        return Response(status: .noContent)
    }
}
