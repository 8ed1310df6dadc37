/// A registration that accepts an asynchronous factory.
public protocol _AwaitedRegistration: _LifetimeRegistration {}

extension _AwaitedRegistration where Self: _SafeRegistration {
    /// Creates a registration from an asynchronous factory, which ``DIContainer/prepare(file:line:)`` or
    /// `try await resolve.async(…)` runs.
    ///
    /// ```swift
    /// Shared(async: { resolve in try await Database.open(resolve.async(Configuration.self)) })
    /// ```
    /// Until the instance has been built, a plain request fails with an error that names the call to await. Afterwards,
    /// plain requests resolve the cached instance. The factory runs in a task of its own, in which the container is
    /// current, and never on the container's queue.
    ///
    /// ```swift
    /// New(async: { _, url in try await Document.load(url) })
    /// ```
    /// The factory of a ``New`` runs at every request, in the caller's task. A plain request for it is always an error.
    ///
    /// Registering the type again discards the current instance. Until the new factory has been awaited, plain requests
    /// fail. To renew the instance without a gap, build the new one first and register it as a value:
    /// `register(Shared(fresh))`.
    @_disfavoredOverload
    public init<each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(async: factory, name, Types<repeat each Alias>.all, file, line)
    }
}
