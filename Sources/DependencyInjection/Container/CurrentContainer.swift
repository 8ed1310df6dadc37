/// The container that code uses if it names none.
///
/// It is the container of the innermost `withContainer` in this task, or of the factory on this thread, or else the
/// default.
enum CurrentContainer {
    /// A container that a scope or a factory has made current, and the active scope.
    struct Enclosing {
        let core: UnretainedReference<ContainerCore>?
        let scope: ObjectIdentifier?
    }

    /// Announces a read, and finds the current container; nil if that is the default and isn't set up yet.
    @inline(__always) static func beginReading(_ thread: ThreadRecord) -> Enclosing {
        if thread.isIdle, !ContainerScope.isAnyActive {
            thread.beginReading()
            return Enclosing(core: DefaultContainer.core, scope: nil)
        }
        let enclosing = enclosing(thread)
        thread.beginReading()
        return Enclosing(core: enclosing.core ?? DefaultContainer.core, scope: enclosing.scope)
    }

    /// The current container, set up if necessary.
    static var core: ContainerCore { enclosing(.current).core?.object ?? DefaultContainer.container.core }

    /// The container that a lazy wrapper or a provider created now resolves from.
    static var remembered: RememberedContainer {
        let thread = ThreadRecord.current
        guard let core = enclosing(thread).core?.object else { return RememberedContainer(core: nil) }
        let container = directContainer(thread)
        // An object that a factory of the default builds follows the default when it is replaced, as any object does.
        // If it was replaced after the factory began, the object stays with the container that builds it.
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
