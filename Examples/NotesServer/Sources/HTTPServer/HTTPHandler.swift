/// A handler that answers requests.
public protocol HTTPHandler: Sendable {
    /// The limits for a request that begins now.
    var limits: HTTPLimits { get }

    /// Answers a complete request.
    func answer(_ request: HTTPRequest) async -> HTTPResponse

    /// Answers a request that isn't read to its end, so its body is incomplete.
    func refuse(_ request: HTTPRequest, because reason: HTTPRefusal) -> HTTPResponse
}

/// The limits for the size of a request and for the time to send it.
public struct HTTPLimits: Sendable {
    /// The maximum size of a body in bytes.
    public var bodyBytes: Int
    /// The maximum time for a whole request, and the maximum pause between two requests.
    public var time: Duration

    /// Creates limits.
    public init(bodyBytes: Int, time: Duration) {
        self.bodyBytes = bodyBytes
        self.time = time
    }
}

/// The reason why a request isn't read to its end.
public enum HTTPRefusal: Sendable {
    /// The body is larger than ``HTTPLimits/bodyBytes``.
    case tooLarge
    /// The request took longer than ``HTTPLimits/time``.
    case tooSlow
}
