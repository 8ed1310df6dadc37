// What types alone tell about their instances.

/// Whether it is the type of a protocol, and not of one of its implementations.
package func isExistential(_ type: any Any.Type) -> Bool {
    // Of a protocol with an argument, the type itself begins so.
    "\(Swift.type(of: type))".hasSuffix(".Protocol") || "\(type)".hasPrefix("any ")
}

/// Whether instances of one type are also of another; nil if only an instance can tell.
package func conforms(_ type: any Any.Type, to other: any Any.Type) -> Bool? {
    if other == AnyObject.self { return true }
    // `as?` looks into collections, Optionals, tuples and metatypes, wraps what is hashable, and bridges to Foundation.
    let names = [type, other].map { String(reflecting: $0) }
    let isSpecial = names.contains {
        $0.hasPrefix("Swift.") && $0.contains("<") || $0.hasPrefix("(") || $0.hasSuffix(".Type")
            || $0 == "Swift.AnyHashable" || $0.hasPrefix("Foundation.NS") || !$0.contains(".")
    }
    guard !isSpecial, !isExistential(type), let result = isKind(type, of: other) else { return nil }
    // An instance of a class may be of a subclass.
    return !result && !isExistential(other) && isKind(other, of: type) == true ? nil : result
}

/// Whether a type is another or one of its subclasses, or conforms to it; nil if that cannot be found out.
private func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
    guard let name = _mangledTypeName(other), let metatype = _typeByName(name + (isExistential(other) ? "Xp" : "m"))
    else { return nil }
    func contains<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
    return _openExistential(metatype, do: contains)
}
