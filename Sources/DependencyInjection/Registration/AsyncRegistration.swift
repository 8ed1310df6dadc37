/// A registration with a factory that is awaited.
final class AsyncFactoryRegistration<T, each Argument>: TypedRegistration<T>, @unchecked Sendable {
    private let factory: @Sendable (Resolver, repeat each Argument) async throws -> T

    init(
        name: RegistrationName?, lifetime: Lifetime, site: CallSite,
        factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> T
    ) {
        self.factory = factory
        super.init(
            name: name, lifetime: lifetime, isMainActor: false,
            signature: Signature(repeat (each Argument).self), site: site)
    }

    override var isAsync: Bool { true }

    override var argumentTypes: [any Any.Type] {
        var types: [any Any.Type] = []
        for type in repeat (each Argument).self { types.append(type) }
        return types
    }

    override func make(_ owner: ContainerCore, _ core: ContainerCore, _ request: Request) throws -> T {
        throw AsyncFactoryError()
    }

    override func buildAsync(_ build: AsyncBuild) async throws -> Holder {
        let box = Box(try await make(build))
        let entry = build.entry
        build.core.exclusively { build.core.keep(box, in: entry, isMainActor: entry.isMainActor, isWeak: false) }
        return box
    }

    override func make(_ build: AsyncBuild) async throws -> T {
        try await AsyncStep.run(build) {
            var arguments = ArgumentList(build.request.arguments, takenBy: self)
            try arguments.checkCount()
            let instance = try await factory(
                Resolver(core: build.core), repeat try arguments.next((each Argument).self))
            guard build.entry.isMainActor else {
                return try decorated(instance, by: build.entry, in: build.core)
            }
            let base = Transfer(value: instance)
            return try await MainActor.run {
                Transfer(value: try decorated(base.value, by: build.entry, in: build.core))
            }.value
        }
    }
}

/// Carries an instance to the decorators of the main actor and back.
///
/// Unchecked, and sound because what is kept is `Sendable`, and nobody else has a ``New`` instance yet.
private struct Transfer<T>: @unchecked Sendable {
    let value: T
}

/// Thrown by a plain request for what only `await` can build.
struct AsyncFactoryError: Error {}

extension AsyncRegistration {
    /// Registers a factory that is awaited, by ``DIContainer/prepare(file:line:)`` or `try await resolve.async(…)`.
    ///
    /// ```swift
    /// Shared(async: { resolve in try await Database.open(resolve(Configuration.self)) })
    /// ```
    /// Until it has been built, a plain request is an error that says what to await; after that, the plain request works.
    /// The factory runs in a task of its own, in which the container is current, and never on the queue.
    @_disfavoredOverload
    public init<T: Sendable, each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> T,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let registration = AsyncFactoryRegistration(
            name: name, lifetime: Self.lifetime, site: CallSite(file: file, line: line), factory: factory)
        self.init(registration, (repeat each aliases))
    }
}

extension New {
    /// Registers a factory that is awaited at every request: `try await resolve.async(…)`.
    ///
    /// ```swift
    /// New(async: { _, url in try await Document.load(url) })
    /// ```
    /// A plain request is an error. The factory runs in the task that asks.
    @_disfavoredOverload
    public init<T, each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> T,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let registration = AsyncFactoryRegistration(
            name: name, lifetime: .new, site: CallSite(file: file, line: line), factory: factory)
        self.init(registration, (repeat each aliases))
    }
}

/// A lifetime that an asynchronous factory can have: ``Shared`` and ``Scoped``.
public protocol AsyncRegistration: KeptRegistration {}

extension Shared: AsyncRegistration {}
extension Scoped: AsyncRegistration {}
