/// What makes an instance, for which container, and who keeps it.
struct Build {
    let entry: Entry
    /// The container that has the entry.
    let owner: ContainerCore
    /// The container that the factory resolves from. If a container keeps the instance, it is that one.
    let core: ContainerCore
    /// Nil if the entry forwards to nothing.
    let keeper: Keeper?
    /// What the decorators wrap, once it was asked for; nil if the entry has a factory of its own.
    private var source: Answer?

    init(_ entry: Entry, of owner: ContainerCore, for asked: ContainerCore, keptBy keeper: Keeper?) {
        self.entry = entry
        self.owner = owner
        core = if case .container(let core) = keeper { core.object } else { asked }
        self.keeper = keeper
    }

    /// Builds the instance and keeps it, unless another thread was quicker; nil if the entry was replaced meanwhile.
    ///
    /// - Parameter asked: The container that is asked.
    func run(for request: borrowing Request, to asked: ContainerCore) throws -> Answer? {
        // An error in a parent's factory has to know that a child asked.
        let thread = core === asked ? nil : try asked.pushFrame(request)
        defer { thread?.pop() }
        switch keeper {
        case .container: return try keepInContainer(request)
        case .graph: return try afterSource(request)?.keepInGraph(request)
        case .nobody: return try afterSource(request).map { Answer(box: try $0.run(request)) }
        case nil:
            // This throws unless something was registered meanwhile.
            _ = try afterSource(request)
            return nil
        }
    }

    /// Asks for what the entry forwards to, if it does; nil if that was removed meanwhile.
    private func afterSource(_ request: borrowing Request) throws -> Build? {
        guard entry.mode == .forwarded else { return self }
        var build = self
        build.source = try core.askSource(of: entry, owner, request)
        return build.source == nil ? nil : build
    }

    /// Builds on the queue what the container does not keep yet.
    private func keepInContainer(_ request: borrowing Request) throws -> Answer? {
        let isNested = core.isHeldByCurrentThread
        return try core.exclusively {
            // Ask only the owner: a container in between may hide the entry, and asking again would then never end.
            let (isInstalled, known) = ThreadRecord.reading {
                let found = owner.found(entry)
                return (found != nil, found.flatMap { core.way(of: $0)?.instance(by: $0)?.object })
            }
            guard isInstalled else { return nil }
            if let known, let answer = try core.handOut(known, for: request) { return answer }
            try core.checkMayKeep(request, isNested: isNested)
            let note = core.noteBuild(of: entry.registration)
            defer { if let note { core.note.replace(with: note.outer) } }
            // A factory of its own needs no copy of this.
            if entry.mode != .forwarded { return try wrapAndKeep(request) }
            return try afterSource(request)?.wrapAndKeep(request)
        }
    }

    private func wrapAndKeep(_ request: borrowing Request) throws -> Answer {
        // A closed container still answers what began before, although a look-up passes it over.
        if source != nil, let known, let answer = try core.handOut(known, for: request) { return answer }
        let box = try runOutsideOtherScopes(request)
        if traits.contains(.isWeak), box.object == nil {
            throw ResolutionError(request, .weakValueType(instance: type(of: box.instance)), in: core)
        }
        return Answer(box: box, instance: keep(box))
    }

    /// Builds what the current graph of objects does not have yet.
    ///
    /// If the request is the outermost one, nobody keeps the instance, because nothing else can ask for it.
    private func keepInGraph(_ request: borrowing Request) throws -> Answer {
        if let known, let answer = try core.handOut(known, for: request) { return answer }
        let context = RequestContext.current
        let box = try run(request)
        guard let context, let member = member(with: box) else { return Answer(box: box) }
        let added = context.add(member)
        return Answer(box: added.box ?? box, instance: added)
    }

    /// What is kept already, made of the same source.
    private var known: Instance? {
        guard let keeper, let way else { return nil }
        return ThreadRecord.reading {
            owner.found(entry).flatMap { core.instance(of: $0, keptBy: keeper, way)?.object }
        }
    }

    // MARK: Running factories

