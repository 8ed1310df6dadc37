// Running factories, and making instances of what they return.

extension ContainerCore {
    /// Runs the factory of an entry, unless `base` is its result, and then its decorators, with this container's resolver.
    func runFactory(
        of entry: Entry, _ owner: ContainerCore, from base: (any AnyBox)? = nil, _ request: borrowing Request
    ) throws -> any AnyBox {
        if base == nil, entry.isAsync { throw asyncRequired(entry, of: owner, request) }
        let thread = try pushFrame(for: entry, of: owner, request)
        do {
            defer { thread.pop() }
            guard isObserved else { return try construct(entry, of: owner, from: base, request) }
            let beginning = reportBuilding(entry)
            do {
                let box = try construct(entry, of: owner, from: base, request)
                reportBuilt(entry, since: beginning)
                return box
            } catch {
                reportFailed(entry, since: beginning, error)
                throw error
            }
        } catch {
            throw ResolutionError(wrapping: error, request, in: self, by: entry.subject)
        }
    }

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
        if let refusal { throw ResolutionError(refusal, of: request) }
        return thread
    }

    /// Calls the factory of an entry, unless `base` is its result, and then its decorators.
    private func construct(
        _ entry: Entry, of owner: ContainerCore, from base: (any AnyBox)?, _ request: borrowing Request
    ) throws -> any AnyBox {
        if let base { return try decorate(base, by: owner.addedDecorators(of: entry)) }
        guard case .factory(let factory) = entry.subject.kind else {
            if let refusal = entry.subject.refusal { throw refusal }
            preconditionFailure("Only a factory makes an instance of nothing.")
        }
        var arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        let box = try factory.make(Resolver(core: self), &arguments)
        return entry.isDecorated ? try decorate(box, by: entry.decorators) : box
    }

    /// Wraps an instance by decorators, with this container's resolver.
    func decorate(_ box: any AnyBox, by decorators: [Registration]) throws -> any AnyBox {
        try decorators.reduce(box) { base, decorator in
            guard case .decorator(let decorator) = decorator.kind else { return base }
            return try decorator.wrap(base, Resolver(core: self))
        }
    }

    /// Makes the error for an asynchronous factory, with the build that whoever awaits can begin.
    private func asyncRequired(
        _ entry: Entry, of owner: ContainerCore, _ request: borrowing Request
    ) -> ResolutionError {
        // Where the factory takes arguments, these are checked when it is awaited.
        if !entry.traits.takesArguments, !request.arguments.isEmpty {
            let mismatch = ArgumentMismatch(expected: [], supplied: request.arguments)
            return ResolutionError(request, .argumentMismatch(mismatch), in: self, by: entry.subject)
        }
        let build = AsyncBuild(entry, of: owner, for: self, request)
        return ResolutionError(request, .asyncRequired(build), in: self)
    }

    // MARK: Keeping what was built

    /// Runs a factory for this container, and keeps what it makes. Runs on the queue.
    func runFactoryAndKeep(
        _ entry: Entry, of owner: ContainerCore, madeOf base: Answer?, _ request: borrowing Request
    ) throws -> Answer {
        let box = try ContainerScope.running(for: self) {
            try runFactory(of: entry, owner, from: base?.box, request)
        }
        if (base?.instance?.traits ?? entry.traits).isWeak, box.weakened == nil {
            throw ResolutionError(request, .weakValueType(instance: box.instanceType), in: self)
        }
        return Answer(box: box, instance: keep(box, by: entry, of: owner, madeOf: base?.instance))
    }

    /// Keeps what was built. If the entry was replaced meanwhile, whoever asked gets the instance and nobody keeps it. Runs on
    /// the queue.
    @discardableResult
    func keep(_ box: any AnyBox, by entry: Entry, of owner: ContainerCore, madeOf basis: Instance?) -> Instance? {
        keepAlive(box, isWeak: (basis?.traits ?? entry.traits).isWeak)
        guard let instance = makeInstance(of: box, by: entry, owner, madeOf: basis) else { return nil }
        keepForClosing(instance)
        guard isReachable(entry) else { return nil }
        store(instance)
        return instance
    }

    /// Makes an instance for this container of what an entry has made. The traits of the instance that it wraps, if
    /// any, hold for it, too. Nil if a value would have to be held weakly.
    func makeInstance(
        of box: any AnyBox, by entry: Entry, _ owner: ContainerCore, madeOf basis: Instance?, isMember: Bool = false
    ) -> Instance? {
        var traits = basis?.traits ?? entry.traits
        traits.isMainActor = traits.isMainActor || entry.isMainActor
        if let basis { traits.isMadeOfForeign = traits.isMadeOfForeign || basis.keeper != Borrowed(self) }
        if let watch = owner.watch { traits.isWatched = traits.isWatched || watch.covers(entry) }
        return Instance(
            box, in: self, by: entry, of: foreign(Borrowed(owner)), madeOf: basis?.serial ?? 0, traits,
            isMember: isMember)
    }

    /// Keeps an instance alive until the outermost request is answered, if this container does not keep it.
    func keepAlive(_ box: any AnyBox, isWeak: Bool) {
        if isWeak || isAbandoned { RequestContext.current?.keepAlive(box) }
    }
}
