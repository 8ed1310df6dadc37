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
