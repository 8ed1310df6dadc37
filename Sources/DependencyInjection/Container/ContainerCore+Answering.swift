// The long way. It answers what is not built yet, and what takes more than a read.

/// The result of a request: a box with the instance.
struct Answer {
    var box: any AnyBox
    /// The instance as it is kept; nil if nobody keeps it.
    var instance: Instance?
    /// The container that keeps what decorators make of the instance.
    var decoratedKeeper: Borrowed<ContainerCore>?
}

extension ContainerCore {
    /// Answers a request by what is registered for its type, or by an Optional, a provider or a collection made of that.
    @usableFromInline func box(for request: borrowing Request) throws(ResolutionError) -> any AnyBox {
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
    /// - Parameter start: Where the search begins: this container, or a parent whose registration is being decorated.
    func answer(_ request: borrowing Request, from start: ContainerCore? = nil) throws -> Answer? {
        dropUnreachable()
        while let (owner, entry) = (start ?? self).registered(request.key) {
            // A parent whose own entry answers may keep something of its parents'.
            owner.with { $0.dropUnreachable() }
            if let answer = try owner.with({ try answer(request, by: entry, of: $0) }) { return answer }
            // The registration was replaced meanwhile, so ask again.
        }
        return nil
    }

    private func answer(_ request: borrowing Request, by entry: Entry, of owner: ContainerCore) throws -> Answer? {
        if let watch = owner.watch, watch.covers(entry) {
            // This error is not thrown: it carries the place of the request, and the path to it.
            let asked = ResolutionError(request, .notRegistered, in: nil)
            watch.observer.registration(entry.subject, answers: asked, file: request.site.file)
        }
        // An asynchronous factory runs before this check, because it may run anywhere.
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

    private func checkMainActor(_ request: borrowing Request) throws {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    // MARK: Factories

    /// Runs the factory of an entry, unless `base` is its result, and then its decorators, with this container's resolver.
    private func build(
        _ entry: Entry, of owner: ContainerCore, from base: (any AnyBox)? = nil, _ request: borrowing Request
    ) throws -> any AnyBox {
        let answer = try entered(entry, of: owner, request) {
            Answer(
                box: try isObserved && !entry.isAsync
                    ? observed(entry, from: base, request) : made(entry, from: base, request))
        }
        guard let answer else { preconditionFailure("A factory always answers.") }
        return answer.box
    }

    /// Runs work in a frame for an entry; throws if that closes a cycle or if the stack has no room.
    @inline(never) private func entered(
        _ entry: Entry, of owner: ContainerCore, _ request: borrowing Request, _ work: () throws -> Answer?
    ) throws -> Answer? {
        let thread = ThreadRecord.current
        let place = entry.mode == .forwarded ? Borrowed(owner) : nil
        guard
            thread.enter(
                Borrowed(self), Borrowed(entry.subject), of: place, hasArguments: !request.arguments.isEmpty)
        else { throw ResolutionError(refused: request) }
        do {
            defer { thread.pop() }
            return try work()
        } catch is AsyncFactoryError {
            let build = AsyncBuild(entry, of: owner, for: self, request)
            throw ResolutionError(request, .asyncRequired(build), in: self, by: entry.subject)
        } catch {
            throw ResolutionError(wrapping: error, request, in: self, by: entry.subject)
        }
    }

    /// Makes an instance, and tells the observers when its building begins and ends.
    @inline(never)
    private func observed(_ entry: Entry, from base: (any AnyBox)?, _ request: borrowing Request) throws -> any AnyBox {
        let beginning = reportBuilding(entry)
        do {
            let box = try made(entry, from: base, request)
            reportBuilt(entry, since: beginning)
            return box
        } catch {
            reportFailed(entry, since: beginning, error)
            throw error
        }
    }

    private func made(_ entry: Entry, from base: (any AnyBox)?, _ request: borrowing Request) throws -> any AnyBox {
        if let base { return try decorated(base, by: entry) }
        // The arguments of an asynchronous factory are checked when it is awaited.
        if entry.isAsync, entry.traits.takesArguments { throw AsyncFactoryError() }
        var arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        let box = try Borrowed(entry.subject).with { try $0.kind.make(Resolver(core: self), &arguments) }
        return entry.isDecorated ? try decorated(box, by: entry) : box
    }

    /// Wraps an instance by the decorators of an entry, with this container's resolver.
    func decorated(_ box: any AnyBox, by entry: Entry) throws -> any AnyBox {
        try entry.decorators.reduce(box) { base, decorator in
            guard case .decorator(let decorate) = decorator.kind else { return base }
            return try decorate(base, Resolver(core: self))
        }
    }

    // MARK: Forwarding

    private func forwarded(by entry: Entry, of owner: ContainerCore, _ request: borrowing Request) throws -> Answer? {
        guard entry.isDecorated else { return try base(of: entry, owner, request) }
        // An observer must hear of the request for what is wrapped.
        if let known = current(entry, of: owner), !known.traits.isWatched,
            let answer = try known.keeper.object.reused(entry, of: owner, request)
        {
            return answer
        }
        return try asOneRequest(request) {
            guard let base = try base(of: entry, owner, request) else { return nil }
            guard let instance = base.instance, let keeper = base.decoratedKeeper else {
                return Answer(box: try build(entry, of: owner, from: base.box, request))
            }
            if instance.isMember { return try member(by: entry, of: owner, madeOf: base, request) }
            return try keeper.object.kept(by: entry, of: owner, madeOf: base, request)
        }
    }

    /// Runs work whose requests all belong to one graph of objects.
    private func asOneRequest<Result>(_ request: borrowing Request, _ work: () throws -> Result) throws -> Result {
        let thread = ThreadRecord.current
        guard thread.enter(Borrowed(self), nil) else { throw ResolutionError(refused: request) }
        defer { thread.pop() }
        return try work()
    }

    /// Answers by what an entry forwards to, converted to the type of the entry; nil if that was removed meanwhile.
    private func base(of entry: Entry, _ owner: ContainerCore, _ request: borrowing Request) throws -> Answer? {
        guard var answer = try entered(entry, of: owner, request, { try target(of: entry, owner, request) })
        else { return nil }
        answer.decoratedKeeper = answer.instance.map { instance in
            (answer.decoratedKeeper ?? instance.keeper).with { $0.lower(of: Borrowed(owner)) }
        }
        return answer
    }

    private func target(of entry: Entry, _ owner: ContainerCore, _ request: borrowing Request) throws -> Answer? {
        guard case .alias(let target) = entry.subject.kind else {
            return try owner.parent.flatMap { try answer(request, from: $0) }
        }
        let forwarded = request.forwarded(to: target.type, target.key)
        guard var answer = try answer(forwarded) else {
            // If the alias is gone, too, what is registered now answers.
            guard ThreadRecord.reading({ owner.isInstalled(entry) }) else { return nil }
            throw ResolutionError(forwarded, .notRegistered, in: self)
        }
        guard let view = entry.subject.converted(answer.box) else {
            throw ResolutionError(request, .typeMismatch(instance: answer.box.instanceType), in: nil)
        }
        answer.instance?.add(view, as: entry.key.type)
        answer.box = view
        return answer
    }

    // MARK: Keeping

    /// Returns what this container keeps for an entry, and builds it on the queue if need be; nil if the entry was replaced.
    @inline(never) private func kept(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: borrowing Request
    ) throws -> Answer? {
        // A thread on the queue need not look twice.
        if base == nil, !isHeldByCurrentThread, let answer = try reused(entry, of: owner, request) { return answer }
        return try exclusively {
            if owner !== self || base != nil { prepareToKeepForeign() }
            // Ask only the owner: a container in between may hide the entry, and asking again would then never end.
            guard ThreadRecord.reading({ owner.isInstalled(entry) }) else { return nil }
            if let answer = try reused(entry, of: owner, request) { return answer }
            // The instance to wrap may be outdated by now, so ask again.
            if let basis = base?.instance, !isBasis(basis, of: entry, owner) { return nil }
            return try built(by: entry, of: owner, madeOf: base, request)
        }
    }

    /// Returns what this container keeps for an entry, unless that is gone or outdated.
    private func reused(_ entry: Entry, of owner: ContainerCore, _ request: borrowing Request) throws -> Answer? {
        let current = current(entry, of: owner)
        guard let instance = current, instance.keeper == Borrowed(self), let box = instance.box else { return nil }
        if instance.traits.isMainActor { try checkMainActor(request) }
        if !instance.traits.takesArguments, !request.arguments.isEmpty {
            // The error names this container, which owns the registration.
            do { try request.refuseArguments() } catch { throw ResolutionError(wrapping: error, request, in: self) }
        }
        keepAlive(box, isWeak: instance.traits.isWeak)
        return Answer(box: box, instance: instance)
    }

    /// The current instance of an entry, retained.
    func current(_ entry: Entry, of owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { current(Borrowed(entry), of: Borrowed(owner))?.object }
    }

    // Not inlined, because the caller would then retain all arguments.
    @inline(never) private func built(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer?, _ request: borrowing Request
    ) throws -> Answer {
        let isNoted = addNote(entry.subject)
        defer { if isNoted { removeNote() } }
        let box = try ContainerScope.running(for: self) { try build(entry, of: owner, from: base?.box, request) }
        if (base?.instance?.traits ?? entry.traits).isWeak, box.weakened == nil {
            throw ResolutionError(request, .weakValueType(instance: box.instanceType), in: self)
        }
        return Answer(box: box, instance: keep(box, by: entry, of: owner, madeOf: base?.instance))
    }

    /// Keeps what was built. If the entry was replaced meanwhile, whoever asked gets the instance and nobody keeps it. Runs on
    /// the queue.
    @discardableResult @inline(never)
    func keep(_ box: any AnyBox, by entry: Entry, of owner: ContainerCore, madeOf basis: Instance?) -> Instance? {
        keepAlive(box, isWeak: (basis?.traits ?? entry.traits).isWeak)
        guard isReachable(entry), let instance = instance(box, by: entry, of: owner, madeOf: basis) else { return nil }
        keep(instance)
        return instance
    }

    /// Returns what the current graph of objects has for an entry and this container, and builds it if need be.
    ///
    /// If the request is the outermost one, nobody keeps the instance, because nothing else can ask for it.
    private func member(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: borrowing Request
    ) throws -> Answer {
        if let answer = try reused(entry, of: owner, request) { return answer }
        let context = RequestContext.current
        let box = try build(entry, of: owner, from: base?.box, request)
        guard let context,
            let instance = instance(box, by: entry, of: owner, madeOf: base?.instance, isMember: true)
        else { return Answer(box: box) }
        let known = context.add(instance)
        return Answer(box: known.box ?? box, instance: known)
    }

    /// Makes an instance for this container of what an entry has made. The traits of the instance that it wraps, if
    /// any, hold for it, too. Nil if a value would have to be held weakly.
    @inline(never) func instance(
        _ box: any AnyBox, by entry: Entry, of owner: ContainerCore, madeOf basis: Instance?, isMember: Bool = false
    ) -> Instance? {
        var traits = basis?.traits ?? entry.traits
        traits.isMainActor = traits.isMainActor || entry.isMainActor
        if let watch = owner.watch { traits.isWatched = traits.isWatched || watch.covers(entry) }
        return Instance(
            box, in: self, by: entry, of: foreign(Borrowed(owner)), madeOf: basis?.serial ?? 0, traits,
            isMember: isMember)
    }

    /// Keeps an instance alive until the outermost request is answered, if this container does not keep it.
    private func keepAlive(_ box: any AnyBox, isWeak: Bool) {
        if isWeak || isAbandoned { RequestContext.current?.keepAlive(box) }
    }
}
