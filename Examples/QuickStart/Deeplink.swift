import Foundation

/// A place in the app, as named by the text of a link.
enum Deeplink {
    case note(id: Int)
    case search(query: String)
    case settings

    static let usage = """
        Usage: QuickStart [<link> ...]

        Opens each link and prints its destination. Without links, reads them from standard input, one per line.

          notes/<number>     shows a note
          search?q=<words>   lists the notes that contain all the words, which may be percent-encoded
          settings           shows the settings in effect

        With --graph mermaid, --graph dot or --graph text, prints the dependency graph of the app instead.

        The exit status is 1 if a link could not be opened.
        """

    /// Parses a link. Unknown parameters are ignored, as on a website.
    init(_ link: String) throws(DeeplinkError) {
        let parts = link.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        // Decoded after splitting, so that an encoded separator remains part of the text.
        for component in parts[0].split(separator: "/", omittingEmptySubsequences: false) {
            path.append(try Self.decode(component))
        }
        switch (path.first, path.count) {
        case ("notes", 2):
            guard let id = Int(path[1]) else { throw .invalidNoteNumber(path[1]) }
            self = .note(id: id)
        case ("search", 1):
            let query = try Self.value(of: "q", in: parts.dropFirst().first ?? "").trimmed
            guard !query.isEmpty else { throw .emptyQuery }
            self = .search(query: query)
        case ("settings", 1):
            self = .settings
        default:
            throw .unknown
        }
    }

    private static func value(of name: String, in query: Substring) throws(DeeplinkError) -> String {
        for parameter in query.split(separator: "&") {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, try decode(parts[0]) == name { return try decode(parts[1]) }
        }
        return ""
    }

    private static func decode(_ text: Substring) throws(DeeplinkError) -> String {
        guard let decoded = text.removingPercentEncoding else { throw .malformedEncoding(String(text)) }
        return decoded
    }
}

enum DeeplinkError: Error, CustomStringConvertible {
    case unknown
    case invalidNoteNumber(String)
    case emptyQuery
    case malformedEncoding(String)

    var description: String {
        switch self {
        case .unknown: "unknown link, use notes/<number>, search?q=<words> or settings"
        case .invalidNoteNumber(let text): "\"\(text)\" is not the number of a note"
        case .emptyQuery: "empty search, use search?q=<words>"
        case .malformedEncoding(let text): "\"\(text)\" is not valid percent-encoding"
        }
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
