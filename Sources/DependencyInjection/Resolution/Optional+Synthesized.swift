/// Whether the type may be an Optional.
///
/// The compiler resolves the cast to ``SynthesizedOptional`` for types that it knows, except for classes. For other
/// types, the run time has a quick check and a slow cast.
@inlinable func mayBeOptional<T>(_ type: T.Type) -> Bool {
    _canBeClass(type) != 1 && (_isConcrete(type) || _isOptional(type))
}

/// An Optional resolves to `nil` if `T` isn't registered. A registered `T` that fails is an error.
extension Optional: SynthesizedOptional {
    @usableFromInline
    static func synthesize(in core: ContainerCore, _ request: Request) throws -> any AnyBox {
        let key = Key(ObjectIdentifier(Wrapped.self), request.key.name)
        let request = request.forwarded(to: Wrapped.self, key)
        if let resolved = try core.resolve(request) {
            return Box(Self.some(resolved.box.value(as: Wrapped.self)))
        }
        guard let synthesized = Wrapped.self as? any Synthesized.Type, synthesized.isAvailable(in: core, key.name)
        else {
            try core.checkSelfAndParentsOpen(request)
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
        // No class is synthesized, but the compiler doesn't know that this cast fails for classes.
        if read.isMissing, _canBeClass(Wrapped.self) == 1 || !(Wrapped.self is any Synthesized.Type) {
            return identityCast(Self.none, to: type)
        }
        return try resolver.askContainer(type, name, [], file, line)
    }

    @usableFromInline static func isAvailable(in core: ContainerCore, _ name: RegistrationName?) -> Bool { true }

    @usableFromInline static var derivation: Derivation { Derivation(kind: .optional, type: Wrapped.self) }
}
