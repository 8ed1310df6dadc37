// What types alone tell about their instances.

/// Whether it is the type of a protocol, and not of one of its implementations.
package func isExistential(_ type: any Any.Type) -> Bool {
    // Of a protocol with an argument, the type itself begins so.
    "\(Swift.type(of: type))".hasSuffix(".Protocol") || "\(type)".hasPrefix("any ")
}

/// Whether a type is another or one of its subclasses, or conforms to it; nil if that cannot be found out.
package func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
    guard let name = _mangledTypeName(other), let metatype = _typeByName(name + (isExistential(other) ? "Xp" : "m"))
    else { return nil }
    func contains<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
    return _openExistential(metatype, do: contains)
}
