/// Lists the versions in `If-Match` or `If-None-Match`.
public enum EntityTags: Equatable, Sendable {
    /// Stands for `*`, any version.
    case any
    /// Holds the tags that are listed, with their quotes.
    case listed([EntityTag])

    /// Reads the value of a field, and returns nil if it is not one.
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

    /// Tells whether a version may be changed, as `If-Match` asks: a weak tag never allows it.
    public func allowChange(of tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0.text == tag && !$0.isWeak }
        }
    }

    /// Tells whether a client has a version already, as `If-None-Match` asks.
    public func include(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0.text == tag }
        }
    }
}

/// Names one version of what a path leads to.
public struct EntityTag: Equatable, Sendable {
    /// What stands between the quotes.
    public let text: String
    /// Says that the version is only as good as the same.
    public let isWeak: Bool
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
