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
/// Names must match: a request without a name finds only a registration without one. Names are equal if their texts are, as
/// `String` compares them: composed and decomposed letters make no difference. Names are values and may be made and compared
/// on any thread.
public struct RegistrationName: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    // This property is the first, since names are compared in this order.
    @usableFromInline let bits: UInt
    /// The text of the name.
    public let rawValue: String

    /// Makes a name from text that is known only at run time; takes time in proportion to its length.
    @inlinable public init(_ rawValue: String) {
        self.rawValue = rawValue
        bits = Self.bits(of: rawValue)
    }

    /// Makes a name from a literal.
    @inlinable public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text of the name.
    public var description: String { rawValue }

    /// Mixes the text into one word. It need not resist an adversary: names come from the program, and a table compares texts
    /// after bits.
    @usableFromInline static func bits(of text: String) -> UInt {
        var text = text
        let bits: UInt? = text.withUTF8 { bytes in
            var bits: UInt = 0
            var all: UInt8 = 0
            for byte in bytes {
                bits = (bits ^ UInt(byte)) &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)
                all |= byte
            }
            return all < 0x80 ? bits : nil
        }
        if let bits { return bits }
        // Texts beyond ASCII may be equal although their bytes differ; the standard library's hash knows that. Three
        // scalars are equal to ASCII: the sign of the kelvin, the Greek question mark, and an accent.
        let asciiTwins: [Unicode.Scalar: Unicode.Scalar] = ["\u{212a}": "K", "\u{37e}": ";", "\u{1fef}": "`"]
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: text.unicodeScalars.lazy.map { asciiTwins[$0] ?? $0 })
        return plain.allSatisfy(\.isASCII) ? Self.bits(of: String(plain)) : UInt(bitPattern: text.hashValue)
    }
}
