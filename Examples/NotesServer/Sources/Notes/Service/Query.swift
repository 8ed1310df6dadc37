import Foundation

/// The decoded names and values of a query in their order.
struct Query {
    let items: [(name: String, value: String)]

    /// Decodes a query. Returns `nil` if one of the texts isn't correctly encoded.
    init?(_ text: String?) {
        var items: [(name: String, value: String)] = []
        for part in (text ?? "").split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : "")
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    /// Decodes a text in which browsers write a space as `+`.
    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return text.replacing("+", with: "%20").removingPercentEncoding
    }
}
