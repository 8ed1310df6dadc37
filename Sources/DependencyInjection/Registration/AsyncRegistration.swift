/// What an asynchronous factory may build.
public protocol _AwaitedRegistration: _LifetimeRegistration {}

extension _AwaitedRegistration where Self: _SafeRegistration {
    /// Registers a factory that is awaited, by ``DIContainer/prepare(file:line:)`` or `try await resolve.async(…)`.
    ///
    /// ```swift
    /// Shared(async: { resolve in try await Database.open(resolve.async(Configuration.self)) })
    /// ```
    /// Until the instance has been built, a plain request is an error that says what to await; after that, the plain
    /// request works. The factory runs in a task of its own, in which the container is current, and never on the queue.
    ///
    /// ```swift
    /// New(async: { _, url in try await Document.load(url) })
    /// ```
    /// The factory of a ``New`` runs at every request, in the task that asks; a plain request for it is always an error.
    ///
    /// To register it again takes away what was built until somebody awaits it. To renew it without a gap, build the new one first, and
    /// register it as a value: `register(Shared(fresh))`.
    @_disfavoredOverload
    public init<each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(async: factory, name, Types<repeat each Alias>.all, file, line)
    }
}
