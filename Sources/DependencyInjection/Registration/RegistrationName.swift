/// Names a registration, so that one type can be registered several times.
///
/// A name is written as a string literal or, better, once as a static member:
///
/// ```swift
/// extension RegistrationName {
///     static let staging: RegistrationName = "staging"
/// }
/// let api = DIContainer.resolve(API.self, name: .staging)
/// ```
///
/// A request without a name is never answered by a named registration, nor the reverse. Names are values and may be
/// made and compared on any thread.
public struct RegistrationName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the name.
    public let rawValue: String
    @usableFromInline let bits: UInt

    /// Makes a name from text that is known only at run time; takes time in proportion to its length.
    @inlinable
    public init(_ rawValue: String) {
        self.rawValue = rawValue
        bits = Self.bits(of: rawValue)
    }

    /// Makes a name from a literal.
    @inlinable
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text of the name.
    public var description: String { rawValue }

    /// Compares by text.
    public static func == (first: Self, second: Self) -> Bool {
        first.bits == second.bits && first.rawValue == second.rawValue
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }

    /// Mixes the text into one word, eight bytes at a time. It need not resist an adversary: names come from the program, and
    /// a table compares texts after bits.
    @usableFromInline
    static func bits(of text: String) -> UInt {
        var text = text
        return text.withUTF8 { bytes in
            var bits = UInt64(truncatingIfNeeded: bytes.count)
            var index = 0
            while index < bytes.count {
                var word: UInt64 = 0
                for byte in bytes[index..<min(index + 8, bytes.count)] { word = word << 8 | UInt64(byte) }
                bits = (bits ^ word) &* 0x9e37_79b9_7f4a_7c15
                bits ^= bits >> 32
                index += 8
            }
            return UInt(truncatingIfNeeded: bits)
        }
    }
}
