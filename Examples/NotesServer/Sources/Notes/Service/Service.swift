public import HTTPServer

/// A handler that determines the route and the user of a request, lets the wiring answer it, and logs it.
///
/// It is independent of the wiring.
public struct Service: HTTPHandler {
    private let wiring: any Wiring
    private let log: any Log

    /// Creates a service with one of the two wirings.
    public init(_ wiring: any Wiring, log: any Log) {
        self.wiring = wiring
        self.log = log
    }

    public var limits: HTTPLimits {
        let configuration = wiring.configuration
        return HTTPLimits(bodyBytes: configuration.maximumBodyBytes, time: .seconds(configuration.requestSeconds))
    }

    public func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let id = RequestID(request)
        var identity: Identity?
        do {
            if Route.needsIdentity(request.target) { identity = try await wiring.accounts.identity(of: request) }
            let route = try Route(request.method, request.target)
            let response = try await wiring.answer(route, request, id, identity)
            return finish(request, response, id, identity)
        } catch {
            let sent = APIError(error)
            if sent == .internal { log.write("error", ["id": "\(id)", "reason": "\(error)"]) }
            return finish(request, HTTPResponse(sent, id: id), id, identity)
        }
    }

    public func refuse(_ request: HTTPRequest, because reason: HTTPRefusal) -> HTTPResponse {
        let id = RequestID(request)
        let error: APIError =
            switch reason {
            case .tooLarge: .tooLarge
            case .tooSlow: .timeout
            }
        return finish(request, HTTPResponse(error, id: id), id, nil)
    }

    /// Adds the header fields common to all responses, and logs the request.
    private func finish(
        _ request: HTTPRequest, _ response: HTTPResponse, _ id: RequestID, _ identity: Identity?
    ) -> HTTPResponse {
        var response = response
        response.headers["X-Request-ID"] = "\(id)"
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        log.write(
            "request",
            [
                "id": "\(id)", "method": request.method, "path": String(request.target.path),
                "status": "\(response.status)", "duration_ms": (.now - request.began).milliseconds,
                "user": identity?.name ?? "-",
            ])
        return response
    }
}
