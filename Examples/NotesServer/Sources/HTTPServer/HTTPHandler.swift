/// Answers requests.
public protocol HTTPHandler: Sendable {
    /// The limits that apply to a request that begins now.
    var limits: HTTPLimits { get }

    /// Answers a request that has arrived as a whole.
    func answer(_ request: HTTPRequest) async -> HTTPResponse

    /// Answers a request of which no more is read; its body is not complete.
    func refuse(_ request: HTTPRequest, because reason: HTTPRefusal) -> HTTPResponse
}

/// Says how much a client may send, and how long it may take.
public struct HTTPLimits: Sendable {
    /// The largest body.
    public var bodyBytes: Int
    /// The time for a whole request, and the longest pause between two.
    public var time: Duration

    /// Makes limits.
    public init(bodyBytes: Int, time: Duration) {
        self.bodyBytes = bodyBytes
        self.time = time
    }
}

/// Says why a request is not read to its end.
public enum HTTPRefusal: Sendable {
    /// The body is larger than ``HTTPLimits/bodyBytes``.
    case tooLarge
    /// The request took longer than ``HTTPLimits/time``.
    case tooSlow
}
