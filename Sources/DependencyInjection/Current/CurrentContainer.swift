/// Finds the container that code means when it names none.
///
/// It is that of the innermost `withContainer` in this task or factory on this thread, or else the default.
enum CurrentContainer {
    /// A container, kept by the scope or the factory that made it current, and the active scope.
    typealias Enclosing = (core: Borrowed<ContainerCore>?, scope: ObjectIdentifier?)

    /// Announces a read and finds the current container, or nil if that is the default and has yet to be set up.
    @inline(__always) static func beginReading(_ thread: ThreadRecord) -> Enclosing {
        if thread.isIdle, !ContainerScope.isAnyActive {
            thread.beginReading()
            return (DefaultContainer.core, nil)
        }
        let (core, scope) = enclosing(thread)
        thread.beginReading()
        return (core ?? DefaultContainer.core, scope)
    }

    /// The current container, set up if need be.
    static var core: ContainerCore { enclosing(.current).core?.object ?? DefaultContainer.container.core }

    /// What lazy wrappers and providers remember: the current container, or nil for the default at the time of use.
    static var remembered: ContainerCore? {
        let thread = ThreadRecord.current
        guard let core = enclosing(thread).core?.object else { return nil }
        // An object built by a factory of the default follows the default when it is replaced, as any object does. If
        // it was replaced after the factory began, the object stays with the container that builds it.
        let isDefaults = ThreadRecord.reading { DefaultContainer.core == Borrowed(core) }
        return isDefaults && (scope(thread) == nil || ContainerScope.container == nil) ? nil : core
    }

    private static func enclosing(_ thread: ThreadRecord) -> Enclosing {
        let scope = scope(thread)
        return (scope?.core ?? thread.innermostFrame?.core, scope?.identity)
    }

    /// The active scope, unless a factory was entered inside it.
    static func scope(_ thread: ThreadRecord) -> (core: Borrowed<ContainerCore>, identity: ObjectIdentifier)? {
        guard let scope = ContainerScope.current, thread.innermostFrame?.scope != scope.identity else { return nil }
        return scope
    }
}
