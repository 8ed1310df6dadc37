/// Qualifies a type's name with its module if another type in the same message has the same short name.
package struct TypeNameFormatter: Sendable {
    /// The type for each short name, or `nil` if several types have that name.
    private let types: [String: ObjectIdentifier?]

    package init(disambiguating types: [any Any.Type] = []) {
        let named: [(String, ObjectIdentifier?)] = types.map { (TypeName.short($0), ObjectIdentifier($0)) }
        self.types = Dictionary(named) { $0 == $1 ? $0 : nil }
    }

    package func name(_ type: any Any.Type) -> String {
        let (id, short) = (ObjectIdentifier(type), TypeName.short(type))
        return types[short, default: id] == id ? short : TypeName.full(type)
    }

    /// Returns a type and a name, such as `any Router named "main"`.
    package func text(_ id: DependencyID) -> String {
        name(id.type) + (id.name.map { " named \($0.rawValue.debugDescription)" } ?? "")
    }

    package func list(_ types: [any Any.Type]) -> String { types.map(name).joined(separator: ", ") }

    /// Returns the types as a tuple type.
    package func tuple(_ types: [any Any.Type]) -> String { "(\(list(types)))" }
}
