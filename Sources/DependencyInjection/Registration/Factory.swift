/// A factory without its static types.
protocol AnyFactory: AnyObject, Sendable {
    func make(_ resolver: Resolver, _ arguments: inout ArgumentList) throws -> any AnyBox
    /// Makes an instance without arguments, as the type of an alias.
    func make<T>(_ resolver: Resolver, as type: T.Type) throws -> T
}

/// Thrown where an instance is not of the type of an alias.
struct TypeMismatch: Error {
    let instance: any Any.Type
}

/// A factory with its static types; callers who know these call it at once: see ``Reading``.
@usableFromInline final class Factory<T, each Argument>: AnyFactory {
    @usableFromInline let call: @Sendable (Resolver, repeat each Argument) throws -> T

    // Kept, because asking the run time for it at each build takes longer than making the box.
    @usableFromInline let box: Box<T>.Type

    init(_ call: @escaping @Sendable (Resolver, repeat each Argument) throws -> T) {
        self.call = call
        box = Box<T>.self
    }

    func make(_ resolver: Resolver, _ arguments: inout ArgumentList) throws -> any AnyBox {
        box.init(try call(resolver, repeat try arguments.next((each Argument).self)))
    }

    func make<Alias>(_ resolver: Resolver, as type: Alias.Type) throws -> Alias {
        var arguments = try ArgumentList([], expected: [])
        // `as?` would ask the run time for the type of the Optional.
        switch try call(resolver, repeat try arguments.next((each Argument).self)) {
        case let converted as Alias: return converted
        case let other: throw TypeMismatch(instance: Swift.type(of: other))
        }
    }
}

/// The types of a pack, listed.
struct Types<each Element> {
    static var all: [any Any.Type] {
        var all: [any Any.Type] = []
        for type in repeat (each Element).self { all.append(type) }
        return all
    }
}
