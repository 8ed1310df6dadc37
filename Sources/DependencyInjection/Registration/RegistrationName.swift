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
    /// The hash of the text. It is the first property, since names are compared in this order.
    let hash: UInt
    /// The text of the name.
    public let rawValue: String
}

extension RegistrationName {
    /// Makes a name from text that is known only at run time; takes time in proportion to its length.
    public init(_ rawValue: String) {
        hash = UInt(bitPattern: rawValue.hashValue)
        self.rawValue = rawValue
    }

    /// Makes a name from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text of the name.
    public var description: String { rawValue }
}
