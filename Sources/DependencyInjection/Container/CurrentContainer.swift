/// Which container code without one at hand means.
///
/// The innermost of these: the `withContainer` that is active in this task, or the container of the factory that this
/// thread is running; else the default.
enum CurrentContainer {
    /// A container, kept by the scope or the factory that made it current, and the active scope.
    typealias Enclosing = (core: Borrowed<ContainerCore>?, scope: ObjectIdentifier?)

    /// Announces a read and finds the current container, or nil if it is a default that has yet to be set up.
    @inline(__always)
    static func beginReading(_ thread: ThreadRecord) -> Enclosing {
        if thread.isIdle, !ContainerScope.isAnyActive {
            thread.beginReading()
            return (DefaultContainer.core.load(), nil)
        }
        let (core, scope) = enclosing(thread)
        thread.beginReading()
        return (core ?? DefaultContainer.core.load(), scope)
    }

    /// The current container, set up if need be.
    static var core: ContainerCore { enclosing(.current).core?.object ?? DefaultContainer.container.core }

    /// The current container, unless it is the default because nothing else is: what an object remembers that resolves later.
    static var remembered: ContainerCore? {
        let thread = ThreadRecord.current
        guard let core = enclosing(thread).core?.object else { return nil }
        // An object that a factory of the default builds is as free to follow its replacement as any other. (If the default
        // has been replaced since the factory began, the object stays with the container that builds it.)
        let isDefaults = ThreadRecord.reading { DefaultContainer.core.load() == Borrowed(core) }
        return isDefaults && scope(thread) == nil ? nil : core
    }

    private static func enclosing(_ thread: ThreadRecord) -> Enclosing {
        let scope = scope(thread)
        return (scope?.core ?? thread.innermost?.core, scope?.identity)
    }

    /// The active scope, unless a factory was entered inside it.
    private static func scope(_ thread: ThreadRecord) -> (core: Borrowed<ContainerCore>, identity: ObjectIdentifier)? {
        guard let scope = ContainerScope.current, thread.innermost?.scope != scope.identity else { return nil }
        return scope
    }
}
