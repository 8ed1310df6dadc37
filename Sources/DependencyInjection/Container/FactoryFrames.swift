// The factories that run on a thread, as the engine sees them.

extension ThreadRecord {
    /// Pushes a frame for a registration; returns why not if that is being built already, or if the stack has no room.
    ///
    /// The caller keeps the container and the registration until the factory returns, unless it lets the frame do that.
    /// - Parameters:
    ///   - site: Where it was asked for.
    ///   - owner: The owner of an entry that forwards to another. Several containers may have the same decorator.
    ///   - hasArguments: Whether the request has arguments, which a decorator hands on.
    func enter(
        _ core: Borrowed<ContainerCore>, _ registration: Borrowed<Registration>?, at site: CallSite,
        of owner: Borrowed<ContainerCore>? = nil,
        hasArguments: Bool = false, scope: ObjectIdentifier? = nil, keepsContainer: Bool = false,
        keepsRegistration: Bool = false
    ) -> ResolutionError.Cause? {
        let frame = Frame(
            container: core.unsafelyCast(), subject: registration?.unsafelyCast(), owner: owner?.unsafelyCast(),
            scope: scope ?? ContainerScope.current?.identity, keepsContainer: keepsContainer,
            keepsSubject: keepsRegistration)
        if !isIdle {
            guard own.pointee.stack.isLeft else { return .tooDeep }
            let repetitions = frames.count {
                $0.subject == frame.subject && $0.container == frame.container && $0.owner == frame.owner
            }
            if let registration, repetitions > 0,
                repetitions > registration.with({ $0.permittedRepetitions(hasArguments) })
            {
                return .cycle
            }
        }
        push(frame, at: site)
        return nil
    }

    /// The registrations that are being built in this task and on this thread, the outermost first.
    var path: [Registration] { requests.compactMap(\.registration) }

    /// A container that is asked or builds something, and what it builds.
    typealias AskedContainer = (core: ContainerCore?, registration: Registration?)

    /// The containers that are asked or build something in this task and on this thread, the outermost first, with what they
    /// build.
    var requests: [AskedContainer] {
        AsyncStep.all.reversed().map { ($0.core, $0.registration) }
            + frames.map { ($0.container.unsafelyCast().object, $0.subject?.unsafelyCast().object) }
    }

    /// Where the outermost request was made that this task and this thread are answering.
    var origin: CallSite? { AsyncStep.origin ?? (isIdle ? nil : own.pointee.origin) }

    /// The container of the innermost factory, and the scope in which the factory began.
    var innermost: (core: Borrowed<ContainerCore>, scope: ObjectIdentifier?)? {
        innermostFrame.map { ($0.container.unsafelyCast(), $0.scope) }
    }
}

extension ContainerCore {
    /// Pushes a frame for an entry, or one that makes all requests of a scope one request; throws if that closes a cycle
    /// or if the stack has no room. The caller pops it.
    func pushFrame(
        for entry: Entry? = nil, of owner: ContainerCore? = nil, _ request: borrowing Request
    ) throws(ResolutionError) -> ThreadRecord {
        let thread = ThreadRecord.current
        let place = entry?.mode == .forwarded ? owner.map { Borrowed($0) } : nil
        let refusal = thread.enter(
            Borrowed(self), entry.map { Borrowed($0.subject) }, at: request.site, of: place,
            hasArguments: !request.arguments.isEmpty)
        if let refusal { throw ResolutionError(request, refusal, in: nil) }
        return thread
    }
}

extension Registration {
    /// How often building it may lead back to itself. Only arguments can end such a recursion; aliases and decorators
    /// hand on the request's arguments.
    func permittedRepetitions(_ hasArguments: Bool) -> Int {
        (takesArguments || hasArguments) && (lifetime == .new || isDecorator) ? 256 : 0
    }
}
