// The slow path. It answers what is not built yet, and what takes more than a read.

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
        if let successor { return try successor.box(for: request) }
        do {
            try checkOpen(request)
            if let answer = try answer(request) { return answer.box }
            if let synthesized = request.type as? any Synthesized.Type {
                // All that it asks for belongs to one graph of objects.
                let thread = try pushFrame(request)
                defer { thread.pop() }
                return try synthesized.synthesize(in: self, request)
            }
            try checkOpen(request, upTo: nil)
        } catch { throw ResolutionError(wrapping: error, request, in: self) }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    /// Answers a request by what is registered for it; nil if nothing is.
    ///
    /// - Parameter start: Where the search begins: this container, or a parent whose registration is being decorated.
    func answer(_ request: borrowing Request, from start: ContainerCore? = nil) throws -> Answer? {
        dropUnreachable()
        while let (owner, entry) = (start ?? self).registered(request.key) {
            try (start ?? self).checkOpen(request, upTo: owner)
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
        case .transient: return Answer(box: try runFactory(of: entry, owner, request))
        case .owned where owner !== self:
            if let answer = try owner.currentAnswer(by: entry, of: owner, request) { return answer }
            // An error in the parent's factory has to know that this child asked.
            let thread = try pushFrame(request)
            defer { thread.pop() }
            return try owner.answerFromContainer(by: entry, of: owner, request)
        case .scoped where isOverlay:
            return try keeperOfScoped(by: Borrowed(owner)).object.answerFromContainer(by: entry, of: owner, request)
        case .owned, .scoped: return try answerFromContainer(by: entry, of: owner, request)
        case .graph: return try answerFromGraph(by: entry, of: owner, request)
        case .forwarded: return try answerByForwarding(entry, of: owner, request)
        }
    }

    private func checkMainActor(_ request: borrowing Request) throws {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    // MARK: Forwarding

    /// Answers by what an alias leads to or a decorator wraps; nil if that was removed meanwhile.
    private func answerByForwarding(
        _ entry: Entry, of owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        guard entry.isDecorated else { return try answerOfSource(of: entry, owner, request) }
        // An observer must hear of the request for what is wrapped, and a container that is closed refuse it.
        if !isCutOff, let known = current(entry, of: owner), !known.traits.isWatched,
            let answer = try known.keeper.object.currentAnswer(by: entry, of: owner, request)
        {
            return answer
        }
        // What is wrapped and what wraps it belong to one graph of objects.
        let thread = try pushFrame(request)
        defer { thread.pop() }
        guard let base = try answerOfSource(of: entry, owner, request) else { return nil }
        guard let instance = base.instance, let keeper = base.decoratedKeeper else {
            return Answer(box: try runFactory(of: entry, owner, from: base.box, request))
        }
        if instance.isMember { return try answerFromGraph(by: entry, of: owner, madeOf: base, request) }
        return try keeper.object.answerFromContainer(by: entry, of: owner, madeOf: base, request)
    }

    /// Answers by what an entry forwards to, converted to the type of the entry; nil if that was removed meanwhile.
    private func answerOfSource(
        of entry: Entry, _ owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        var source: Answer?
        let thread = try pushFrame(for: entry, of: owner, request)
        do {
            defer { thread.pop() }
            if case .alias(let target) = entry.subject.kind {
                source = try answerOfTarget(target, of: entry, owner, request)
            } else if let parent = owner.parent {
                source = try answer(request, from: parent)
            }
        } catch {
            throw ResolutionError(wrapping: error, request, in: self, by: entry.subject)
        }
        guard var answer = source, let instance = answer.instance else { return source }
        let keeper = answer.decoratedKeeper ?? instance.keeper
        answer.decoratedKeeper = keeper.with { $0.lower(of: Borrowed(owner)) }
        return answer
    }

    private func answerOfTarget(
        _ target: Registration, of alias: Entry, _ owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        let forwarded = request.forwarded(to: target.type, target.key)
        guard var answer = try answer(forwarded) else {
            // If the alias is gone, too, what is registered now answers.
            guard ThreadRecord.reading({ owner.isInstalled(alias) }) else { return nil }
            throw ResolutionError(forwarded, .notRegistered, in: self)
        }
        guard let view = alias.subject.converted(answer.box) else {
            throw ResolutionError(request, .typeMismatch(instance: answer.box.instanceType), in: nil)
        }
        answer.instance?.add(view, as: alias.key.type)
        answer.box = view
        return answer
    }

    // MARK: Keeping

    /// Returns what this container keeps for an entry, and builds it on the queue if need be; nil if the entry was replaced.
    private func answerFromContainer(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: borrowing Request
    ) throws -> Answer? {
        // A thread on the queue need not look twice.
        let isNested = isHeldByCurrentThread
        if base == nil, !isNested, let answer = try currentAnswer(by: entry, of: owner, request) { return answer }
        return try exclusively {
            if owner !== self || base != nil { prepareToKeepForeign() }
            // Ask only the owner: a container in between may hide the entry, and asking again would then never end.
            guard ThreadRecord.reading({ owner.isInstalled(entry) }) else { return nil }
            if let answer = try currentAnswer(by: entry, of: owner, request) { return answer }
            // The instance to wrap may be outdated by now, so ask again.
            if let basis = base?.instance, !isSource(basis, of: entry, owner) { return nil }
            try checkMayKeep(request, isNested: isNested)
            let build = noteBuild(of: entry.subject)
            defer { if let build { note.replace(with: build.outer) } }
            return try runFactoryAndKeep(entry, of: owner, madeOf: base, request)
        }
    }

    /// Returns what this container or the current graph keeps for an entry, unless that is gone or outdated.
    private func currentAnswer(
        by entry: Entry, of owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        guard let instance = current(entry, of: owner), instance.keeper == Borrowed(self), let box = instance.box
        else { return nil }
        if instance.traits.isMainActor { try checkMainActor(request) }
        if !instance.traits.takesArguments, !request.arguments.isEmpty {
            // The error names this container, which owns the registration.
            let mismatch = ArgumentMismatch(expected: [], supplied: request.arguments)
            throw ResolutionError(request, .argumentMismatch(mismatch), in: self)
        }
        keepAlive(box, isWeak: instance.traits.isWeak)
        return Answer(box: box, instance: instance)
    }

    /// The current instance of an entry, retained.
    func current(_ entry: Entry, of owner: ContainerCore) -> Instance? {
        ThreadRecord.reading { current(Borrowed(entry), of: Borrowed(owner))?.object }
    }

    /// Returns what the current graph of objects has for an entry and this container, and builds it if need be.
    ///
    /// If the request is the outermost one, nobody keeps the instance, because nothing else can ask for it.
    private func answerFromGraph(
        by entry: Entry, of owner: ContainerCore, madeOf base: Answer? = nil, _ request: borrowing Request
    ) throws -> Answer {
        if let answer = try currentAnswer(by: entry, of: owner, request) { return answer }
        let context = RequestContext.current
        let box = try runFactory(of: entry, owner, from: base?.box, request)
        guard let context,
            let instance = makeInstance(of: box, by: entry, owner, madeOf: base?.instance, isMember: true)
        else { return Answer(box: box) }
        let known = context.add(instance)
        return Answer(box: known.box ?? box, instance: known)
    }
}
