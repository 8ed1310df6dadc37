/// A type that can be resolved without being registered, from what is registered for the types it is made of.
@usableFromInline
protocol Synthesized {
    static func synthesize(in core: ContainerCore, _ request: Request) throws(ResolutionError) -> Self

    /// Does the same where what it is made of has a factory that is awaited at every request.
    static func makeAsync(in core: ContainerCore, _ request: Request) async throws -> Self

    /// Whether what it is made of is registered; an Optional of it is nil if not.
    static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool
}

extension Synthesized {
    @usableFromInline
    static func makeAsync(in core: ContainerCore, _ request: Request) async throws -> Self {
        try synthesize(in: core, request)
    }
}

/// An Optional, which a request looks for under the type that it wraps.
@usableFromInline
protocol SynthesizedOptional: Synthesized {
    /// Looks first at what is built.
    static func synthesize(
        by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> Self
}

/// Whether the type may be an Optional.
///
/// Of a type that it knows, the compiler answers the cast to ``SynthesizedOptional`` as well, but for classes. For others the
/// run time has a quick check, and a slow cast.
@inlinable @inline(__always)
func mayBeOptional<T>(_ type: T.Type) -> Bool {
    _canBeClass(type) != 1 && (_isConcrete(type) || _isOptional(type))
}

/// `T?` is nil if `T` is not registered; a `T` that is registered and fails is an error.
extension Optional: SynthesizedOptional {
    @usableFromInline
    static func synthesize(in core: ContainerCore, _ request: Request) throws(ResolutionError) -> Self {
        let key = Key(ObjectIdentifier(Wrapped.self), request.key.name)
        let request = request.forwarded(to: Wrapped.self, key)
        if core.isRegistered(key), let box = try core.box(for: request) { return box.value(as: Wrapped.self) }
        guard let synthesized = Wrapped.self as? any Synthesized.Type, synthesized.isAvailable(in: core, key.name)
        else { return nil }
        return try core.resolve(Wrapped.self, request)
    }

    @usableFromInline
    static func makeAsync(in core: ContainerCore, _ request: Request) async throws -> Self {
        let key = Key(ObjectIdentifier(Wrapped.self), request.key.name)
        return try await core.makeAsync(Wrapped.self, request.forwarded(to: Wrapped.self, key))
    }

    @inlinable
    static func synthesize(
        by resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> Self {
        let read = resolver.beginReading(Wrapped.self, name)
        if let box = read.box {
            let instance = Box<Wrapped>.read(box)
            read.thread.endReading()
            return instance
        }
        read.thread.endReading()
        if read.isUnregistered, !(Wrapped.self is any Synthesized.Type) { return nil }
        return try resolver.resolve(Self.self, Request(Self.self, name, [], file: file, line: line))
    }

    @usableFromInline
    static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }
}
