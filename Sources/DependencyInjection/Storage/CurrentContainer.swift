internal import Synchronization

/// Which container code without one at hand means.
///
/// The innermost of these: the `withContainer` that is active in this task, or the container of the factory that this
/// thread is running; else the default.
enum CurrentContainer {
    /// The address of the default container's core once it is set up; retained by ``DefaultContainer``.
    static let defaultBits = Atomic<UInt>(0)

    @inline(__always)
    private static var defaultCore: Unmanaged<ContainerCore>? {
        UnsafeRawPointer(bitPattern: defaultBits.load(ordering: .sequentiallyConsistent)).map(Unmanaged.fromOpaque)
    }

    /// Announces a read and finds the current container, or nil if it is a default that has yet to be set up.
    @inline(__always)
    static func beginReading(_ thread: ThreadRecord) -> Unmanaged<ContainerCore>? {
        if thread.frames.pointee.depth == 0, !ContainerScope.isAnyActive {
            thread.beginReading()
            return defaultCore
        }
        // While this code runs, its container is kept by the scope, or as the frame's by whoever called the factory.
        let enclosing = enclosing(thread)
        thread.beginReading()
        return enclosing ?? defaultCore
    }

    /// The current container, set up if need be.
    static var core: ContainerCore {
        enclosing(ThreadRecord.current)?.takeUnretainedValue() ?? DefaultContainer.container.core
    }

    /// The current container, unless it is the default because nothing else is: what an object remembers that resolves later.
    static var remembered: ContainerCore? {
        let thread = ThreadRecord.current
        if let scope = scope(thread) { return scope.takeUnretainedValue() }
        // An object that a factory of the default builds is as free to follow its replacement as any other. (If the default
        // has been replaced since the factory began, the object stays with the container that builds it.)
        guard let core = thread.frame?.core, core.toOpaque() != defaultCore?.toOpaque() else { return nil }
        return core.takeUnretainedValue()
    }

    private static func enclosing(_ thread: ThreadRecord) -> Unmanaged<ContainerCore>? {
        scope(thread) ?? thread.frame?.core
    }

    /// The container of the active scope, unless a factory was entered inside it.
    private static func scope(_ thread: ThreadRecord) -> Unmanaged<ContainerCore>? {
        guard ContainerScope.isAnyActive, let scope = ContainerScope.current else { return nil }
        if let frame = thread.frame, frame.scope == UnsafeRawPointer(Unmanaged.passUnretained(scope).toOpaque()) {
            return nil
        }
        return .passUnretained(scope.core)
    }
}
