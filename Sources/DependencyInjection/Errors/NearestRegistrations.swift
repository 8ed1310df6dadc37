extension [Registration] {
    /// The three that a request for a type may have meant: the type under another name, then types with similar names.
    package func nearest(to type: any Any.Type) -> [Registration] {
        let asked = Registration.essence(of: type)
        var nearest: [Registration] = []
        var distances: [Int] = []
        for known in self {
            // A parent's registration of the same key comes later, and is overridden.
            guard let distance = known.distance(to: type, asked), !nearest.contains(where: { $0.key == known.key })
            else {
                continue
            }
            let index = distances.firstIndex { distance < $0 } ?? distances.count
            nearest.insert(known, at: index)
            distances.insert(distance, at: index)
            if nearest.count > 3 {
                nearest.removeLast()
                distances.removeLast()
            }
        }
        return nearest
    }
}

extension Registration {
    /// How far it is from what was asked; nil if too far.
    fileprivate func distance(to type: any Any.Type, _ asked: String) -> Int? {
        if self.type == type { return 0 }
        // What forwards to the type itself does not help.
        if case .alias(let target) = kind, target.type == type { return nil }
        let found = Self.essence(of: self.type)
        if found.count > 2, asked.count > 2, found.contains(asked) || asked.contains(found) {
            return 1 + abs(found.count - asked.count)
        }
        let changes = found.changes(to: asked)
        // A name that is part of another is always nearer.
        return changes <= max(2, asked.count / 3) ? 10_000 + changes : nil
    }

    /// The name of a type in lower case, without what only tells protocols from implementations.
    fileprivate static func essence(of type: any Any.Type) -> String {
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
