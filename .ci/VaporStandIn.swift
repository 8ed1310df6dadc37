// As much of Vapor 5 as the snippets of the documentation use, with its signatures. See `steps/snippets`.

public final class Request: Sendable {
    public var headers: HTTPFields { HTTPFields() }
}

public final class Response: Sendable {}

public protocol Responder: Sendable {
    func respond(to request: Request) async throws -> Response
}

public protocol Middleware: Sendable {
    func respond(to request: Request, chainingTo next: any Responder) async throws -> Response
}

// Types of swift-http-types.

public struct HTTPField {
    public struct Name: Hashable, Sendable {
        public static let authorization = Name()
    }
}

public struct HTTPFields: Sendable {
    public subscript(name: HTTPField.Name) -> String? { nil }
}
