/// The versions in `If-Match` or `If-None-Match`.
public enum EntityTags: Equatable, Sendable {
    /// Any version, written as `*`.
    case any
    /// The listed tags.
    case listed([EntityTag])

    /// Creates the tags from the value of a field. Returns `nil` if the value is invalid.
    public init?(_ value: String) {
        if value == "*" {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var rest = value[...].drop(while: \.isBlank)
        while !rest.isEmpty {
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == "\"", let end = rest.firstIndex(of: "\"") else { return nil }
            tags.append(EntityTag(text: String(rest[..<end]), isWeak: isWeak))
            rest = rest[rest.index(after: end)...].drop(while: \.isBlank)
            guard !rest.isEmpty else { break }
            guard rest.popFirst() == "," else { return nil }
            rest = rest.drop(while: \.isBlank)
        }
        guard !tags.isEmpty else { return nil }
        self = .listed(tags)
    }

    /// Returns whether `If-Match` allows a version to be changed. A weak tag never allows it.
    public func allowChange(of tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0.text == tag && !$0.isWeak }
        }
    }

    /// Returns whether `If-None-Match` includes a version, so that the client already has it.
    public func include(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0.text == tag }
        }
    }
}

/// The tag of one version of a resource.
public struct EntityTag: Equatable, Sendable {
    /// The text between the quotes.
    public let text: String
    /// Whether the tag is weak, which means that the version is only equivalent.
    public let isWeak: Bool
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
