/// A running factory of this thread, with the registration that it builds and the container that it resolves from.
///
/// Both objects outlive the frame. The stack retains the registration. The stack, the caller or an enclosing frame
/// retains the container. The frame itself retains neither, so that a search of the stack retains nothing.
struct FactoryFrame {
    let container: UnretainedReference<AnyObject>
    /// The registration that is being built. `nil` if nothing is being built.
    let subject: UnretainedReference<AnyObject>?
    /// The scope that was active when the factory began. If another scope is active now, the factory has entered it.
    let scope: ObjectIdentifier?
    /// Whether the frame retains the container, because neither the caller nor the enclosing frame does.
    let retainsContainer: Bool

    fileprivate func retainObjects() {
        if retainsContainer { container.retain() }
        subject?.retain()
    }

    fileprivate func releaseObjects() {
        subject?.release()
        if retainsContainer { container.release() }
    }
}

extension ThreadRecord {
    /// The running factories of this thread, outermost first.
    var frames: [FactoryFrame] { own.pointee.frames }

    /// Whether no factory runs on this thread.
    var isIdle: Bool { own.pointee.frames.isEmpty }

    var innermostFrame: FactoryFrame? { own.pointee.frames.last }

    /// Pushes a factory. Retains its registration and, if the frame requires it, the container.
    /// - Parameter site: The call site of the request, or `nil` if there is none.
    func push(_ frame: FactoryFrame, at site: CallSite? = nil) {
        if isIdle { own.pointee.origin = site }
        frame.retainObjects()
        own.pointee.frames.append(frame)
    }

    /// Pops the innermost factory. The attachment of the outermost factory is released after the thread has left every
    /// queue.
    @usableFromInline func pop() {
        let frame = own.pointee.frames.removeLast()
        if isIdle, let attachment = own.pointee.attachment {
            own.pointee.attachment = nil
            runOutsideQueues { withExtendedLifetime(attachment) {} }
        }
        frame.releaseObjects()
    }

    /// Runs work as if no factory were running on this thread.
    func runOutsideFactories(_ work: () -> Void) {
        var others: [FactoryFrame] = []
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

    /// Whether this thread runs work as if no factory were running on it.
    var isOutsideFactories: Bool { own.pointee.isOutsideFactories }

    /// An object that belongs to the outermost factory of this thread, and is released with it.
    var attachment: AnyObject? {
        get { own.pointee.attachment }
        nonmutating set { own.pointee.attachment = newValue }
    }
}
