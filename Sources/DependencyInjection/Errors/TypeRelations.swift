// What types alone tell about their instances.

/// Whether it is the type of a protocol, and not of one of its implementations.
package func isExistential(_ type: any Any.Type) -> Bool {
    // Of a protocol with an argument, the type itself begins so.
    "\(Swift.type(of: type))".hasSuffix(".Protocol") || "\(type)".hasPrefix("any ")
}

/// Whether a type is another or one of its subclasses, or conforms to it; nil if that cannot be found out.
package func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? { TypeKind(other)?.contains(type) }

/// A type of which others may be: a protocol that they conform to, a class that they inherit from.
struct TypeKind {
    private let metatype: any Any.Type

    /// Nil if that cannot be found out.
    init?(_ type: any Any.Type) {
        func own<T>(_ type: T.Type) -> any Any.Type { T.Type.self }
        guard isExistential(type) else {
            metatype = _openExistential(type, do: own)
            return
        }
        // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
        guard let metatype = _mangledTypeName(type).flatMap({ _typeByName($0 + "Xp") }) else { return nil }
        self.metatype = metatype
    }

    func contains(_ type: any Any.Type) -> Bool {
        func contains<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(metatype, do: contains)
    }
}
