public import Hummingbird

/// The context of a request, which the service completes.
public struct NotesContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The ID of the request.
    var requestID = RequestID()
    /// The user who sent the request, if its path requires one.
    var identity: Identity?

    public init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    /// The ID of the note in the path.
    var noteID: Int64 {
        get throws(APIError) {
            let text = parameters.get("id") ?? ""
            // Only one text is the path of a note.
            guard let id = Int64(text), id > 0, String(id) == text else { throw .notFound }
            return id
        }
    }
}

/// An ID that identifies a request in the log.
public struct RequestID: Equatable, Sendable, CustomStringConvertible {
    /// The ID as text, which is safe in a header and in a log.
    public let description: String

    /// Creates the client's ID, if it is short and plain, or a new one.
    init(_ sent: String = "") {
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
