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

    init(_ kind: Kind, _ type: any Any.Type, supplied: [any Any.Type]? = nil) {
        self.kind = kind
        self.type = type
        self.supplied = supplied
    }

    /// Nil if the type has to be registered.
    package init?(of type: any Any.Type) {
        guard let synthesized = type as? any Synthesized.Type else { return nil }
        self = synthesized.derivation
    }
}

/// A type that can be resolved without being registered, from what is registered for the types it is made of.
@usableFromInline protocol Synthesized {
    /// A box of the value that answers a request for this type.
    static func synthesize(in core: ContainerCore, _ request: borrowing Request) throws -> any AnyBox

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

/// Whether the type may be an Optional.
///
/// For a type that it knows, the compiler also answers the cast to ``SynthesizedOptional``, except for classes. For
/// other types, the run time has a quick check and a slow cast.
@inlinable func mayBeOptional<T>(_ type: T.Type) -> Bool {
    _canBeClass(type) != 1 && (_isConcrete(type) || _isOptional(type))
}

/// `T?` is nil if `T` is not registered; a `T` that is registered and fails is an error.
extension Optional: SynthesizedOptional {
    @usableFromInline
    static func synthesize(in core: ContainerCore, _ request: borrowing Request) throws -> any AnyBox {
        let key = Key(ObjectIdentifier(Wrapped.self), request.key.name)
        let request = request.forwarded(to: Wrapped.self, key)
        if let answer = try core.answer(request) { return Box(Self.some(answer.box.value(as: Wrapped.self))) }
        guard let synthesized = Wrapped.self as? any Synthesized.Type, synthesized.isAvailable(in: core, key.name)
        else {
            try core.checkAllOpen(request)
            return Box(Self.none)
        }
        return Box(Self.some(try synthesized.synthesize(in: core, request).value(as: Wrapped.self)))
    }

    @inlinable static func synthesize<T>(
        _ type: T.Type, by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        let read = resolver.beginReading(Wrapped.self, name)
        if let box = read.box {
            let instance = Box<Wrapped>.read(box)
            read.thread.endReading()
            return identityCast(Self.some(instance), to: type)
        }
        read.thread.endReading()
        // No class is synthesized, but the compiler does not know that this cast fails for classes.
        if read.isMissing, _canBeClass(Wrapped.self) == 1 || !(Wrapped.self is any Synthesized.Type) {
            return identityCast(Self.none, to: type)
        }
        return try resolver.askContainer(type, name, [], file, line)
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }

    @usableFromInline static var derivation: Derivation { Derivation(.optional, Wrapped.self) }
}
