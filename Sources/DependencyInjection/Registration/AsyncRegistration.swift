extension _AsyncRegistration {
    /// Registers a factory that is awaited, by ``DIContainer/prepare(file:line:)`` or `try await resolve.async(…)`.
    ///
    /// ```swift
    /// Shared(async: { resolve in try await Database.open(resolve.async(Configuration.self)) })
    /// ```
    /// Until the instance has been built, a plain request is an error that says what to await; after that, the plain
    /// request works. The factory runs in a task of its own, in which the container is current, and never on the queue.
    ///
    /// To register it again takes away what was built until somebody prepares: ``DIContainer/prepare(file:line:_:)`` renews it
    /// without a gap.
    @_disfavoredOverload
    public init<T: Sendable, each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> T,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(async: factory, name, Types<repeat each Alias>.all, file, line)
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
        self.init(async: factory, name, Types<repeat each Alias>.all, file, line)
    }
}

/// A lifetime that an asynchronous factory can have: ``Shared`` and ``Scoped``.
public protocol _AsyncRegistration: _KeptRegistration {}

extension Shared: _AsyncRegistration {}
extension Scoped: _AsyncRegistration {}
