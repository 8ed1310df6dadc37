/// The derivation of an implicitly resolvable type from the type that must be registered.
@usableFromInline package struct Derivation {
    package enum Kind {
        case optional
        case provider
        case all
        /// An array, which is available if its element type has contributions.
        case array
    }

    package let kind: Kind
    /// The type that the implicitly resolvable type resolves.
    package let type: any Any.Type
    /// The types of the arguments that later calls supply, or `nil` if the type is resolved immediately.
    package var supplied: [any Any.Type]?
}

extension Derivation {
    /// Creates the derivation of an implicitly resolvable type, or `nil` if the type has to be registered.
    package init?(of type: any Any.Type) {
        guard let implicit = type as? any ImplicitlyResolvable.Type else { return nil }
        self = implicit.derivation
    }
}

/// A type that can be resolved without being registered, from the registrations of the types it is derived from.
@usableFromInline protocol ImplicitlyResolvable {
    /// Returns a box of the value that resolves a request for this type.
    static func resolveImplicitly(in core: ContainerCore, _ request: Request) throws -> any AnyBox

    /// Whether the type that this one is derived from is available. If it isn't, an Optional of this type is `nil`.
    static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool

    /// The derivation of this type.
    static var derivation: Derivation { get }
}

/// An Optional, which is resolved by the registration of its wrapped type.
@usableFromInline protocol ImplicitlyResolvableOptional: ImplicitlyResolvable {
    /// Resolves a cached instance on the fast path if possible. `T` is this type in the caller's generic context.
    static func resolveImplicitly<T>(
        _ type: T.Type, by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T
}

/// An Optional resolves to `nil` if `T` isn't registered. A registered `T` that fails is an error.
extension Optional: ImplicitlyResolvableOptional {
    @usableFromInline
    static func resolveImplicitly(in core: ContainerCore, _ request: Request) throws -> any AnyBox {
        let key = Key(ObjectIdentifier(Wrapped.self), request.key.name)
        let request = request.forwarded(to: Wrapped.self, key)
        if let resolved = try core.resolve(request) {
            return Box(Self.some(resolved.box.value(as: Wrapped.self)))
        }
        guard let implicit = Wrapped.self as? any ImplicitlyResolvable.Type, implicit.isAvailable(in: core, key.name)
        else {
            try core.checkSelfAndParentsOpen(request)
            return Box(Self.none)
        }
        return Box(Self.some(try implicit.resolveImplicitly(in: core, request).value(as: Wrapped.self)))
    }

    @inlinable static func resolveImplicitly<T>(
        _ type: T.Type, by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        let read = resolver.beginReading(Wrapped.self, name)
        if let box = read.box {
            let instance = Box<Wrapped>.read(box)
            read.thread.endReading()
            return identityCast(Self.some(instance), to: type)
        }
        read.thread.endReading()
        // Of the types without references, only Optionals are implicitly resolvable, and no class is. The compiler doesn't
        // know that the cast, which searches for conformances, fails for the others.
        if read.isMissing,
            _canBeClass(Wrapped.self) == 1 || _isPOD(Wrapped.self) && !_isOptional(Wrapped.self)
                || !(Wrapped.self is any ImplicitlyResolvable.Type)
        {
            return identityCast(Self.none, to: type)
        }
        return try resolver.resolveFromContainer(type, name, [], file, line)
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }

    @usableFromInline static var derivation: Derivation { Derivation(kind: .optional, type: Wrapped.self) }
}
