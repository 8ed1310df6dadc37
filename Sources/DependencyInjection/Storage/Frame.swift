/// A factory that is running on this thread: the step of a path that errors print and cycles are found by.
@usableFromInline
struct Frame {
    /// The container that the factory resolves from. It lives at least as long as the factory runs.
    let core: Unmanaged<ContainerCore>
    /// What is being built; nil while ``DependencyRegistering/registerDependencies()`` runs.
    let registration: Unmanaged<Registration>?
    /// The scope that was active when the factory began; another one now was entered inside the factory.
    let scope: UnsafeRawPointer?
}

extension ThreadRecord {
    /// The innermost factory that runs on this thread.
    var frame: Frame? {
        let depth = own.pointee.depth
        return depth == 0 ? nil : own.pointee.frames[depth - 1]
    }

    /// The registrations that are being built on this thread, the outermost first.
    var path: [Registration] {
        (0..<own.pointee.depth).compactMap { own.pointee.frames[$0].registration?.takeUnretainedValue() }
    }

    /// Makes a factory the innermost, unless what it builds is being built already: then the result is false.
    ///
    /// The caller keeps both objects until ``leave()``.
    @usableFromInline
    func enter(_ core: Unmanaged<ContainerCore>, _ registration: Unmanaged<Registration>?) -> Bool {
        let depth = own.pointee.depth
        if depth == own.pointee.capacity { own.pointee.grow() }
        let frame = Frame(core: core, registration: registration, scope: ContainerScope.currentIdentity)
        if depth > 0, closesCycle(frame) { return false }
        own.pointee.frames[depth] = frame
        own.pointee.depth = depth + 1
        return true
    }

    @usableFromInline
    func leave() {
        own.pointee.depth -= 1
        if own.pointee.depth == 0, !own.pointee.keptAlive.isEmpty {
            let done = own.pointee.keptAlive
            own.pointee.keptAlive = []
            whenFree { withExtendedLifetime(done) {} }
        }
    }

    private func closesCycle(_ frame: Frame) -> Bool {
        guard let registration = frame.registration else { return false }
        var repetitions = 0
        for index in 0..<own.pointee.depth {
            let outer = own.pointee.frames[index]
            if outer.registration?.toOpaque() == registration.toOpaque(), outer.core.toOpaque() == frame.core.toOpaque()
            {
                repetitions += 1
            }
        }
        return repetitions > 0 && repetitions > registration._withUnsafeGuaranteedRef(\.permittedRepetitions)
    }

    /// Keeps an instance that the container does not keep, until the graph that this thread is building is complete.
    func keepAlive(_ box: Holder) {
        if own.pointee.depth > 0 { own.pointee.keptAlive.append(box) }
    }
}

extension Registration {
    /// How often building it may lead back to itself: only arguments can end such a recursion.
    var permittedRepetitions: Int { lifetime == .new && !argumentTypes.isEmpty ? 256 : 0 }
}
