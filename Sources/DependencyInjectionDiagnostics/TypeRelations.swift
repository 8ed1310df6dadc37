// What types alone tell about their instances.

import DependencyInjection

/// Whether arguments of some types may be those that a factory takes.
func fits(_ supplied: [any Any.Type], _ expected: [any Any.Type]) -> Bool {
    // A value becomes an Optional where it is handed over.
    supplied.count == expected.count
        && zip(supplied, expected).allSatisfy { Derivation(of: $1)?.kind == .optional || conforms($0, to: $1) != false }
}
