import HTTPServer

/// An ID that identifies a request in the log.
public struct RequestID: Equatable, Sendable, CustomStringConvertible {
    /// The ID as text, which is safe in a header and in a log.
    public let description: String

    /// Creates an ID from the client's, if that is short and plain, or a new one.
    init(_ request: HTTPRequest) {
        let sent = request.headers["X-Request-ID"] ?? ""
        let isPlain = sent.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let isGood = isPlain && (1...64).contains(sent.utf8.count)
        description = isGood ? sent : String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
