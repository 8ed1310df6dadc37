public import DependencyInjection
public import Hummingbird
import Logging

/// A middleware that gives each request a container of its own, which is current in the rest of the chain.
///
/// ```swift
/// router.add(middleware: RequestContainer(app) { request, _ in Shared(Caller(request)) })
/// ```
/// The container is a child of the app's. Its `Logger` is the request's, so that each `Scoped` and `New` logs with the
/// request's ID. When the request has ended, the container is closed:
/// - If the chain throws, the error is the failure of the `onClose` handlers. Otherwise, they run before the response is
///   sent, and the client gets status 500 if one of them fails.
/// - The container of a streamed response stays open until its body is written. If writing fails, for example because
///   the client has disconnected, that error is the failure.
/// - A response whose status `rollsBack` matches is sent, but closes the container with a ``FailedStatus``.
///
/// Errors of the container are logged. If the app's container is closed, the client gets status 503. Add middleware that
/// maps errors to responses before this one.
public struct RequestContainer<Context: RequestContext>: RouterMiddleware {
    private let app: DIContainer
    private let rollsBack: @Sendable (HTTPResponse.Status) -> Bool
    private let isStreamed: @Sendable (Response) -> Bool
    private let registrations: @Sendable (Request, Context) -> [Registration]

    /// Creates a middleware for an app's container.
    /// - Parameters:
    ///   - rollsBack: Whether a response with this status is a failure. By default, none is.
    ///   - isStreamed: Whether the body is written by a closure that uses the container. By default, a body without a
    ///     known length is.
    ///   - registrations: The registrations of the request, such as the caller's identity.
    public init(
        _ app: DIContainer, rollsBack: @escaping @Sendable (HTTPResponse.Status) -> Bool = { _ in false },
        isStreamed: @escaping @Sendable (Response) -> Bool = { $0.body.contentLength == nil },
        @RegistrationBuilder _ registrations: @escaping @Sendable (Request, Context) -> [Registration]
    ) {
        self.app = app
        self.rollsBack = rollsBack
        self.isStreamed = isStreamed
        self.registrations = registrations
    }

    @concurrent public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let logger = context.logger
        // Making a child of a closed container would stop the program.
        do { _ = try app.resolve.orThrow(Never?.self) } catch { throw logger.reported(error) }
        let container = app.makeChild {
            Shared(logger)
            registrations(request, context)
        }
        let child = RequestChild(container: container, logger: logger)
        var response = try await child.run { try await next(request, context) }
        if isStreamed(response) {
            let body = response.body
            let streamed = StreamedChild(child: child)
            response.body = ResponseBody(contentLength: body.contentLength) { writer in
                // Safe, because `run` runs its operation in this task, which has the only reference.
                nonisolated(unsafe) let writer = writer
                try await streamed.child.run { try await body.write(writer) }
                try await streamed.child.close()
            }
        } else if rollsBack(response.status) {
            await child.close(afterFailure: FailedStatus(status: response.status))
        } else {
            try await child.close()
        }
        return response
    }
}

/// The failure of a request whose response has a status that rolls back.
public struct FailedStatus: Error {
    public let status: HTTPResponse.Status
}

/// The container of one request.
private struct RequestChild {
    let container: DIContainer
    let logger: Logger

    /// Runs a part of the request in the container, which is closed if that fails.
    nonisolated(nonsending) func run<Result>(_ operation: () async throws -> Result) async throws -> Result {
        do { return try await DIContainer.withContainer(container) { try await operation() } } catch {
            await close(afterFailure: error)
            throw logger.reported(error)
        }
    }

    /// Closes the container and logs a failure, which is an error of the request.
    func close() async throws {
        do { try await container.close() } catch {
            logger.error("A request was not completed.", metadata: ["error": "\(error)"])
            throw error
        }
    }

    /// Closes the container after an error of the request, which is more important than an error in closing.
    func close(afterFailure failure: any Error) async {
        do { try await container.close(dueTo: failure) } catch {
            logger.error("A failed request was not rolled back.", metadata: ["error": "\(error)"])
        }
    }
}

/// The container of a request whose body may never be written: a response to `HEAD` has none.
private struct StreamedChild: ~Copyable {
    let child: RequestChild

    // Closing a closed container has no effect.
    deinit {
        Task { [child] in await child.close(afterFailure: CancellationError()) }
    }
}

extension Logger {
    /// Logs an error of a container, and returns the error of the request.
    fileprivate func reported(_ failure: any Error) -> any Error {
        guard let failure = failure as? ResolutionError else { return failure }
        error("A request was not resolved.", metadata: ["error": "\(failure)"])
        if case .closed = failure.reason { return HTTPError(.serviceUnavailable) }
        return failure
    }
}
