/// The target of a request, divided into path and query.
///
/// Both are stored as they were sent, because an encoded separator doesn't separate.
public struct HTTPTarget: Sendable {
    /// The percent-encoded path.
    public let path: Substring
    private let rawQuery: Substring?

    /// Creates a target from a text, which is divided at its question mark.
    public init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts[0]
        rawQuery = parts.count > 1 ? parts[1] : nil
    }

    /// The decoded components of the path. Empty for `/`, and `nil` if a component isn't valid text.
    public var components: [String]? {
        guard path.first == "/" else { return nil }
        if path.utf8.count == 1 { return [] }
        var components: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let component = decodingPercent(part, plusIsSpace: false) else { return nil }
            components.append(component)
        }
        return components
    }

    /// The decoded names and values of the query in their order. `nil` if one of them isn't valid text.
    public var query: [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for part in (rawQuery ?? "").split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decodingPercent(sides[0], plusIsSpace: true),
                let value = decodingPercent(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            items.append((name, value))
        }
        return items
    }
}

/// Decodes `%41`. Returns `nil` for an incomplete escape, for non-ASCII characters and for invalid UTF-8.
private func decodingPercent(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst().flatMap(hexadecimalValue),
                let low = rest.popFirst().flatMap(hexadecimalValue)
            else { return nil }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        case 0x80...: return nil
        default: bytes.append(byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}
