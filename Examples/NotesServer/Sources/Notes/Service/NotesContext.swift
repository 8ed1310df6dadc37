public import Hummingbird

/// The context of a request, which the service completes.
public struct NotesContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The ID of the request.
    var requestID = RequestID()
    /// The user who sent the request, if its path requires one.
    var identity: Identity?

    public init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    /// The service limits bodies by the settings.
    public var maxUploadSize: Int { .max }

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

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)

    /// Creates the client's ID, if it is short and plain, or a new one.
    init(_ sent: String = "") {
        let isGood = (1...64).contains(sent.utf8.count) && sent.utf8.allSatisfy(Self.plain.contains)
        description = isGood ? sent : String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
