/// A factory that is running on this thread: what it builds, and the container that it resolves from.
///
/// Both stay alive while the frame is on its stack, and are borrowed so that a search of the stack retains nothing.
struct Frame {
    let container: UnretainedReference<AnyObject>
    /// What is being built; nil while nothing is.
    let subject: UnretainedReference<AnyObject>?
    /// The scope that was active when the factory began. If another is active now, the factory has entered it.
    let scope: ObjectIdentifier?
    /// Whether the frame keeps the container alive, because neither the caller nor the frame around this one does.
    let keepsContainer: Bool

    fileprivate func retainObjects() {
        if keepsContainer { container.retain() }
        subject?.retain()
    }

    fileprivate func releaseObjects() {
        subject?.release()
        if keepsContainer { container.release() }
    }
}

extension ThreadRecord {
    /// The factories that run on this thread, the outermost first.
    var frames: [Frame] { own.pointee.frames }

    /// Whether no factory runs on this thread.
    var isIdle: Bool { own.pointee.frames.isEmpty }

    var innermostFrame: Frame? { own.pointee.frames.last }

    /// Pushes a factory. Retains its subject and, if the frame has to, the container.
    /// - Parameter site: The place of the request, or nil if there was none.
    func push(_ frame: Frame, at site: CallSite? = nil) {
        if isIdle { own.pointee.origin = site }
        if heldQueues == 0 { frame.retainObjects() } else { retainInsideQueues(frame) }
        own.pointee.frames.append(frame)
    }

    /// Pops the innermost factory. What is attached to the outermost one is released once the thread is inside no
    /// queue.
    @usableFromInline func pop() {
        let frame = own.pointee.frames.removeLast()
        if isIdle, let attachment = own.pointee.attachment {
            own.pointee.attachment = nil
            runOutsideQueues { withExtendedLifetime(attachment) {} }
        }
        // A thread pops a frame inside the same queues in which it has pushed the frame.
        if heldQueues == 0 { frame.releaseObjects() }
    }

    /// Retains the objects of a frame until the thread has left every queue.
    private func retainInsideQueues(_ frame: Frame) {
        if frame.keepsContainer { retainInsideQueues(frame.container) }
        if let subject = frame.subject { retainInsideQueues(subject) }
    }

    /// Runs work as if outside of every factory.
    func runOutsideFactories(_ work: () -> Void) {
        var others: [Frame] = []
        swap(&others, &own.pointee.frames)
        let (attachment, origin) = (attachment, own.pointee.origin)
        own.pointee.attachment = nil
        own.pointee.isOutsideFactories = true
        work()
        own.pointee.isOutsideFactories = false
        own.pointee.attachment = attachment
        own.pointee.origin = origin
        swap(&others, &own.pointee.frames)
    }

    /// Whether this thread runs work as if outside of every factory.
    var isOutsideFactories: Bool { own.pointee.isOutsideFactories }

    /// An object that belongs to the outermost factory of this thread, and is released with it.
    var attachment: AnyObject? {
        get { own.pointee.attachment }
        nonmutating set { own.pointee.attachment = newValue }
    }
}
