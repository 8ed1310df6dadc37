/// A name of a registration, so that one type can be registered several times.
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
/// Names must match. A request without a name finds only a registration without a name. Names are equal if their texts
/// are equal as `String` compares them, so composed and decomposed letters are equal. Names are values and can be
/// created and compared on any thread.
public struct RegistrationName: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The hash of the text. It is the first property because names are compared property by property, in this order.
    let hash: UInt
    /// The text of the name.
    public let rawValue: String
}

extension RegistrationName {
    /// Creates a name from text that is known only at run time. Takes time proportional to the length of the text.
    public init(_ rawValue: String) {
        hash = UInt(bitPattern: rawValue.hashValue)
        self.rawValue = rawValue
    }

    /// Creates a name from a string literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text of the name.
    public var description: String { rawValue }
}