    /// Builds as ``run(_:)`` does, and in no scope of another container: tasks inherit the active scope, and one that the factory
    /// begins must not resolve from there.
    private func runOutsideOtherScopes(_ request: borrowing Request) throws -> any AnyBox {
        guard let scope = ContainerScope.current, scope.core != Borrowed(core) else { return try run(request) }
        return try ContainerScope(core).run { try run(request) }
    }

    /// Runs the factory, unless there is something to wrap, and then the decorators.
    func run(_ request: borrowing Request) throws -> any AnyBox {
        if source == nil, entry.registration.isAsync { throw asyncRequired(request) }
        let thread = try core.pushFrame(for: entry, of: owner, request)
        let beginning = core.reportBeginning(of: entry.registration)
        do {
            let box = try construct(request)
            core.reportEnd(of: entry.registration, since: beginning)
            thread.pop()
            return box
        } catch {
            core.reportEnd(of: entry.registration, since: beginning, error)
            thread.pop()
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    private func construct(_ request: borrowing Request) throws -> any AnyBox {
        if let source { return try core.decorate(source.box, by: owner.addedDecorators(of: entry)) }
        guard case .factory(let factory) = entry.registration.kind else {
            if let refusal = entry.registration.refusal { throw refusal }
            preconditionFailure("Only a factory makes an instance of nothing.")
        }
        var arguments = try ArgumentList(request.arguments, expected: entry.registration.argumentTypes)
        let box = try factory.make(Resolver(core: core), &arguments)
        core.noteOpened(box, by: entry.registration)
        return entry.isDecorated ? try core.decorate(box, by: entry.decorators) : box
    }

    /// Makes the error for an asynchronous factory, with the build that whoever awaits can begin.
    private func asyncRequired(_ request: borrowing Request) -> ResolutionError {
        // Where the factory takes arguments, these are checked when it is awaited.
        if !entry.takesArguments, !request.arguments.isEmpty {
            return ResolutionError(request, .argumentMismatch(request.mismatch), in: core, by: entry.registration)
        }
        // A plain factory in a step that builds it already needs it, so that whoever awaited it would wait for itself.
        if !request.isAwaited, entry.mode != .transient, AsyncStep.builds(of: entry, for: core) > 0 {
            return ResolutionError(request, .cycle, in: nil)
        }
        return ResolutionError(request, .asyncRequired(AsyncBuild(entry, of: owner, for: core, request)), in: core)
    }

    // MARK: Keeping what was built

    /// Of what the instance is made besides the entry; nil if nobody keeps that, so that nobody can keep this.
    private var way: [UInt]? {
        guard let source else { return [] }
        guard let keeper, let instance = source.instance else { return nil }
        return Way.serials(madeOf: instance, under: entry.key, by: keeper)
    }

    /// The traits of the instance, which include those of what it wraps.
    private var traits: Instance.Traits {
        var traits = entry.traits
        if let wrapped = source?.instance { traits = wrapped.traits.union(entry.isMainActor ? .isMainActor : []) }
        if let watch = owner.watch, watch.covers(entry) { traits.insert(.isWatched) }
        return traits
    }

    /// Makes what a graph of objects keeps of what was built; nil if it cannot keep it.
    func member(with box: any AnyBox) -> Instance? {
        way.map { Instance(memberWith: box, for: core, by: entry, $0, traits) }
    }

    /// Keeps what was built. If the entry was replaced meanwhile, whoever asked gets the instance and nobody keeps it. Runs on
    /// the queue.
    @discardableResult func keep(_ box: any AnyBox) -> Instance? {
        guard let way, let instance = Instance(box, in: core, by: entry, of: owner, way, traits) else { return nil }
        core.keepForRequest(box, isWeak: instance.traits.contains(.isWeak))
        return core.put(instance) ? instance : nil
    }
}

extension ContainerCore {
    /// Wraps an instance by decorators, with this container's resolver.
    func decorate(_ box: any AnyBox, by decorators: [Registration]) throws -> any AnyBox {
        try decorators.reduce(box) { base, decorator in
            guard case .decorator(let wrap) = decorator.kind else { preconditionFailure("Only a decorator wraps.") }
            // The decorator may drop it.
            ThreadRecord.current.retainInsideQueues(Borrowed(base))
            return try wrap(base, Resolver(core: self))
        }
    }
}
