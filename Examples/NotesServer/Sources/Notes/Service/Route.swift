import HTTPServer

/// The resource that a request refers to.
public enum Route: Equatable, Sendable {
    case page
    case health
    case listNotes
    case createNote
    case showNote(Int64)
    case updateNote(Int64)
    case deleteNote(Int64)

    /// Returns whether a path requires a user.
    static func needsIdentity(_ target: HTTPTarget) -> Bool { target.components?.first == "notes" }

    /// Creates the route for a method and a path.
    init(_ method: String, _ target: HTTPTarget) throws(APIError) {
        let routes: KeyValuePairs<String, Route>
        switch target.components {
        case []: routes = ["GET": .page]
        case ["health"]: routes = ["GET": .health]
        case ["notes"]: routes = ["GET": .listNotes, "POST": .createNote]
        case let path? where path.count == 2 && path[0] == "notes":
            guard let id = Int64(path[1]), id > 0, String(id) == path[1] else { throw .notFound }
            routes = ["GET": .showNote(id), "PUT": .updateNote(id), "DELETE": .deleteNote(id)]
        default: throw .notFound
        }
        // Each route for GET also answers HEAD, for which libmicrohttpd omits the body.
        let asked = method == "HEAD" ? "GET" : method
        guard let route = routes.first(where: { $0.key == asked })?.value else {
            throw .methodNotAllowed("HEAD, " + routes.map(\.key).joined(separator: ", "))
        }
        self = route
    }
}
