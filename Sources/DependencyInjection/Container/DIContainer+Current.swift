extension DIContainer {
    /// The default container, used by the static functions and by plain wrappers if no other container is current.
    ///
    /// The container is created at its first use. If ``DependencyRegistering`` is adopted, its registrations are added
    /// then. A container that you set is used without these registrations.
    ///
    /// ```swift
    /// DIContainer.shared = DIContainer { Shared(FileLogger() as Logger) }
    /// ```
    /// Can be read and set on any thread. Reading it retains the container, unlike
    /// ``DIContainer/resolve-swift.type.property``.
    public static var shared: DIContainer {
        get { DefaultContainer.container }
        set { DefaultContainer.container = newValue }
    }

    /// The current container, used by the static functions.
    ///
    /// ```swift
    /// let container = DIContainer.current
    /// Task.detached {
    ///     DIContainer.withContainer(container) { DIContainer.resolve(Router.self).start() }
    /// }
    /// ```
    /// It is the container of the innermost ``withContainer(_:operation:)`` in this task, or else ``shared``. In a
    /// factory, it is the container that the factory builds for. An instance may store that reference because it
    /// doesn't retain the container's instances, like a ``Resolver``. Can be read on any thread.
    public static var current: DIContainer {
        let thread = ThreadRecord.current
        if CurrentContainer.scope(thread) != nil {
            if let container = ContainerScope.container { return container }
        } else if thread.isIdle {
            return shared
        }
        // A factory doesn't retain its container.
        return DIContainer(core: CurrentContainer.core, ownsInstances: false)
    }

    /// The registrar of the current container: `DIContainer.register { … }`.
    public static var register: Registrar { Registrar(core: nil) }

    /// The resolver of the container that is current at each call: `DIContainer.resolve(Router.self)`.
    @inlinable public static var resolve: Resolver { Resolver(core: nil) }

    /// Makes a container current while the operation runs, on this thread and in tasks created inside.
    ///
    /// ```swift
    /// DIContainer.withContainer(container) {
    ///     let router: Router = DIContainer.resolve()
    ///     router.start()
    /// }
    /// ```
    /// Scopes can be nested, and the innermost one applies. Lazy wrappers and providers created inside retain the
    /// container. Can be called on any thread.
    public static func withContainer<Result>(
        _ container: DIContainer, operation: () throws -> Result
    ) rethrows -> Result {
        try ContainerScope(container.core, keeping: container).run(operation)
    }

    /// Makes a container current while the asynchronous operation runs, and in tasks created inside.
    ///
    /// The operation runs in the caller's isolation.
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
    /// Every ``Shared`` is rebuilt in the fork, and the `onClose` handlers of these instances never run. A child avoids
    /// both: see ``withChild(_:isolation:file:line:operation:)-swift.method``. See also ``fork(_:)`` and
    /// ``withContainer(_:operation:)``.
    public static func withOverrides<Result>(
        @RegistrationBuilder _ overrides: () -> [Registration], operation: () throws -> Result
    ) rethrows -> Result {
        try withContainer(fork(of: CurrentContainer.core, overrides), operation: operation)
    }

    /// Forks the current container with overrides, and makes the fork current while the asynchronous operation runs.
    ///
    /// The fork is also current in tasks created inside.
    public static func withOverrides<Result>(
        @RegistrationBuilder _ overrides: () -> [Registration], isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        try await withContainer(fork(of: CurrentContainer.core, overrides), isolation: isolation, operation: operation)
    }
}
