// What types alone tell about their instances.

import DependencyInjection

/// Whether it is a function that makes a type of the program from types of the program.
func isInitializer(_ type: any Any.Type) -> Bool {
    let name = String(reflecting: type).replacing("nonisolated(nonsending) ", with: "")
    guard name.hasPrefix("(") || name.hasPrefix("@"), name.contains(" -> "), let begin = name.firstIndex(of: "(")
    else { return false }
    let parameters = name[begin...].dropFirst()
    // Closures that are meant to be registered mostly take or return values of the standard library, or nothing.
    let isOwn = !parameters.hasPrefix("Swift.") || parameters.hasPrefix("Swift.Optional<")
    return isOwn && !parameters.hasPrefix(")") && !name.contains("-> Swift.") && !name.hasSuffix(")")
}

/// Whether arguments of some types may be those that a factory takes.
func fits(_ supplied: [any Any.Type], _ expected: [any Any.Type]) -> Bool {
    // A value becomes an Optional where it is handed over.
    supplied.count == expected.count
        && zip(supplied, expected).allSatisfy { Derivation(of: $1)?.kind == .optional || conforms($0, to: $1) != false }
}

/// Whether instances of one type are also of another; nil if only an instance can tell.
func conforms(_ type: any Any.Type, to other: any Any.Type) -> Bool? {
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
func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
    guard let name = _mangledTypeName(other), let metatype = _typeByName(name + (isExistential(other) ? "Xp" : "m"))
    else { return nil }
    func contains<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
    return _openExistential(metatype, do: contains)
}
