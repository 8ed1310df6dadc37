// Relations of types, found without an instance.

/// Whether it is a number, a Boolean or a string of the standard library.
func isMadeByLiterals(_ type: any Any.Type) -> Bool {
    String(reflecting: type).hasPrefix("Swift.") && type is any LosslessStringConvertible.Type
}

/// Whether it is the type of a protocol.
package func isExistential(_ type: any Any.Type) -> Bool {
    // Of a protocol with an argument, the type itself begins so.
    "\(Swift.type(of: type))".hasSuffix(".Protocol") || "\(type)".hasPrefix("any ")
}

/// Whether a type equals another, is its subclass, or conforms to it, or nil if that is unknown.
package func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    func metatype<T>(of type: T.Type) -> any Any.Type { T.Type.self }
    func isInstance<Metatype>(of _: Metatype.Type) -> Bool { type is Metatype }
    // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
    let kind =
        isExistential(other)
        ? _mangledTypeName(other).flatMap { _typeByName($0 + "Xp") } : _openExistential(other, do: metatype)
    return kind.map { _openExistential($0, do: isInstance) }
}
