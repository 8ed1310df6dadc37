// Relations of types, found without an instance.

/// Returns whether the type is a protocol type.
package func isExistential(_ type: any Any.Type) -> Bool {
    // The name of a protocol type with arguments starts with `any`.
    "\(Swift.type(of: type))".hasSuffix(".Protocol") || "\(type)".hasPrefix("any ")
}

/// Returns whether a type equals another type, is its subclass, or conforms to it. `nil` if that is unknown.
package func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    func metatype<T>(of type: T.Type) -> any Any.Type { T.Type.self }
    func isInstance<Metatype>(of _: Metatype.Type) -> Bool { type is Metatype }
    // The type of all metatypes that conform to a protocol can only be looked up by name, which private protocols don't
    // have.
    let kind =
        isExistential(other)
        ? _mangledTypeName(other).flatMap { _typeByName($0 + "Xp") } : _openExistential(other, do: metatype)
    return kind.map { _openExistential($0, do: isInstance) }
}
