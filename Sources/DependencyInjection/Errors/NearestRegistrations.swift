extension [Registration] {
    /// The three that a request for a type may have meant: the type under another name, then types that conform to it or are its
    /// subclasses, then types that it implements, then types with similar names.
    package func nearest(to type: any Any.Type) -> [Registration] {
        let asked = AskedType(type)
        var rest = compactMap { known in asked.distance(to: known).map { (registration: known, distance: $0) } }
        var nearest: [Registration] = []
        while nearest.count < 3, let index = rest.indices.min(by: { rest[$0].distance < rest[$1].distance }) {
            nearest.append(rest.remove(at: index).registration)
        }
        return nearest
    }
}

/// A type that nothing is registered for, and what has to be found out only once to compare it with what is.
private struct AskedType {
    private let type: any Any.Type
    private let essence: String
    /// Nil where every type is of that kind.
    private let kind: TypeKind?

    init(_ type: any Any.Type) {
        self.type = type
        essence = Self.essence(of: type)
        kind = type == Any.self || type == AnyObject.self ? nil : TypeKind(type)
    }

    /// How far a registration is from what was asked; nil if too far. What is related by its type is nearer than what has a
    /// similar name.
    func distance(to registration: Registration) -> Int? {
        if registration.type == type { return 0 }
        // What forwards to the type itself does not help.
        if case .alias(let target) = registration.kind, target.type == type { return nil }
        let found = Self.essence(of: registration.type)
        if kind?.contains(registration.type) == true { return 1 + nameDistance(found) }
        if isKind(of: registration.type) { return 100_000 + nameDistance(found) }
        return isSimilar(found) ? 200_000 + nameDistance(found) : nil
    }

    /// Whether what was asked for conforms to another type, or is its subclass.
    private func isKind(of other: any Any.Type) -> Bool {
        guard other is AnyClass || isExistential(other), other != Any.self, other != AnyObject.self else {
            return false
        }
        return TypeKind(other)?.contains(type) == true
    }

    private func isSimilar(_ found: String) -> Bool {
        isPart(found) || found.changes(to: essence) <= essence.count / 3
    }

    /// Whether one name is a part of the other, which is nearer than any other name.
    private func isPart(_ found: String) -> Bool {
        found.count > 2 && essence.count > 2 && (found.contains(essence) || essence.contains(found))
    }

    private func nameDistance(_ found: String) -> Int {
        isPart(found) ? abs(found.count - essence.count) : min(10_000 + found.changes(to: essence), 90_000)
    }

    /// The name of a type in lower case, without what only tells protocols from implementations.
    private static func essence(of type: any Any.Type) -> String {
        var name = "\(type)".lowercased()
        if name.hasPrefix("default") { name.removeFirst(7) }
        for suffix in ["protocol", "impl"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
        return name
    }
}

extension String {
    /// The number of single-letter changes that lead from this word to the other (Levenshtein 1966).
    package func changes(to other: String) -> Int {
        let second = Array(other.utf8)
        var row = Array(0...second.count)
        for (index, letter) in utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let substitution = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
