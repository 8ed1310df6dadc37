// The long way: whatever is not built yet, or takes more than a read.

/// An instance on its way to whoever asked for it.
struct Answer {
    var box: any AnyBox
    /// What keeps it; nil if nobody does.
    var instance: Instance?
}

extension ContainerCore {
    /// Answers a request by whatever is registered for it, or by what can be made of that: an Optional, a provider.
    @usableFromInline
    func box(for request: Request) throws(ResolutionError) -> any AnyBox {
        do {
            if let answer = try answer(request) { return answer.box }
            if let synthesized = request.type as? any Synthesized.Type {
                return try asOneRequest(request) { try synthesized.synthesize(in: self, request) }
            }
        } catch { throw ResolutionError(wrapping: error, request, in: self) }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    /// Answers a request by what is registered for it; nil if nothing is.
    ///
    /// The search begins at `start`, which is this container unless it is a parent whose registration is being wrapped.
    func answer(_ request: Request, from start: ContainerCore? = nil) throws -> Answer? {
        while let (owner, entry) = (start ?? self).registered(request.key) {
            if let answer = try owner.with({ try answer(request, by: entry, of: $0) }) { return answer }
            // The registration was replaced meanwhile: ask again.
        }
        return nil
    }

    private func answer(_ request: Request, by entry: Entry, of owner: ContainerCore) throws -> Answer? {
        // What is yet to be awaited is built first, wherever that is asked for.
        let supplied = request.supplied.first { $0.entry === entry }?.box
        if entry.isMainActor, !entry.isAsync || supplied != nil { try checkMainActor(request) }
        if let supplied { return Answer(box: supplied) }
        switch entry.mode {
        case .transient: return Answer(box: try build(entry, of: owner, request))
        case .owned: return try owner.kept(by: entry, of: owner, request)
        case .scoped: return try kept(by: entry, of: owner, request)
        case .graph: return try member(by: entry, of: owner, request)
        case .forwarded: return try forwarded(by: entry, of: owner, request)
        }
    }

    private func checkMainActor(_ request: Request) throws {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    // MARK: Factories

    /// Builds with this container's resolver: by the factory of an entry, unless what it is made of is given, and its decorators.
    private func build(
        _ entry: Entry, of owner: ContainerCore, from base: (any AnyBox)? = nil, _ request: Request
    ) throws -> any AnyBox {
        let thread = try enter(entry, request)
        let beginning = reportBuilding(entry)
        let failure: any Error
        do {
            let built = try base ?? make(entry, request)
            let box = entry.isDecorated ? try decorated(built, by: entry) : built
            if let beginning { reportEnd(of: entry, since: beginning) }
            thread.pop()
            return box
        } catch { failure = error }
        if let beginning { reportEnd(of: entry, since: beginning, failure) }
        throw leave(thread, failure, entry, of: owner, request)
    }

    private func make(_ entry: Entry, _ request: Request) throws -> any AnyBox {
        guard case .factory(let factory) = entry.subject.kind else {
            if !entry.traits.takesArguments { try request.refuseArguments() }
            throw AsyncFactoryError()
        }
        var arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        return try factory.make(Resolver(core: self), &arguments)
    }

    /// Wraps an instance by the decorators of an entry, with this container's resolver.
    func decorated(_ box: any AnyBox, by entry: Entry) throws -> any AnyBox {
        try entry.decorators.reduce(box) { base, decorator in
            guard case .decorator(let decorate) = decorator.kind else { return base }
            return try decorate(base, Resolver(core: self))
        }
    }

    /// Makes what builds for an entry the innermost factory of the thread.
    private func enter(_ entry: Entry, _ request: Request) throws -> ThreadRecord {
        let thread = ThreadRecord.current
        if thread.enter(Borrowed(self), Borrowed(entry.subject), isHeld: false) { return thread }
        throw ResolutionError(refused: request)
    }

    /// Takes a factory that failed out, and says why it did by the path that led to the request.
    private func leave(
        _ thread: ThreadRecord, _ failure: any Error, _ entry: Entry, of owner: ContainerCore, _ request: Request
    ) -> ResolutionError {
        thread.pop()
        guard failure is AsyncFactoryError else { return ResolutionError(wrapping: failure, request, in: self) }
        let build = AsyncBuild(entry, of: owner, for: self, request)
        return ResolutionError(request, .asyncRequired, in: self, pending: build)
    }

    // MARK: Aliases, and what a child decorates of its parent's

    private func forwarded(by entry: Entry, of owner: ContainerCore, _ request: Request) throws -> Answer? {
        guard entry.isDecorated else { return try base(of: entry, owner, request) }
        if let keeper = current(entry, of: owner)?.keeper.object,
            let answer = try keeper.reused(entry, of: owner, request)
        {
            return answer
        }
        return try asOneRequest(request) {
            let base = try base(of: entry, owner, request)
            guard let instance = base.instance else {
                return Answer(box: try build(entry, of: owner, from: base.box, request))
            }
            if instance.isMember { return try member(by: entry, of: owner, madeOf: base, request) }
            let keeper = instance.keeper.object.home(of: Borrowed(owner)).object
            return try keeper.kept(by: entry, of: owner, madeOf: base, request)
        }
    }

    /// Makes one graph of all that the work asks for, unless it is part of one already.
    private func asOneRequest<Result>(_ request: Request, _ work: () throws -> Result) throws -> Result {
        let thread = ThreadRecord.current
        guard thread.enter(Borrowed(self), nil, isHeld: true) else { throw ResolutionError(refused: request) }
        defer { thread.pop() }
        return try work()
    }

    /// What an entry forwards to, under its own type.
    private func base(of entry: Entry, _ owner: ContainerCore, _ request: Request) throws -> Answer {
        let thread = try enter(entry, request)
        let failure: any Error
        do {
            let base = try target(of: entry, owner, request)
            thread.pop()
            return base
        } catch { failure = error }
        throw leave(thread, failure, entry, of: owner, request)
    }

    private func target(of entry: Entry, _ owner: ContainerCore, _ request: Request) throws -> Answer {
        guard case .alias(let alias) = entry.subject.kind else {
            if let parent = owner.parent, let answer = try answer(request, from: parent) { return answer }
            throw ResolutionError(request, .notRegistered, in: self)
        }
        let forwarded = request.forwarded(to: alias.target.type, alias.target.key)
        guard var answer = try answer(forwarded) else { throw ResolutionError(forwarded, .notRegistered, in: self) }
        guard let view = alias.convert(answer.box) else {
            throw ResolutionError(request, .typeMismatch(instance: answer.box.typeName), in: nil)
        }
        answer.instance?.add(view, as: entry.key.type)
        answer.box = view
        return answer
    }

    // MARK: Keeping

    /// What this container keeps for an entry, built on the queue if need be; nil if the entry was replaced.
    private func kept(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: Request
    ) throws -> Answer? {
        // Who is on the queue already need not look before.
        if base == nil, !isHeldByCurrentThread, let answer = try reused(entry, of: owner, request) { return answer }
        return try exclusively {
            guard owner !== self || isInstalled(entry) else { return nil }
            return try reused(entry, of: owner, request) ?? built(by: entry, of: owner, madeOf: base, request)
        }
    }

    /// What this container keeps for an entry, unless it is gone or outdated.
    private func reused(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws -> Answer? {
        guard let instance = current(entry, of: owner), instance.keeper == Borrowed(self), let box = instance.box else {
            return nil
        }
        if instance.traits.isMainActor { try checkMainActor(request) }
        if !instance.traits.takesArguments, !request.arguments.isEmpty {
            // Under this container, whose registration it is.
            do { try request.refuseArguments() } catch { throw ResolutionError(wrapping: error, request, in: self) }
        }
        keepAlive(box, isWeak: instance.traits.isWeak)
        return Answer(box: box, instance: instance)
    }

    /// The instance by which an entry answers at the moment, retained.
    private func current(_ entry: Entry, of owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { current(Borrowed(entry), of: Borrowed(owner))?.object }
    }

    // Not inlined where it would retain all that it is given.
    @inline(never)
    private func built(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer?, _ request: Request
    ) throws -> Answer {
        let box = try build(entry, of: owner, from: base?.box, request)
        if (base?.instance?.traits ?? entry.traits).isWeak, box.weakened == nil {
            throw ResolutionError(request, .weakValueType(instance: box.typeName), in: self)
        }
        return keep(box, by: entry, of: owner, madeOf: base?.instance)
    }

    /// Keeps what was built, unless its entry was replaced meanwhile: then whoever asked gets it, and nobody keeps it. On the
    /// queue.
    func keep(_ box: any AnyBox, by entry: Entry, of owner: ContainerCore, madeOf basis: Instance?) -> Answer {
        var traits = basis?.traits ?? entry.traits
        traits.isMainActor = traits.isMainActor || entry.isMainActor
        keepAlive(box, isWeak: traits.isWeak)
        guard owner !== self || isInstalled(entry),
            let instance = Instance(
                box, in: self, by: entry, of: foreign(Borrowed(owner)), madeOf: basis, traits)
        else { return Answer(box: box) }
        keep(instance)
        return Answer(box: box, instance: instance)
    }

    /// What the graph that is being built has of an entry for this container, built if need be; nobody keeps it for a request
    /// that leads to nothing else.
    private func member(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: Request
    ) throws -> Answer {
        let context = RequestContext.current
        if let known = context?.member(by: entry, for: self, madeOf: base?.instance), let box = known.box {
            if !known.traits.takesArguments { try request.refuseArguments() }
            return Answer(box: box, instance: known)
        }
        let box = try build(entry, of: owner, from: base?.box, request)
        guard let context,
            let instance = Instance(
                box, in: self, by: entry, of: foreign(Borrowed(owner)), madeOf: base?.instance,
                base?.instance?.traits ?? entry.traits, isMember: true)
        else { return Answer(box: box) }
        let known = context.add(instance, for: self, madeOf: base?.instance)
        return Answer(box: known.box ?? box, instance: known)
    }

    /// Keeps what this container does not keep until all that the outermost request leads to is built.
    private func keepAlive(_ box: any AnyBox, isWeak: Bool) {
        if isWeak || isAbandoned { RequestContext.current?.keepAlive(box) }
    }
}

/// Thrown by a plain request for what only `await` can build.
struct AsyncFactoryError: Error {}
