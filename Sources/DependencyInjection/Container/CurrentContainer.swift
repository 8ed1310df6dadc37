internal import Synchronization

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

    /// Runs an operation with a container as the current one, on this thread and in tasks created inside.
    ///
    /// ```swift
    /// DIContainer.withContainer(container) {
    ///     let router: Router = DIContainer.resolve()
    ///     router.start()
    /// }
    /// ```
    /// Scopes can be nested, and the innermost one applies. Lazy wrappers and providers created inside retain the
    /// container. Can be called on any thread.
    public static func withContainer<Result, Failure: Error>(
        _ container: DIContainer, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ContainerScope(container.core, retaining: container).run(operation)
    }

    /// Runs an asynchronous operation with a container as the current one, which also applies to tasks created inside.
    ///
    /// The operation runs in the caller's isolation.
    public static func withContainer<Result, Failure: Error>(
        _ container: DIContainer, isolation: isolated (any Actor)? = #isolation,
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await ContainerScope(container.core, retaining: container).run(isolation: isolation, operation)
    }

    /// Forks the current container, overrides some registrations, and makes the fork current while the operation runs.
    ///
    /// ```swift
    /// DIContainer.withOverrides { Shared(FixedClock() as Clock) } operation: {
    ///     let scheduler: Scheduler = DIContainer.resolve()      // a new instance, with the fixed clock
    ///     scheduler.run()
    /// }
    /// ```
    /// Every ``Shared`` is rebuilt in the fork, and the `onClose` handlers of these instances never run. A child avoids
    /// both: see ``withChild(_:isolation:file:line:operation:)-swift.method``. See also ``fork(_:)`` and
    /// ``withContainer(_:operation:)``.
    public static func withOverrides<Result, Failure: Error>(
        @RegistrationBuilder _ overrides: () -> [Registration], operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withContainer(fork(of: CurrentContainer.core, overrides), operation: operation)
    }

    /// Forks the current container with overrides, and makes the fork current while the asynchronous operation runs.
    ///
    /// The fork is also current in tasks created inside.
    public static func withOverrides<Result, Failure: Error>(
        @RegistrationBuilder _ overrides: () -> [Registration], isolation: isolated (any Actor)? = #isolation,
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withContainer(fork(of: CurrentContainer.core, overrides), isolation: isolation, operation: operation)
    }
}

/// The container used by code that doesn't specify one.
///
/// It is the container of the innermost `withContainer` in this task, else the container of the running factory on this
/// thread, else the default container.
enum CurrentContainer {
    /// A container that a scope or a factory has made current, and the active scope.
    struct Enclosing {
        let core: UnretainedReference<ContainerCore>?
        let scope: ObjectIdentifier?
    }

    /// Announces a read and returns the current container, which is `nil` if it is the default container and not set up
    /// yet.
    @inline(__always) static func beginReading(_ thread: ThreadRecord) -> Enclosing {
        if thread.isIdle, !ContainerScope.isAnyActive {
            thread.beginReading()
            return Enclosing(core: DefaultContainer.core, scope: nil)
        }
        let enclosing = enclosing(thread)
        thread.beginReading()
        return Enclosing(core: enclosing.core ?? DefaultContainer.core, scope: enclosing.scope)
    }

    /// The current container, which is set up if necessary.
    static var core: ContainerCore { enclosing(.current).core?.object ?? DefaultContainer.container.core }

    /// The container for a lazy wrapper or a provider that is created now.
    static var remembered: RememberedContainer {
        let thread = ThreadRecord.current
        guard let core = enclosing(thread).core?.object else { return RememberedContainer(core: nil) }
        let container = directContainer(thread)
        // An object built by a factory of the default container resolves from each new default container, like any
        // other object. If the default was replaced after the factory began, the object stays with the container that
        // builds it.
        if container == nil, DefaultContainer.isDefault(core) { return RememberedContainer(core: nil) }
        return RememberedContainer(core: core, container: container)
    }

    /// The container of the active scope, unless a factory was entered inside the scope.
    ///
    /// A wrapper or a provider that is created directly in a scope retains the container. In a factory it doesn't,
    /// because a cached instance would retain its own container.
    static func directContainer(_ thread: ThreadRecord = .current) -> DIContainer? {
        scope(thread) == nil ? nil : ContainerScope.container
    }

    private static func enclosing(_ thread: ThreadRecord) -> Enclosing {
        let scope = scope(thread)
        let core = scope?.with { UnretainedReference($0.core) } ?? thread.innermostFrame?.core
        return Enclosing(core: core, scope: scope?.identity)
    }

    /// The active scope, unless a factory was entered inside it.
    static func scope(_ thread: ThreadRecord) -> UnretainedReference<ContainerScope>? {
        guard let scope = ContainerScope.current, thread.innermostFrame?.scope != scope.identity else { return nil }
        return scope
    }
}

