// The frames of factories, with typed access to their containers and registrations.

extension FactoryFrame {
    /// Creates the frame of a factory that resolves from a container.
    ///
    /// - Parameter scope: The active scope. If `nil`, the current scope is looked up.
    init(
        _ core: UnretainedReference<ContainerCore>, _ registration: UnretainedReference<Registration>? = nil,
        scope: ObjectIdentifier? = nil, retainsContainer: Bool = false
    ) {
        self.init(
            container: core.unsafelyCast(), subject: registration?.unsafelyCast(),
            scope: scope ?? ContainerScope.current?.identity, retainsContainer: retainsContainer)
    }

    var core: UnretainedReference<ContainerCore> { container.unsafelyCast() }

    /// The registration whose factory runs, or `nil` for a frame that joins several requests into one graph.
    var registration: UnretainedReference<Registration>? { subject?.unsafelyCast() }
}

extension ThreadRecord {
    /// Pushes the frame of a factory, unless that closes a cycle. A cycle is a repetition of a registration and a
    /// container.
    ///
    /// The caller retains the container until the factory returns, unless the frame does.
    /// - Parameters:
    ///   - site: The place of the request.
    ///   - hasArguments: Whether the request has arguments, which an alias or a decorator passes on.
    /// - Returns: Whether the frame was pushed.
    func pushUnlessCycle(_ frame: FactoryFrame, at site: CallSite, hasArguments: Bool = false) -> Bool {
        if !isIdle, let registration = frame.registration {
            let repetitions = frames.count { $0.subject == frame.subject && $0.container == frame.container }
            if repetitions > 0, repetitions > registration.with({ $0.permittedRepetitions(hasArguments: hasArguments) })
            {
                return false
            }
        }
        push(frame, at: site)
        return true
    }

    /// The registrations whose factories run in this task and on this thread, the outermost first.
    var path: [Registration] { requests.compactMap(\.registration) }

    /// A container that resolves a request, and the registration whose factory it runs.
    struct RequestInProgress {
        let core: ContainerCore?
        let registration: Registration?
    }

    /// The requests that this task and this thread resolve, the outermost first.
    var requests: [RequestInProgress] {
        AsyncStep.all.reversed().map { RequestInProgress(core: $0.core, registration: $0.registration) }
            + frames.map { RequestInProgress(core: $0.core.object, registration: $0.registration?.object) }
    }

    /// The place of the outermost request that this task and this thread resolve.
    var origin: CallSite? { AsyncStep.origin ?? (isIdle ? nil : own.pointee.origin) }
}

extension ContainerCore {
    /// Pushes the frame of an entry, or a frame that joins the requests below it into one graph. The caller pops it.
    ///
    /// - Throws: The error of a cycle.
    func pushFrame(
        for entry: Entry? = nil, _ request: Request
    ) throws(ResolutionError) -> ThreadRecord {
        let thread = ThreadRecord.current
        let frame = FactoryFrame(UnretainedReference(self), entry.map { UnretainedReference($0.registration) })
        guard thread.pushUnlessCycle(frame, at: request.site, hasArguments: !request.arguments.isEmpty) else {
            throw ResolutionError(request, .cycle, in: nil)
        }
        return thread
    }
}

extension Registration {
    /// The number of repetitions that aren't a cycle. Only arguments can end such a recursion. An alias and a decorator
    /// pass the arguments of the request on.
    func permittedRepetitions(hasArguments: Bool) -> Int {
        let isRepeatable = isDecorator || isAlias || lifetime?.permitsRecursion == true
        return (takesArguments || hasArguments) && isRepeatable ? 64 : 0
    }
}
