/// How long what a registration builds lives.
public enum Lifetime: String, Sendable {
    /// Built at every request and kept by nobody: ``New``.
    case new
    /// Built once for the container that owns the registration: ``Shared``.
    case shared
    /// Shared as long as somebody else holds it, and built again after: ``Weak``.
    case weak
    /// Built once for each container that resolves it: ``Scoped``.
    case scoped
    /// Answered by another registration of the same container: what `as:` makes of each alias.
    case alias
    /// Answered by a parent's registration, which a ``Decorate`` of this container wraps.
    case inherited
}

/// What a container knows of one key: which type it answers, how to build it, and how long the instance lives.
///
/// Registrations are made by ``Shared``, ``New`` and ``Module``; this type is what they have in common and what messages
/// are written from. A registration is immutable and holds no instance, so one registration, say in a `static let`
/// module, can serve any number of containers on any thread.
///
/// Unchecked because it has subclasses; every stored property, here and in them, is an immutable `Sendable` value.
public class Registration: @unchecked Sendable {
    let key: Key
    /// The type asked for.
    public let type: any Any.Type
    /// How long the instance lives.
    public let lifetime: Lifetime
    /// Whether it is built and resolved on the main actor only.
    public let isMainActor: Bool
    /// The types of the arguments that the factory takes, as one tuple type.
    @usableFromInline let signature: ObjectIdentifier?
    let site: CallSite

    /// The name that tells it from other registrations of its type.
    public var name: RegistrationName? { key.name }
    /// The file in which it was written, as `Module/File.swift`.
    public var file: String { site.file.description }
    /// The line on which it was written.
    public var line: UInt { site.line }

    init(
        _ type: any Any.Type, key: Key, lifetime: Lifetime, isMainActor: Bool, signature: ObjectIdentifier?,
        site: CallSite
    ) {
        self.key = key
        self.type = type
        self.lifetime = lifetime
        self.isMainActor = isMainActor
        self.signature = signature
        self.site = site
    }

    /// The types of the arguments that the factory takes, for messages.
    var argumentTypes: [any Any.Type] { [] }

    /// The registration that an alias forwards to.
    var target: Registration? { nil }

    /// Whether it wraps what is registered for its key, rather than being registered itself.
    var isDecorator: Bool { false }

    /// For a decorator: what stands in its container for a key that a parent has registered.
    var inherited: Registration { preconditionFailure("Only decorators have one.") }

    /// Whether only `await` can build it.
    var isAsync: Bool { false }

    /// Builds the asynchronous instance of an entry and keeps it there, if that entry is still in place by then.
    func buildAsync(_ build: AsyncBuild) async throws {}

    /// Builds what is asynchronous and kept, unless it is built.
    func prepare(in core: ContainerCore, _ site: CallSite) async throws {
        preconditionFailure("Overridden by every subclass.")
    }

    /// Builds an asynchronous instance that nobody keeps, without a static type.
    func makeAsync(_ request: Request, in core: ContainerCore) async throws -> Any {
        preconditionFailure("Overridden by every subclass.")
    }

    /// What keeps an instance only as long as somebody else does, for a built entry; nil for a value type.
    func weakHolder(of entry: Entry) -> AnyObject? { nil }

    /// Resolves without a static type: what an alias needs of the registration it forwards to.
    func resolve(_ request: Request, in core: ContainerCore) throws(ResolutionError) -> Any {
        preconditionFailure("Overridden by every subclass.")
    }
}

/// A registration that answers requests for `T`.
@usableFromInline
class TypedRegistration<T>: Registration, @unchecked Sendable {
    init(
        name: RegistrationName?, lifetime: Lifetime, isMainActor: Bool, signature: ObjectIdentifier?, site: CallSite
    ) {
        // A request for `T?` asks for `T`, and an Optional that was registered must not get in its way. (The check is the
        // standard library's own; a cast to a protocol would search for a conformance of every type registered.)
        let answers: any Any.Type = _isOptional(T.self) ? Unanswered<T>.self : T.self
        super.init(
            T.self, key: Key(ObjectIdentifier(answers), name), lifetime: lifetime, isMainActor: isMainActor,
            signature: signature, site: site)
    }

    /// Builds an instance, each argument converted as `as?` would.
    func make(_ resolver: Resolver, _ request: Request) throws -> T {
        preconditionFailure("Overridden by every subclass.")
    }

    /// Builds an asynchronous instance.
    func make(_ build: AsyncBuild) async throws -> T {
        preconditionFailure("Overridden by asynchronous registrations.")
    }

    override final func prepare(in core: ContainerCore, _ site: CallSite) async throws {
        _ = try await core.resolveAsync(T.self, Request(T.self, key: key, [], site))
    }

    override final func makeAsync(_ request: Request, in core: ContainerCore) async throws -> Any {
        try await core.makeAsync(T.self, request)
    }

    override final func weakHolder(of entry: Entry) -> AnyObject? {
        entry.published(as: T.self).flatMap(WeakBox.init)
    }

    override final func resolve(_ request: Request, in core: ContainerCore) throws(ResolutionError) -> Any {
        try core.resolve(T.self, request)
    }
}

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
            signature: ObjectIdentifier((repeat each Argument).self), site: site)
    }

    override var argumentTypes: [any Any.Type] {
        var types: [any Any.Type] = []
        for type in repeat (each Argument).self { types.append(type) }
        return types
    }

    override func make(_ resolver: Resolver, _ request: Request) throws -> T {
        var arguments = ArgumentList(request.arguments, takenBy: self)
        try arguments.checkCount()
        return try factory(resolver, repeat try arguments.next((each Argument).self))
    }
}

/// A registration that forwards to another key of the container in which it is resolved.
final class AliasRegistration<T>: TypedRegistration<T>, @unchecked Sendable {
    let aliased: Registration

    /// Whether it belongs to the main actor is for the target to say, which may have been replaced.
    init(of target: Registration) {
        aliased = target
        super.init(
            name: target.name, lifetime: .alias, isMainActor: false, signature: nil, site: target.site)
    }

    override var target: Registration? { aliased }

    override func make(_ resolver: Resolver, _ request: Request) throws -> T {
        preconditionFailure("A container resolves the target of an alias itself.")
    }
}

/// Stands in the key of a registration of an Optional type, which nobody can ask for.
private enum Unanswered<T> {}

/// A place in source code.
struct CallSite: Sendable, Equatable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }

    static func == (first: Self, second: Self) -> Bool {
        first.line == second.line && first.file.description == second.file.description
    }
}