/// The container that a lazy wrapper or a provider resolves from.
@usableFromInline struct RememberedContainer: Sendable {
    /// The container. `nil` if the container is determined at the time of the request.
    let core: ContainerCore?
    /// The container, if it is retained together with its instances.
    var container: DIContainer?
}

/// A scope that makes a container current for an operation, as a task-local value.
///
/// Tasks that are created inside the scope retain the value after the scope has ended. If no scope exists at all,
/// requests skip the lookup of the task-local value.
final class ContainerScope: Sendable {
    @TaskLocal private static var innermost: ContainerScope?
    /// The same scope, for readers that needn't retain it. Both values are bound together, so a task that has one also
    /// has the other.
    @TaskLocal private static var borrowed: UnretainedReference<ContainerScope>?

    private static let living = Atomic<Int>(0)

    let core: ContainerCore
    /// The container, which the scope retains. `nil` in the scope of a factory.
    private let container: DIContainer?

    /// - Parameter container: The container to retain. `nil` in the scope of a factory, which doesn't retain the
    ///   container.
    init(_ core: ContainerCore, retaining container: DIContainer? = nil) {
        self.core = core
        self.container = container
        Self.living.wrappingAdd(1, ordering: .relaxed)
        if container != nil { core.report(.madeCurrent) }
    }

    deinit { Self.living.wrappingSubtract(1, ordering: .relaxed) }

    /// Whether a scope may be active. A relaxed load suffices, because a thread that can read a scope has observed its
    /// creation.
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// The active scope, which the task retains.
    static var current: UnretainedReference<ContainerScope>? { isAnyActive ? borrowed : nil }

    /// Whether a scope of another container is active.
    static func isOther(than core: ContainerCore) -> Bool { current?.with { $0.core !== core } ?? false }

    /// The container that the active scope retains.
    static var container: DIContainer? { isAnyActive ? innermost?.container : nil }

    /// Runs an operation inside this scope.
    func run<Value, Failure: Error>(_ operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        do {
            return try Self.$innermost.withValue(self) {
                try Self.$borrowed.withValue(UnretainedReference(self), operation: operation)
            }
        } catch {
            // The functions of a task-local value don't preserve the type of the error.
            throw error as! Failure
        }
    }

    /// Runs an asynchronous operation inside this scope, in the caller's isolation.
    func run<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await Self.$innermost.withValue(self) {
                try await Self.$borrowed.withValue(
                    UnretainedReference(self), operation: operation, isolation: isolation)
            }
        } catch { throw error as! Failure }
    }
}

/// The default container, with automatic registration.
enum DefaultContainer {
    /// The default container for readers, once it is set up. Static requests and ``DIContainer/shared`` read this one
    /// reference, so that a thread which has read a new default never resolves from an older one.
    private static let shared = AtomicReference<DIContainer>()

    /// The core of the default container. `nil` until it is set up. Read it during a read.
    @inline(__always) static var core: UnretainedReference<ContainerCore>? {
        shared.load()?.with { UnretainedReference($0.core) }
    }

    private static let queue = ReentrantSerialQueue()
    /// The container that ``DependencyRegistering/registerDependencies()`` is filling. Sound: used on the queue only.
    nonisolated(unsafe) private static var registering: DIContainer?

    static var container: DIContainer {
        get { existing ?? queue.sync { existingOrNew() } }
        // The old container is released after every read of it has ended.
        set { queue.sync { setDefault(newValue) } }
    }

    private static var existing: DIContainer? { ThreadRecord.reading { shared.load()?.object } }

    /// Whether a core belongs to the default container.
    static func isDefault(_ container: ContainerCore) -> Bool {
        ThreadRecord.reading { core == UnretainedReference(container) }
    }

    /// Makes a container the default one. Runs on the queue.
    private static func setDefault(_ container: DIContainer) {
        shared.replace(with: container)
        OtherCopy.reportToFirst()
        container.core.report(.madeCurrent)
    }

    /// Returns the default container, or creates it and runs the automatic registration. Runs on the queue.
    private static func existingOrNew() -> DIContainer {
        if let container = existing ?? registering { return container }
        let container = DIContainer()
        registering = container
        registerDependencies(in: container)
        registering = nil
        // The registration may have set another default container.
        if existing == nil { setDefault(container) }
        return existingOrNew()
    }

    /// A cast of the metatype finds the conformance on every thread, even if it is isolated to the main actor.
    private static func registerDependencies(in container: DIContainer) {
        guard let registering = DIContainer.self as? any DependencyRegistering.Type else { return }
        let thread = ThreadRecord.current
        thread.push(FactoryFrame(UnretainedReference(container.core)))
        registering.registerDependencies()
        thread.pop()
    }
}
