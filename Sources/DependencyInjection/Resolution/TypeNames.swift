/// Names the types of one text: by their own names and, where two types have the same, by what is around them, too.
///
/// That is the type around them, as in `Notes.Cell`, or the module. Two types that no code could tell apart by name, such as
/// types that are local to two functions, have the same name.
package struct TypeNames: Sendable {
    /// How many components name a type, for those whose own name is not enough.
    private var lengths: [Substring: Int] = [:]

    /// Names each type without regard to others.
    package static let short = TypeNames([])

    package init(_ types: some Sequence<any Any.Type>) {
        var known: Set<ObjectIdentifier> = []
        var paths: [Substring: QualifiedName.Path] = [:]
        for type in types where known.insert(ObjectIdentifier(type)).inserted {
            for path in QualifiedName(type).paths { paths[path.id] = path }
        }
        for namesakes in Dictionary(grouping: paths.values, by: \.shortName).values where namesakes.count > 1 {
            let counts: [String: Int] = namesakes.reduce(into: [:]) { counts, path in
                for form in path.forms { counts[form, default: 0] += 1 }
            }
            for path in namesakes {
                let forms = path.forms.map { counts[$0, default: 0] }
                // The first of those that the fewest share.
                let best = forms.indices.min { forms[$0] < forms[$1] }
                lengths[path.id] = best.map { $0 + 1 }
            }
        }
    }

    /// The name of a type, without `any` before a protocol.
    func bareName(of type: any Any.Type) -> String {
        if lengths.isEmpty { return "\(type)" }
        return QualifiedName(type).text { lengths[$0.id] ?? 1 }
    }
}

/// Keeps the names of the types in a list. They are found out when one is read, since that takes long for many types.
package final class ListedNames: Sendable {
    private let types: [any Any.Type]
    private let known = Guarded<TypeNames?>(nil)

    package init(_ types: [any Any.Type]) { self.types = types }

    package var names: TypeNames {
        known.withLock { known in
            let names = known ?? TypeNames(types)
            known = names
            return names
        }
    }
}
