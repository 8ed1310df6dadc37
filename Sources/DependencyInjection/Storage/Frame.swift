/// A factory that is running on this thread: what it builds, and the container that it resolves from.
///
/// While it is on the stack of its thread it keeps both. They are borrowed so that the stack can be searched without retaining
/// what is on it.
struct Frame {
    let container: Borrowed<AnyObject>
    /// What is being built; nil while nothing is.
    let subject: Borrowed<AnyObject>?
    /// The scope that was active when the factory began; another one now was entered inside the factory.
    let scope: ObjectIdentifier?
    /// Whether neither the caller nor the frame around this one keeps the container.
    fileprivate var keepsContainer = true

    init(container: Borrowed<AnyObject>, subject: Borrowed<AnyObject>?, scope: ObjectIdentifier?) {
        self.container = container
        self.subject = subject
        self.scope = scope
    }
}

/// The factories that run on one thread, the outermost first. Only that thread uses them.
///
/// Not an array, which would look at each change whether anybody shares it. The memory is never freed: there is one for each
/// thread record.
struct FrameStack {
    private var slots = UnsafeMutablePointer<Frame>.allocate(capacity: 16)
    private var capacity: Int32 = 16
    private var depth: Int32 = 0

    var count: Int { Int(depth) }

    subscript(index: Int) -> Frame { slots[index] }

    mutating func push(_ frame: Frame) {
        if depth == capacity {
            let larger = UnsafeMutablePointer<Frame>.allocate(capacity: count * 2)
            larger.moveInitialize(from: slots, count: count)
            slots.deallocate()
            slots = larger
            capacity *= 2
        }
        (slots + count).initialize(to: frame)
        depth += 1
    }

    mutating func pop() -> Frame {
        depth -= 1
        return (slots + count).move()
    }

    mutating func removeAll() { depth = 0 }
}

extension ThreadRecord {
    /// The factories that run on this thread, the outermost first.
    var frames: [Frame] { (0..<own.pointee.frames.count).map { own.pointee.frames[$0] } }

    /// Whether no factory runs on this thread.
    var isIdle: Bool {
        @inline(__always) get { own.pointee.frames.count == 0 }
    }

    var innermostFrame: Frame? { isIdle ? nil : own.pointee.frames[own.pointee.frames.count - 1] }

    func countFrames(where isMeant: (Frame) -> Bool) -> Int {
        var count = 0
        for index in 0..<own.pointee.frames.count where isMeant(own.pointee.frames[index]) { count += 1 }
        return count
    }

    /// Makes a factory the innermost.
    /// - Parameter isHeld: Whether the caller keeps the container until the frame is taken out.
    func push(_ frame: Frame, isHeld: Bool) {
        var frame = frame
        frame.keepsContainer = !isHeld && innermostFrame?.container != frame.container
        if frame.keepsContainer { frame.container.retain() }
        frame.subject?.retain()
        own.pointee.frames.push(frame)
    }

    /// Takes the innermost factory out; what the outermost gathered is released when the thread is inside no queue.
    @usableFromInline
    func pop() {
        let frame = own.pointee.frames.pop()
        if isIdle, let gathered = own.pointee.gathered {
            own.pointee.gathered = nil
            whenFree { withExtendedLifetime(gathered) {} }
        }
        // Sound: this ends what `push` began.
        frame.subject?.release()
        if frame.keepsContainer { frame.container.release() }
    }

    /// What belongs to the outermost factory of this thread, and goes with it.
    var gathered: AnyObject? {
        get { own.pointee.gathered }
        nonmutating set { own.pointee.gathered = newValue }
    }
}
