public import DependencyInjection
public import Hummingbird

/// A type whose instances answer one request each, with dependencies that its initializer receives.
///
/// ```swift
/// New(autowiring: ListNotes.init)                             // in the container
/// router.get("notes", use: resolved(ListNotes.self))          // below a `RequestContainer`
/// ```
public protocol RequestHandler<Context>: SendableMetatype {
    associatedtype Context: RequestContext
    associatedtype Output: ResponseGenerator

    /// Answers a request.
    func respond(to request: Request, context: Context) async throws -> Output
}

/// Returns the closure for a route, which resolves a handler from the container of the request.
public func resolved<Handler: RequestHandler>(
    _ type: Handler.Type, name: RegistrationName? = nil
) -> @concurrent @Sendable (Request, Handler.Context) async throws -> Handler.Output {
    { request, context in
        try await DIContainer.resolve.orThrow(Handler.self, name: name).respond(to: request, context: context)
    }
}
