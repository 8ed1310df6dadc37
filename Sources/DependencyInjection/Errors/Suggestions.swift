extension [Registration] {
    /// Returns the three registrations that are most similar to a requested type.
    ///
    /// The order is: the type under another name, types that conform to it or are its subclasses, types to which it
    /// conforms, and types with similar names. It doesn't depend on the order of registration.
    package func suggestions(for type: any Any.Type) -> [Registration] {
        var near = compactMap { known in known.distance(to: type).map { (known, order: ($0, known.description)) } }
        // Sorting adds 4 KiB to a program.
        return (0..<3).compactMap { _ in
            near.indices.min { near[$0].order < near[$1].order }.map { near.remove(at: $0).0 }
        }
    }

    /// Returns the registration of a type's Optional, which no request resolves.
    package func optional(of id: DependencyID) -> Registration? {
        first { known in
            guard known.name == id.name, let derivation = Derivation(of: known.type) else { return false }
            return derivation.kind == .optional && derivation.type == id.type
        }
    }
}

extension Registration {
    /// Returns the distance from the requested type, or `nil` if it is too great.
    fileprivate func distance(to requested: any Any.Type) -> Int? {
        // An alias of the type itself doesn't help, and the target of a contribution is another candidate.
        if case .alias(let target) = kind, target.type == requested || isContribution { return nil }
        if type == requested { return 0 }
        let (name, requestedName) = (comparableName(of: type), comparableName(of: requested))
        let changes = name.changes(to: requestedName)
        // Every type conforms to Any.
        func isNear(_ type: any Any.Type, _ other: any Any.Type) -> Bool {
            other != Any.self && other != AnyObject.self && isKind(type, of: other) == true
        }
        if isNear(type, requested) { return 1_000 + changes }
        if isNear(requested, type) { return 2_000 + changes }
        let isPart = name.contains(requestedName) || requestedName.contains(name)
        let isSimilar = isPart && min(name.count, requestedName.count) > 2 || changes <= requestedName.count / 3
        return isSimilar ? 3_000 + changes : nil
    }

    /// Returns the name of a type in lower case, without the parts that only distinguish protocols from
    /// implementations.
    private func comparableName(of type: any Any.Type) -> String {
        let name = "\(type)".lowercased()
        return ["default", "protocol", "impl"].reduce(name) { $0.replacing($1, with: "") }
    }
}

extension String {
    /// Returns the number of single-letter changes between this word and the other one (Levenshtein 1966).
    package func changes(to other: String) -> Int {
        let (first, second) = (Array(utf8), Array(other.utf8))
        var row = Array(0...second.count)
        for index in first.indices {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let substitution = diagonal + (first[index] == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
