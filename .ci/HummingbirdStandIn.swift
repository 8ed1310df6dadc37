// As much of Hummingbird 2 as the snippets of the documentation use, with its signatures. See `steps/snippets`.

public struct Request: Sendable {
    public var headers: HTTPFields { HTTPFields() }
}

public struct Response: Sendable {}

public protocol RequestContext: Sendable {}

public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
    associatedtype Input
    associatedtype Output
    associatedtype Context

    func handle(
        _ input: Input, context: Context, next: (Input, Context) async throws -> Output
    ) async throws -> Output
}

public protocol RouterMiddleware<Context>: MiddlewareProtocol where Input == Request, Output == Response {}

// Types of swift-http-types.

public struct HTTPField {
    public struct Name: Hashable, Sendable {
        public static let authorization = Name()
    }
}

public struct HTTPFields: Sendable {
    public subscript(name: HTTPField.Name) -> String? { nil }
}
