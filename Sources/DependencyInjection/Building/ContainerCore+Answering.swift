// The slow path. It answers what is not built yet, and what takes more than a read.

extension ContainerCore {
    /// Answers a request by what is registered for its type, or by an Optional, a provider or a collection made of that.
    @usableFromInline func box(for request: borrowing Request) throws(ResolutionError) -> any AnyBox {
        do {
            if let answer = try answer(request) { return answer.box }
            try checkOpen(request)
            if let synthesized = request.type as? any Synthesized.Type {
                // All that it asks for belongs to one graph of objects.
                let thread = try pushFrame(request)
                defer { thread.pop() }
                return try synthesized.synthesize(in: self, request)
            }
            try checkAllOpen(request)
        } catch { throw ResolutionError(wrapping: error, request, in: self) }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    /// Answers a request by what is registered for it; nil if nothing is.
    ///
    /// - Parameter start: Where the search begins: this container, or a parent whose registration is being decorated.
    func answer(_ request: borrowing Request, from start: ContainerCore? = nil) throws -> Answer? {
        while let (owner, entry, isKept) = entryAfterDroppingOutdated(request.key, from: start ?? self) {
            try (start ?? self).checkOpen(request, upTo: owner)
            if let answer = try owner.with({ try answer(request, by: entry, of: $0, isKept) }) { return answer }
            // The registration was replaced meanwhile, so ask again.
        }
        return nil
    }

    /// The entry that answers a key, the container that owns it, and whether something may be kept for the key. What is outdated
    /// of that goes before.
    private func entryAfterDroppingOutdated(
        _ key: Key, from start: ContainerCore
    ) -> (owner: Borrowed<ContainerCore>, entry: Entry, isKept: Bool)? {
        let (found, kept, ownersKept) = ThreadRecord.reading {
            let found = start.searchRegistered(key)
            // A parent whose own entry answers may keep something of its parents'.
            let ownersKept = found?.owner.with { $0 === self ? nil : $0.keptState(key) }
            return (found.map { ($0.owner, $0.entry.object) }, keptState(key), ownersKept)
        }
        if kept == .outdated { dropOutdated(key) }
        if ownersKept == .outdated { found?.0.with { $0.dropOutdated(key) } }
        return found.map { ($0, $1, kept != nil || ownersKept != nil) }
    }

    private func answer(
        _ request: borrowing Request, by entry: Entry, of owner: ContainerCore, _ isKept: Bool
    ) throws -> Answer? {
        if let watch = owner.watch, watch.covers(entry) {
            // This error is not thrown: it carries the place of the request, and the path to it.
            let asked = ResolutionError(request, .notRegistered, in: nil)
            watch.observer.registration(entry.subject, answers: asked, file: request.site.file)
        }
        // An asynchronous factory runs before this check, because it may run anywhere.
        let supplied = request.supplied.first { $0.entry === entry }?.box
        if entry.isMainActor, !entry.isAsync || supplied != nil { try checkMainActor(request) }
        if let supplied { return Answer(supplied) }
        if entry.mode == .forwarded { return try answerByForwarding(entry, of: owner, request) }
        // What is kept is answered without the queue.
        if isKept, let known = current(entry, of: owner), let answer = try answer(request, by: known) { return answer }
        let keeper = keeper(of: entry, Borrowed(owner))
        return try Build(entry, of: owner, for: self, keptBy: keeper).answer(request, of: self)
    }

    /// Answers by what is kept; nil if that is gone.
    func answer(_ request: borrowing Request, by known: Instance) throws -> Answer? {
        guard let box = known.box else { return nil }
        if known.traits.contains(.isMainActor) { try checkMainActor(request) }
        if !known.traits.contains(.takesArguments), !request.arguments.isEmpty {
            // The error names the container that owns the registration.
            let mismatch = ArgumentMismatch(expected: [], supplied: request.arguments)
            throw ResolutionError(request, .argumentMismatch(mismatch), in: known.keeper.object)
        }
        known.keeper.with { $0.keepForRequest(box, isWeak: known.traits.contains(.isWeak)) }
        return Answer(box, keptAs: known)
    }

    /// Throws unless this is the main actor.
    func checkMainActor(_ request: borrowing Request) throws {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    // MARK: Forwarding

    /// Answers by what an alias leads to or a decorator wraps; nil if that was removed meanwhile.
    private func answerByForwarding(
        _ entry: Entry, of owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        guard entry.isDecorated else { return try answerOfSource(of: entry, owner, request) }
        // An observer must hear of the request for what is wrapped, and a container that is closed refuse it.
        if !isCutOff, let known = current(entry, of: owner), !known.traits.contains(.isWatched),
            let answer = try answer(request, by: known)
        {
            return answer
        }
        // What is wrapped and what wraps it belong to one graph of objects.
        let thread = try pushFrame(request)
        defer { thread.pop() }
        guard let source = try answerOfSource(of: entry, owner, request) else { return nil }
        return try Build(entry, of: owner, for: self, keptBy: source.decoratedKeeper, madeOf: source).answer(
            request, of: self)
    }

    /// Answers by what an entry forwards to, converted to the type of the entry; nil if that was removed meanwhile.
    private func answerOfSource(
        of entry: Entry, _ owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        let thread = try pushFrame(for: entry, of: owner, request)
        defer { thread.pop() }
        var source: Answer?
        if case .alias(let target) = entry.subject.kind {
            source = try answerOfTarget(target, of: entry, owner, request)
        } else if let parent = owner.parent {
            source = try answer(request, from: parent)
        }
        if let keeper = source?.decoratedKeeper { source?.decoratedKeeper = keeper.lowered(to: Borrowed(owner)) }
        return source
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
}
