extension DIContainer {
    /// The default container, which the static forms and the plain wrappers use when no other container is current.
    ///
    /// It is made at its first use, and filled by ``DependencyRegistering`` if that is adopted. Set another container
    /// to start afresh: it is used without being filled.
    ///
    /// ```swift
    /// DIContainer.shared = DIContainer { Shared(FileLogger() as Logger) }
    /// ```
    /// May be read and set on any thread. Reading it retains the container, and
    /// ``DIContainer/resolve-swift.type.property`` does not.
    public static var shared: DIContainer {
        get { DefaultContainer.container }
        set { DefaultContainer.container = newValue }
    }

    /// The current container, which the static forms use at this moment.
    ///
    /// ```swift
    /// let container = DIContainer.current
    /// Task.detached {
    ///     DIContainer.withContainer(container) { DIContainer.resolve(Router.self).start() }
    /// }
    /// ```
    /// It is the container of the innermost ``withContainer(_:operation:)`` in this task, or else ``shared``. In a
    /// factory, it is the container that the factory builds for; an instance may keep that reference because, like a
    /// ``Resolver``, it does not keep the instances. May be read on any thread.
    public static var current: DIContainer {
        let thread = ThreadRecord.current
        if CurrentContainer.scope(thread) != nil {
            if let container = ContainerScope.container { return container }
        } else if thread.isIdle {
            return shared
        }
        // A factory does not keep its container.
        return DIContainer(core: CurrentContainer.core, ownsInstances: false)
    }

    /// Registers in the current container: `DIContainer.register { … }`.
    public static var register: Registrar { Registrar(core: nil) }

    /// Resolves from the container that is current at each call: `DIContainer.resolve(Router.self)`.
    @inlinable public static var resolve: Resolver { Resolver(core: nil) }

    /// Makes a container the current one while the operation runs, on this thread and in tasks made inside.
    ///
    /// ```swift
    /// DIContainer.withContainer(container) {
    ///     let router: Router = DIContainer.resolve()
    ///     router.start()
    /// }
    /// ```
    /// Scopes nest; the innermost counts. Lazy wrappers and providers made inside keep the container. May be called on
    /// any thread.
    public static func withContainer<Result>(
        _ container: DIContainer, operation: () throws -> Result
    ) rethrows -> Result {
        try ContainerScope(container.core, keeping: container).run(operation)
    }

    /// Makes a container the current one while the asynchronous operation runs, and in tasks made inside.
    ///
    /// The operation keeps the isolation of the caller.
    public static func withContainer<Result>(
        _ container: DIContainer, isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        try await ContainerScope(container.core, keeping: container).run(isolation: isolation, operation)
    }

    /// Forks the current container, overrides some registrations, and makes the fork current while the operation runs.
    ///
    /// ```swift
    /// DIContainer.withOverrides { Shared(FixedClock() as Clock) } operation: {
    ///     let scheduler: Scheduler = DIContainer.resolve()      // built anew, with the fixed clock
    ///     scheduler.run()
    /// }
    /// ```
    /// Every ``Shared`` is built anew, and what that opens is not closed. A child does better in both: see
    /// ``withChild(_:isolation:file:line:operation:)-swift.method``. See also ``fork(_:)`` and ``withContainer(_:operation:)``.
    public static func withOverrides<Result>(
        @RegistrationBuilder _ overrides: () -> [Registration], operation: () throws -> Result
    ) rethrows -> Result {
        try withContainer(fork(of: CurrentContainer.core, overrides), operation: operation)
    }

    /// Forks the current container with overrides, and makes the fork current while the asynchronous operation runs.
    ///
    /// Tasks made inside see the fork, too.
    public static func withOverrides<Result>(
        @RegistrationBuilder _ overrides: () -> [Registration], isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        try await withContainer(fork(of: CurrentContainer.core, overrides), isolation: isolation, operation: operation)
    }
}
