import Foundation
import HTTPTypes
public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
public import ServiceLifecycle

/// A middleware that reads a request within its limits, identifies its user, logs it, and maps errors to responses.
///
/// It is independent of the wiring.
public struct NotesService: RouterMiddleware {
    private let wiring: any Wiring

    /// Returns the server with one of the two wirings.
    public static func application(
        _ wiring: any Wiring, services: [any Service] = [],
        address: BindAddress = .hostname("127.0.0.1", port: 0), logger: Logger,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: NotesContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: NotesService(wiring: wiring))
        wiring.addRoutes(to: router)
        let limits = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionLimits { .seconds(Int64(((try? wiring.settings) ?? Settings()).requestSeconds)) }
            ])
        return Application(
            router: router, server: .http1(configuration: limits), configuration: .init(address: address),
            services: services, onServerRunning: onServerRunning, logger: logger)
    }

    @concurrent public func handle(
        _ request: Request, context: NotesContext, next: @concurrent (Request, NotesContext) async throws -> Response
    ) async throws -> Response {
        let began = ContinuousClock.now
        var context = context
        context.requestID = RequestID(request.headers[.requestID] ?? "")
        context.logger[metadataKey: "id"] = "\(context.requestID)"
        context.logger[metadataKey: "hb.request.id"] = nil
        var response: Response
        do {
            let request = try await received(request)
            if request.uri.path.split(separator: "/").first == "notes" {
                context.identity = try await wiring.accounts.identity(of: request)
            }
            response = try await next(request, context)
        } catch let error as HTTPParserError {
            // Hummingbird answers invalid HTTP, and closes the connection.
            throw error
        } catch {
            var sent = APIError(error)
            if sent == .internal { context.logger.error("A request failed.", metadata: ["error": "\(error)"]) }
            if sent == .notFound, let allowed = Self.allowedMethods(request) { sent = .methodNotAllowed(allowed) }
            response = try sent.response(to: request, context)
        }
        response.headers[.requestID] = "\(context.requestID)"
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
                "duration_ms": "\((.now - began).milliseconds)", "user": "\(context.identity?.name ?? "-")",
            ])
        return response
    }

    /// Reads the whole body. A body that is known to be too large is refused before it arrives.
    private func received(_ request: Request) async throws -> Request {
        let limit = try wiring.settings.maximumBodyBytes
        if let length = request.headers[.contentLength], Int(length) ?? .max > limit { throw APIError.tooLarge }
        var request = request
        _ = try await request.collectBody(upTo: limit)
        return request
    }

    /// Returns the methods of a path that doesn't have the request's one. The router doesn't distinguish this case.
    private static func allowedMethods(_ request: Request) -> String? {
        let methods: [HTTPRequest.Method]
        switch request.uri.path.split(separator: "/") {
        case [], ["health"]: methods = [.get, .head]
        case ["notes"]: methods = [.get, .head, .post]
        case let path where path.count == 2 && path[0] == "notes": methods = [.get, .head, .put, .delete]
        default: return nil
        }
        return methods.contains(request.method) ? nil : methods.map(\.rawValue).joined(separator: ", ")
    }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}

extension Duration {
    /// The milliseconds with two decimal places, for a log.
    var milliseconds: String { String(format: "%.2f", self / .milliseconds(1)) }
}
