/// The container used by code that doesn't specify one.
///
/// It is the container of the innermost `withContainer` in this task, else that of the running factory on this thread,
/// else the default container.
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

/// The container that a lazy wrapper or a provider resolves from.
@usableFromInline struct RememberedContainer: Sendable {
    /// Nil for the default container at the time of the request.
    let core: ContainerCore?
    /// The container, if it is retained together with its instances.
    var container: DIContainer?
}
