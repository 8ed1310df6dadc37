import DependencyInjectionHummingbird
import Hummingbird

struct ListNotes: RequestHandler {
    let notes: any NoteStore
    let settings: Settings

    func respond(to request: Request, context: NotesContext) async throws -> NotePage {
        try await notes.find(NoteQuery(request, context, settings))
    }
}

struct ShowNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        let known = try EntityTags(request, .ifNoneMatch)
        let note = try await notes.note(context.noteID)
        if known?.include("\(note.version)") == true {
            return Response(status: .notModified, headers: [.eTag: note.entityTag])
        }
        return try NoteView(note: note).response(from: request, context: context)
    }
}

struct CreateNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> EditedResponse<NoteView> {
        let note = try await notes.add(request.draft(context))
        return EditedResponse(
            status: .created, headers: [.location: "/notes/\(note.id)"], response: NoteView(note: note))
    }
}

struct UpdateNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> NoteView {
        let id = try context.noteID
        guard let versions = try EntityTags(request, .ifMatch) else { throw APIError.noVersion }
        let draft = try await request.draft(context)
        return NoteView(note: try await notes.replace(id, with: draft, if: versions))
    }
}

struct DeleteNote: RequestHandler {
    let notes: any NoteStore

    func respond(to request: Request, context: NotesContext) async throws -> HTTPResponse.Status {
        try await notes.remove(context.noteID, if: EntityTags(request, .ifMatch))
        return .noContent
    }
}

extension Request {
    /// Decodes the body, which must be JSON.
    fileprivate func draft(_ context: NotesContext) async throws -> NoteDraft {
        guard MediaType(from: headers[.contentType] ?? "")?.isType(.applicationJson) == true else {
            throw APIError.noJSON
        }
        return try await decode(as: NoteDraft.self, context: context)
    }
}
