public import DependencyInjection
public import GRPCCore

/// An interceptor that gives each RPC a container of its own, which is current in the method and in its response.
///
/// ```swift
/// let interceptor = RequestContainer(app) { metadata, context in Shared(Caller(metadata)) }
/// try await withGRPCServer(transport: transport, services: services, interceptors: [interceptor]) { … }
/// ```
/// gRPC writes a response after the interceptor has returned, in the response's *producer*, where a streaming method
/// still works. The container is open until the producer ends. An error of the method, or of writing, is the failure of
/// the `onClose` handlers. If a handler fails, the RPC ends with that error as its status.
///
/// gRPC marks a canceled RPC in `context.cancellation`, but lets its task continue. A method that throws then is rolled
/// back, and a method that returns is committed.
public struct RequestContainer: ServerInterceptor {
    private let app: DIContainer
    private let registrations: @Sendable (Metadata, ServerContext) -> [Registration]

    /// Creates an interceptor.
    /// - Parameters:
    ///   - app: The container of the app, which is closed after the server has ended.
    ///   - registrations: The registrations of an RPC, such as the caller's identity.
    public init(
        _ app: DIContainer,
        @RegistrationBuilder _ registrations: @escaping @Sendable (Metadata, ServerContext) -> [Registration]
    ) {
        self.app = app
        self.registrations = registrations
    }

    @concurrent public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>, context: ServerContext,
        next:
            @concurrent @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
            -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        let container = app.makeChild { registrations(request.metadata, context) }
        do {
            var response = try await DIContainer.withContainer(container) { try await next(request, context) }
            var contents = try response.accepted.get()
            let produce = contents.producer
            contents.producer = { writer in try await container.run { _ in try await produce(writer) } }
            response.accepted = .success(contents)
            return response
        } catch {
            return try await container.run { _ in throw error }
        }
    }
}
