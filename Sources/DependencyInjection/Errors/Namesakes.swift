/// Tells the types of a text apart: a type is written with its module if another of these has its short name.
package struct Namesakes: Sendable {
    /// The type that a short name stands for; nil if several have that name.
    private let types: [String: ObjectIdentifier?]

    package init(_ types: [any Any.Type] = []) {
        let named: [(String, ObjectIdentifier?)] = types.map { ("\($0)", ObjectIdentifier($0)) }
        self.types = Dictionary(named) { $0 == $1 ? $0 : nil }
    }

    package func name(_ type: any Any.Type) -> String {
        let id = ObjectIdentifier(type)
        return types["\(type)", default: id] == id ? TypeName.short(type) : TypeName.full(type)
    }

    /// A type and a name, such as `any Router named "main"`.
    package func text(_ label: Label) -> String {
        name(label.type) + (label.name.map { " named \($0.rawValue.debugDescription)" } ?? "")
    }

    package func list(_ types: [any Any.Type]) -> String { types.map(name).joined(separator: ", ") }

    /// The types as a tuple type.
    package func tuple(_ types: [any Any.Type]) -> String { "(\(list(types)))" }
}
