/// A registration that answers requests for `T`.
@usableFromInline
class TypedRegistration<T>: Registration, @unchecked Sendable {
    init(
        name: RegistrationName?, lifetime: Lifetime, isMainActor: Bool, signature: Signature, site: CallSite
    ) {
        // A request for `T?` asks for `T`, and an Optional that was registered must not get in its way. (The check is the
        // standard library's own; a cast to a protocol would search for a conformance of every type registered.)
        let answers: any Any.Type = _isOptional(T.self) ? Unanswered<T>.self : T.self
        super.init(
            T.self, key: Key(ObjectIdentifier(answers), name), lifetime: lifetime, isMainActor: isMainActor,
            signature: signature, site: site)
    }

    /// Builds an instance by an entry of `owner`, for `core` and with its resolver.
    func make(_ owner: ContainerCore, _ core: ContainerCore, _ request: Request) throws -> T {
        preconditionFailure("Overridden by every subclass.")
    }

    override final func makeBox(
        _ entry: Entry, of owner: ContainerCore, in core: ContainerCore, _ request: Request
    ) throws -> Holder {
        let instance = try make(owner, core, request)
        return Box(entry.decorators.isEmpty ? instance : try decorated(instance, by: entry, in: core))
    }

    final func decorated(_ instance: T, by entry: Entry, in core: ContainerCore) throws -> T {
        try entry.decorators.reduce(instance) { base, decorator in
            try decorator.asDecorator(of: T.self).decorate(Resolver(core: core), base)
        }
    }

    /// Builds an asynchronous instance.
    func make(_ build: AsyncBuild) async throws -> T {
        preconditionFailure("Overridden by asynchronous registrations.")
    }

    override final func makeAsync(_ request: Request, in core: ContainerCore) async throws -> Any {
        try await core.makeAsync(T.self, request)
    }
}

/// Stands in the key of a registration of an Optional type, which nobody can ask for.
private enum Unanswered<T> {}

/// A registration with a factory that takes a resolver and arguments.
@usableFromInline
final class FactoryRegistration<T, each Argument>: TypedRegistration<T>, @unchecked Sendable {
    @usableFromInline let factory: @Sendable (Resolver, repeat each Argument) throws -> T

    init(
        name: RegistrationName?, lifetime: Lifetime, isMainActor: Bool = false, site: CallSite,
        factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> T
    ) {
        self.factory = factory
        super.init(
            name: name, lifetime: lifetime, isMainActor: isMainActor,
            signature: Signature(repeat (each Argument).self), site: site)
    }

    override var argumentTypes: [any Any.Type] {
        var types: [any Any.Type] = []
        for type in repeat (each Argument).self { types.append(type) }
        return types
    }

    override func make(_ owner: ContainerCore, _ core: ContainerCore, _ request: Request) throws -> T {
        var arguments = ArgumentList(request.arguments, takenBy: self)
        try arguments.checkCount()
        return try factory(Resolver(core: core), repeat try arguments.next((each Argument).self))
    }
}

/// A registration that forwards to another key of the container in which it is resolved.
final class AliasRegistration<T>: TypedRegistration<T>, @unchecked Sendable {
    let aliased: Registration

    /// Whether it belongs to the main actor is for the target to say, which may have been replaced.
    init(of target: Registration) {
        aliased = target
        super.init(
            name: target.name, lifetime: .alias, isMainActor: false, signature: .none, site: target.site)
    }

    override var target: Registration? { aliased }

    override func make(_ owner: ContainerCore, _ core: ContainerCore, _ request: Request) throws -> T {
        let request = request.forwarded(to: aliased.type, aliased.key)
        guard let instance = try core.box(for: request)?.instance else {
            throw ResolutionError(request, .notRegistered, in: core)
        }
        return try converted(instance, request)
    }

    func converted(_ instance: Any, _ request: Request) throws(ResolutionError) -> T {
        guard let converted = instance as? T else {
            let request = request.forwarded(to: T.self, key)
            throw ResolutionError(request, .typeMismatch(instance: "\(TypeName(Swift.type(of: instance)))"))
        }
        return converted
    }
}
