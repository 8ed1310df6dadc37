/// The derivation of an implicitly resolvable type from the type that must be registered.
@usableFromInline package struct Derivation {
    package enum Kind {
        case optional
        case provider
        case all
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
