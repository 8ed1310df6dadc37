// The factories that run on a thread, as the engine sees them.

extension Frame {
    /// Makes the frame of a factory that resolves from a container.
    ///
    /// - Parameters:
    ///   - owner: The owner of an entry that only decorates. Several containers may have the same decorator.
    ///   - scope: The scope that is active; looked up if nil.
    init(
        _ core: Borrowed<ContainerCore>, _ registration: Borrowed<Registration>? = nil,
        of owner: Borrowed<ContainerCore>? = nil, scope: ObjectIdentifier? = nil, keepsContainer: Bool = false
    ) {
        self.init(
            container: core.unsafelyCast(), subject: registration?.unsafelyCast(), owner: owner?.unsafelyCast(),
            scope: scope ?? ContainerScope.current?.identity, keepsContainer: keepsContainer)
    }

    var core: Borrowed<ContainerCore> { container.unsafelyCast() }

    var registration: Borrowed<Registration>? { subject?.unsafelyCast() }
}

extension ThreadRecord {
    /// Pushes the frame of a factory that is about to run, unless that closes a cycle; returns whether it did.
    ///
    /// The caller keeps the container until the factory returns, unless it lets the frame do that.
    /// - Parameters:
    ///   - site: Where it was asked for.
    ///   - hasArguments: Whether the request has arguments, which an alias or a decorator hands on.
    func pushUnlessCycle(_ frame: Frame, at site: CallSite, hasArguments: Bool = false) -> Bool {
        if !isIdle {
            let repetitions = frames.count {
                $0.subject == frame.subject && $0.container == frame.container && $0.owner == frame.owner
            }
            if let registration = frame.registration, repetitions > 0,
                repetitions > registration.with({ $0.permittedRepetitions(hasArguments) })
            {
                return false
            }
        }
        push(frame, at: site)
        return true
    }

    /// How many aliases and decorators have forwarded to one another, up to the innermost.
    fileprivate var forwarding: Int {
        frames.reversed().prefix { $0.registration?.with { $0.isAlias || $0.isDecorator } ?? true }
            .count { $0.registration != nil }
    }

    /// The registrations that are being built in this task and on this thread, the outermost first.
    var path: [Registration] { requests.compactMap(\.registration) }

    /// A container that is asked or builds something, and what it builds.
    typealias AskedContainer = (core: ContainerCore?, registration: Registration?)

    /// The containers that are asked or build something in this task and on this thread, the outermost first, with what they
    /// build.
    var requests: [AskedContainer] {
        AsyncStep.all.reversed().map { ($0.core, $0.registration) }
            + frames.map { ($0.core.object, $0.registration?.object) }
    }

    /// Where the outermost request was made that this task and this thread are answering.
    var origin: CallSite? { AsyncStep.origin ?? (isIdle ? nil : own.pointee.origin) }
}

extension ContainerCore {
    /// Pushes the frame of an entry, or an empty one, which joins the requests made below it into one; throws if that closes a
    /// cycle, or if too many entries forward to one another. The caller pops it.
    func pushFrame(
        for entry: Entry? = nil, of owner: ContainerCore? = nil, _ request: borrowing Request
    ) throws(ResolutionError) -> ThreadRecord {
        let thread = ThreadRecord.current
        let place = entry?.isDecoratorOnly == true ? owner.map { Borrowed($0) } : nil
        let frame = Frame(Borrowed(self), entry.map { Borrowed($0.registration) }, of: place)
        guard entry?.mode != .forwarded || thread.forwarding < Way.longestForwarding,
            thread.pushUnlessCycle(frame, at: request.site, hasArguments: !request.arguments.isEmpty)
        else { throw ResolutionError(request, .cycle, in: nil) }
        return thread
    }
}

extension Registration {
    /// How often building it may lead back to itself. Only arguments can end such a recursion. Aliases and decorators hand on the
    /// request's arguments, and leave it to what they lead to.
    func permittedRepetitions(_ hasArguments: Bool) -> Int {
        (takesArguments || hasArguments) && (lifetime == .new || isDecorator || isAlias) ? 64 : 0
    }
}
