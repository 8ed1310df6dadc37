// What types alone tell about their instances.

import DependencyInjection

/// Whether arguments of some types may be those that a factory takes.
package func fits(_ supplied: [any Any.Type], _ expected: [any Any.Type]) -> Bool {
    // A value becomes an Optional where it is handed over.
    supplied.count == expected.count
        && zip(supplied, expected).allSatisfy { conforms($0, to: wrapped(in: $1) ?? $1) != false }
}

/// What an Optional wraps; nil for any other type.
private func wrapped(in type: any Any.Type) -> (any Any.Type)? {
    Derivation(of: type).flatMap { $0.kind == .optional ? $0.type : nil }
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
    return !result && isKind(other, of: type) == true ? nil : result
}
