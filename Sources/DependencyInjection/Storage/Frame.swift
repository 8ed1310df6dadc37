/// A factory that is running on this thread: the step of a path that errors print and cycles are found by.
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
        let depth = frames.pointee.depth
        return depth == 0 ? nil : frames.pointee[depth - 1]
    }

    /// The registrations that are being built on this thread, the outermost first.
    var path: [Registration] {
        (0..<frames.pointee.depth).compactMap { frames.pointee[$0].registration?.takeUnretainedValue() }
    }

    /// Makes a factory the innermost, unless what it builds is being built already: then the result is false.
    ///
    /// Both objects live until ``leave()``: the caller sees to that, or ``PostponedRelease``.
    func enter(_ core: Unmanaged<ContainerCore>, _ registration: Unmanaged<Registration>?) -> Bool {
        let frame = Frame(core: core, registration: registration, scope: ContainerScope.currentIdentity)
        if frames.pointee.depth > 0, closesCycle(frame) { return false }
        frames.pointee.push(frame)
        return true
    }

    @usableFromInline
    func leave() {
        frames.pointee.pop()
        if frames.pointee.depth == 0, !own.pointee.keptAlive.isEmpty {
            let done = own.pointee.keptAlive
            own.pointee.keptAlive = []
            whenFree { withExtendedLifetime(done) {} }
        }
        if frames.pointee.depth < sweepBelow {
            sweepBelow = 0
            whenFree { PostponedRelease.sweep() }
        }
    }

    private func closesCycle(_ frame: Frame) -> Bool {
        guard let registration = frame.registration else { return false }
        var repetitions = 0
        for index in 0..<frames.pointee.depth {
            let outer = frames.pointee[index]
            if outer.registration?.toOpaque() == registration.toOpaque(), outer.core.toOpaque() == frame.core.toOpaque()
            {
                repetitions += 1
            }
        }
        return repetitions > 0 && repetitions > registration._withUnsafeGuaranteedRef { $0.permittedRepetitions }
    }

    /// Keeps an instance that the container does not keep, until the graph that this thread is building is complete.
    func keepAlive(_ box: Holder) {
        if frames.pointee.depth > 0 { own.pointee.keptAlive.append(box) }
    }
}

extension Registration {
    /// How often building it may lead back to itself: only arguments can end such a recursion.
    var permittedRepetitions: Int { lifetime == .new && !argumentTypes.isEmpty ? 256 : 0 }
}
