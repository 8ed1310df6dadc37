/// A factory whose static types are erased.
protocol AnyFactory: AnyObject, Sendable {
    func make(_ resolver: Resolver, _ arguments: inout ArgumentList) throws -> any AnyBox
    /// Calls the factory without arguments and returns the instance as the type of an alias. Throws a `TypeMismatch` if
    /// the instance isn't of that type.
    func make<T>(_ resolver: Resolver, as type: T.Type) throws -> T
}

/// The error thrown if an instance isn't of the type of its alias.
struct TypeMismatch: Error {
    let instance: any Any.Type
}

/// A factory with its static types. Callers that know these types call the closure directly, as in ``Reading``.
@usableFromInline final class Factory<T, each Argument>: AnyFactory {
    @usableFromInline let call: @Sendable (Resolver, repeat each Argument) throws -> T

    // Cached, because looking up the generic metadata on every build costs more than allocating the box.
    @usableFromInline let box: Box<T>.Type

    // Delegates, because an inlinable initializer of a class can't set properties if the library is built for library
    // evolution.
    @inlinable convenience init(_ call: @escaping @Sendable (Resolver, repeat each Argument) throws -> T) {
        self.init(call, box: Box<T>.self)
    }

    @usableFromInline init(
        _ call: @escaping @Sendable (Resolver, repeat each Argument) throws -> T, box: Box<T>.Type
    ) {
        self.call = call
        self.box = box
    }

    func make(_ resolver: Resolver, _ arguments: inout ArgumentList) throws -> any AnyBox {
        box.init(try call(resolver, repeat try arguments.next((each Argument).self)))
    }

    func make<Alias>(_ resolver: Resolver, as type: Alias.Type) throws -> Alias {
        var arguments = try ArgumentList([], expected: [])
        // `as?` would look up the metadata of the Optional at run time.
        switch try call(resolver, repeat try arguments.next((each Argument).self)) {
        case let converted as Alias: return converted
        case let other: throw TypeMismatch(instance: Swift.type(of: other))
        }
    }
}

/// The types of a parameter pack as an array.
@usableFromInline struct Types<each Element> {
    @usableFromInline static var all: [any Any.Type] {
        var all: [any Any.Type] = []
        for type in repeat (each Element).self { all.append(type) }
        return all
    }
}
