/// The name of a type as code writes it, with `any` before a protocol.
struct TypeName: Sendable, CustomStringConvertible {
    let description: String
    private let isProtocol: Bool

    init(_ type: any Any.Type) {
        let name = "\(type)"
        // Only the metatype of a protocol type tells that it is one.
        isProtocol = "\(Swift.type(of: type))".hasSuffix(".Protocol") && type != Any.self && type != AnyObject.self
        description = isProtocol ? "any \(name)" : name
    }

    /// The type as an argument, such as `(any Router).self`.
    var metatype: String { isProtocol ? "(\(description)).self" : "\(description).self" }
}
