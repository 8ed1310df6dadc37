import HTTPTypes
import Hummingbird

/// The versions in `If-Match` or `If-None-Match`.
struct EntityTags {
    private let isAny: Bool
    private let strong: Set<Substring>
    /// Weak tags identify versions that are only equivalent.
    private let weak: Set<Substring>

    /// Creates the tags from the value of a field. Returns `nil` if the value is invalid.
    init?(_ value: String) {
        isAny = value == "*"
        let isList = value.wholeMatch(of: #/\s*(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*\s*/#) != nil
        guard isAny || isList else { return nil }
        let tags = value.matches(of: #/(W/)?"([^"]*)"/#).map(\.output)
        strong = Set(tags.filter { $0.1 == nil }.map(\.2))
        weak = Set(tags.filter { $0.1 != nil }.map(\.2))
    }

    /// Creates the tags in a field of a request. Returns `nil` without that field.
    init?(_ request: Request, _ name: HTTPField.Name) throws(APIError) {
        guard let value = request.headers[name] else { return nil }
        guard let tags = Self(value) else { throw .invalidRequest("\(name.canonicalName) lists no ETags.") }
        self = tags
    }

    /// Returns whether `If-Match` allows a version to be changed. A weak tag never allows it.
    func allowChange(of tag: String) -> Bool { isAny || strong.contains(tag[...]) }

    /// Returns whether `If-None-Match` includes a version, so that the client already has it.
    func include(_ tag: String) -> Bool { allowChange(of: tag) || weak.contains(tag[...]) }
}
