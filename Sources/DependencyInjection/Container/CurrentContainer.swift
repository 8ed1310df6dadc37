internal import Synchronization

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

    /// The container that a lazy wrapper or a provider created now resolves from.
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
        return Enclosing(core: scope?.core ?? thread.innermostFrame?.core, scope: scope?.identity)
    }

    /// The active scope, unless a factory was entered inside it.
    static func scope(_ thread: ThreadRecord) -> ContainerScope.Reference? {
        guard let scope = ContainerScope.current, thread.innermostFrame?.scope != scope.identity else { return nil }
        return scope
    }
}

/// The container to use. `nil` for the default container at the time of the request.
@usableFromInline struct RememberedContainer: Sendable {
    /// Nil for the default container at the time of the request.
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
    init(_ core: ContainerCore, keeping container: DIContainer? = nil) {
        self.core = core
        self.container = container
        Self.living.wrappingAdd(1, ordering: .relaxed)
        if container != nil { core.report(.madeCurrent) }
    }

    deinit {
        Self.living.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether a scope may be active. A relaxed load suffices, because a thread that can read a scope has observed its
    /// creation.
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// A scope and its container, which the task retains.
    struct Reference {
        let core: UnretainedReference<ContainerCore>
        let identity: ObjectIdentifier
    }

    /// The active scope.
    static var current: Reference? {
        guard isAnyActive, let scope = borrowed else { return nil }
        return scope.with { Reference(core: UnretainedReference($0.core), identity: ObjectIdentifier($0)) }
    }

    /// Whether a scope of another container is active.
    static func isOther(than core: ContainerCore) -> Bool {
        current.map { $0.core != UnretainedReference(core) } ?? false
    }

    /// The container that the active scope retains.
    static var container: DIContainer? { isAnyActive ? innermost?.container : nil }

    /// Runs an operation inside this scope.
    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$innermost.withValue(self) {
            try Self.$borrowed.withValue(UnretainedReference(self), operation: operation)
        }
    }

    /// Runs an asynchronous operation inside this scope, in the caller's isolation.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$innermost.withValue(
            self,
            operation: {
                try await Self.$borrowed.withValue(
                    UnretainedReference(self), operation: operation, isolation: isolation)
            },
            isolation: isolation)
    }
}
