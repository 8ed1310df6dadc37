/// What a synthesized type is made of.
@usableFromInline package struct Derivation {
    package enum Kind {
        case optional
        case provider
        case all
    }

    package let kind: Kind
    /// The type that is needed.
    package let type: any Any.Type
    /// The arguments that are supplied when it is asked for later; nil if it is needed at once.
    package var supplied: [any Any.Type]?
}

extension Derivation {
    /// Nil if the type has to be registered.
    package init?(of type: any Any.Type) {
        guard let synthesized = type as? any Synthesized.Type else { return nil }
        self = synthesized.derivation
    }
}

/// A type that can be resolved without being registered, from what is registered for the types it is made of.
@usableFromInline protocol Synthesized {
    /// A box of the value that answers a request for this type.
    static func synthesize(in core: ContainerCore, _ request: Request) throws -> any AnyBox

    /// Whether what it is made of is registered; an Optional of it is nil if not.
    static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool

    /// What it is made of.
    static var derivation: Derivation { get }
}

/// An Optional, which a request looks for under the type that it wraps.
@usableFromInline protocol SynthesizedOptional: Synthesized {
    /// Looks first at what is built. `T` is this type, as the caller knows it.
    static func synthesize<T>(
        _ type: T.Type, by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T
}
