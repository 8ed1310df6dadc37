/// Tells the types of a list apart: those that share their short names with others are written with their modules.
package struct Namesakes: Sendable {
    private var types: Set<ObjectIdentifier> = []

    package init(_ types: [any Any.Type]) {
        var first: [String: any Any.Type] = [:]
        for type in types {
            let known = first.updateValue(type, forKey: "\(type)") ?? type
            if known != type { self.types.formUnion([ObjectIdentifier(known), ObjectIdentifier(type)]) }
        }
    }

    package func name(_ type: any Any.Type) -> String {
        types.contains(ObjectIdentifier(type)) ? TypeName.full(type) : TypeName.short(type)
    }

    package func text(_ label: Label) -> String { label.text(name(label.type)) }

    package func list(_ types: [any Any.Type]) -> String { types.map(name).joined(separator: ", ") }

    /// The types as a tuple type.
    package func tuple(_ types: [any Any.Type]) -> String { "(\(list(types)))" }
}
