/// A factory that is running on this thread: the step of a path that errors print and cycles are found by.
///
/// Frames live on the stack of the thread, each pointing to the one that asked for it.
@usableFromInline
struct Frame {
    /// The container that the factory resolves from. It lives at least as long as the factory runs.
    let core: Unmanaged<ContainerCore>
    /// What is being built; nil while ``DependencyRegistering/registerDependencies()`` runs.
    let registration: Unmanaged<Registration>?
    /// The scope that was active when the factory began; another one now was entered inside the factory.
    private(set) var scope: UnsafeRawPointer?
    private(set) var parent: UnsafeMutablePointer<Frame>?
    private(set) var depth = 0

    /// How deep a graph may repeat a `New` registration that takes arguments; it may end by its arguments, as a tree does.
    static let recursionLimit = 256

    @usableFromInline
    init(core: Unmanaged<ContainerCore>, registration: Unmanaged<Registration>?) {
        self.core = core
        self.registration = registration
    }

    /// Makes this the innermost frame of the thread, unless what it builds is being built already.
    @usableFromInline
    static func enter(
        _ frame: UnsafeMutablePointer<Frame>, on thread: ThreadRecord, _ request: @autoclosure () -> Request
    )
        throws(ResolutionError)
    {
        enter(frame, on: thread)
        guard frame.pointee.closesCycle else { return }
        leave(frame, from: thread)
        throw ResolutionError(request(), .cycle)
    }

    static func enter(_ frame: UnsafeMutablePointer<Frame>, on thread: ThreadRecord) {
        let parent = thread.pointer.pointee.frame
        frame.pointee.scope = ContainerScope.currentIdentity
        frame.pointee.parent = parent
        frame.pointee.depth = (parent?.pointee.depth ?? 0) + 1
        thread.pointer.pointee.frame = frame
    }

    @usableFromInline
    static func leave(_ frame: UnsafeMutablePointer<Frame>, from thread: ThreadRecord) {
        let parent = frame.pointee.parent
        thread.pointer.pointee.frame = parent
        if parent == nil, !thread.pointer.pointee.keptAlive.isEmpty { thread.pointer.pointee.keptAlive = [] }
    }

    /// Keeps an instance that the container does not keep, until the graph that this thread is building is complete.
    static func keepAlive<T>(_ instance: T) {
        let thread = ThreadRecord.current
        guard thread.pointer.pointee.frame != nil else { return }
        thread.pointer.pointee.keptAlive.append(instance)
    }

    /// Whether a frame further out builds the same in the same container.
    private var closesCycle: Bool {
        guard let registration else { return false }
        var next = parent
        while let frame = next {
            if frame.pointee.registration?.toOpaque() == registration.toOpaque(),
                frame.pointee.core.toOpaque() == core.toOpaque(),
                depth > Self.recursionLimit || !registration.takeUnretainedValue().mayRecur
            {
                return true
            }
            next = frame.pointee.parent
        }
        return false
    }

    /// The registrations that are being built on this thread, the outermost first.
    static var path: [Registration] {
        var path: [Registration] = []
        var next = ThreadRecord.current.pointer.pointee.frame
        while let frame = next {
            if let registration = frame.pointee.registration { path.append(registration.takeUnretainedValue()) }
            next = frame.pointee.parent
        }
        return path.reversed()
    }
}

extension Registration {
    /// Whether building it may lead back to itself: only arguments can end such a recursion.
    var mayRecur: Bool { lifetime == .new && !argumentTypes.isEmpty }
}
