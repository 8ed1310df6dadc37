// Relations between types that are known without an instance.

import DependencyInjection

/// Returns whether arguments of the supplied types may match the expected types of a factory.
package func fits(_ supplied: [any Any.Type], expected: [any Any.Type]) -> Bool {
    // A value is promoted to an Optional when it is passed.
    supplied.count == expected.count
        && zip(supplied, expected).allSatisfy { conforms($0, to: wrapped(in: $1) ?? $1) != false }
}

/// Returns the wrapped type of an Optional, or `nil` for any other type.
private func wrapped(in type: any Any.Type) -> (any Any.Type)? {
    Derivation(of: type).flatMap { $0.kind == .optional ? $0.type : nil }
}

/// Returns whether instances of one type are also instances of another. `nil` if that depends on the instance.
func conforms(_ type: any Any.Type, to other: any Any.Type) -> Bool? {
    if other == AnyObject.self { return true }
    // `as?` converts the elements of collections, Optionals, tuples and metatypes, wraps hashable values, and bridges
    // to Foundation.
    let names = [type, other].map { String(reflecting: $0) }
    let isSpecial = names.contains {
        $0.hasPrefix("Swift.") && $0.contains("<") || $0.hasPrefix("(") || $0.hasSuffix(".Type")
            || $0 == "Swift.AnyHashable" || $0.hasPrefix("Foundation.NS") || !$0.contains(".")
    }
    guard !isSpecial, !isExistential(type), let result = isKind(type, of: other) else { return nil }
    // The instance may belong to a subclass.
    return !result && isKind(other, of: type) == true ? nil : result
}
