// The slow path. It answers what is not built yet, and what takes more than a read.

extension ContainerCore {
    /// Answers a request by what is registered for its type, or by an Optional, a provider or a collection made of that.
    @usableFromInline func box(for request: borrowing Request) throws(ResolutionError) -> any AnyBox {
        do {
            if let answer = try answer(request, from: self) { return answer.box }
            try checkOpen(request)
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
    func answer(_ request: borrowing Request, from start: ContainerCore) throws -> Answer? {
        let key = request.key
        while true {
            let match = ThreadRecord.reading { thread in
                start.find(registered: key).map { found in
                    let way = way(of: found)
                    return (
                        found.entry.object(on: thread), found.owner, way?.keeper,
                        way?.instance(by: found)?.object(on: thread)
                    )
                }
            }
            guard let (entry, owner, keeper, known) = match else { return nil }
            try start.checkOpen(request, upTo: owner)
            if let answer = try answer(request, by: entry, of: owner, keptBy: keeper, known) { return answer }
            // The registration was replaced meanwhile, so ask again.
        }
    }

    private func answer(
        _ request: borrowing Request, by entry: Entry, of owner: Borrowed<ContainerCore>, keptBy keeper: Keeper?,
        _ known: Instance?
    ) throws -> Answer? {
        if entry.mode != .forwarded { tellObserver(of: entry, owner, request) }
        if entry.isMainActor { try checkMainActor(request) }
        if let supplied = request.supplied.first(where: { $0.entry === entry }) { return Answer(box: supplied.box) }
        // What is kept is answered without the queue.
        if let known {
            if known.traits.contains(.isWatched), entry.mode == .forwarded {
                try tellObserver(ofSource: entry, owner.object, request)
            }
            if let answer = try handOut(known, for: request) { return answer }
        }
        let owner = owner.object
        if entry.mode == .forwarded, !entry.isDecorated { return try askSource(of: entry, owner, request) }
        // What is wrapped and what wraps it belong to one graph of objects.
        let thread = entry.mode == .forwarded ? try pushFrame(request) : nil
        defer { thread?.pop() }
        return try Build(entry, of: owner, for: self, keptBy: keeper).run(for: request, to: self)
    }

    /// Answers by what is kept; nil if that is gone.
    func handOut(_ known: Instance, for request: borrowing Request) throws -> Answer? {
        guard let box = known.box else { return nil }
        if known.traits.contains(.isMainActor) { try checkMainActor(request) }
        if !known.traits.contains(.takesArguments), !request.arguments.isEmpty {
            // The error names the container that owns the registration.
            throw ResolutionError(request, .argumentMismatch(request.mismatch), in: known.keeper.object)
        }
        known.keeper.with { $0.keepForRequest(box, isWeak: known.traits.contains(.isWeak)) }
        return Answer(box: box, instance: known)
    }

    /// Throws unless this is the main actor.
    func checkMainActor(_ request: borrowing Request) throws {
        if !MainQueue.isCurrent { throw ResolutionError(request, .mainActorRequired, in: self) }
    }
}
