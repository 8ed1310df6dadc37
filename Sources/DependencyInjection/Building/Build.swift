/// What makes an instance, for which container, and who keeps it.
struct Build {
    let entry: Entry
    /// The container that has the entry.
    let owner: ContainerCore
    /// The container that the factory resolves from. If a container keeps the instance, it is that one.
    let core: ContainerCore
    let keeper: Keeper
    /// The answer that the decorators wrap, if the entry forwards to another.
    let source: Answer?
    /// The traits of the instance, which include those of what it wraps.
    private let traits: Instance.Traits

    init(
        _ entry: Entry, of owner: ContainerCore, for asked: ContainerCore, keptBy keeper: Keeper,
        madeOf source: Answer? = nil
    ) {
        self.entry = entry
        self.owner = owner
        core = if case .container(let core) = keeper { core.object } else { asked }
        self.keeper = keeper
        self.source = source
        var traits = entry.traits
        if let wrapped = source?.instance {
            traits = wrapped.traits.union(entry.isMainActor ? .isMainActor : [])
        }
        if let watch = owner.watch, watch.covers(entry) { traits.insert(.isWatched) }
        self.traits = traits
    }

    /// Answers by what is kept, or builds it; nil if the entry was replaced meanwhile.
    ///
    /// - Parameter asked: The container that is asked.
    func answer(_ request: borrowing Request, of asked: ContainerCore) throws -> Answer? {
        // An error in a parent's factory has to know that a child asked.
        let thread = core === asked ? nil : try asked.pushFrame(request)
        defer { thread?.pop() }
        return switch keeper {
        case .nobody: Answer(try run(request))
        case .graph: try answerFromGraph(request)
        case .container: try answerFromContainer(request)
        }
    }

    /// Builds on the queue what the container does not keep yet.
    private func answerFromContainer(_ request: borrowing Request) throws -> Answer? {
        let isNested = core.isHeldByCurrentThread
        return try core.exclusively {
            // Ask only the owner: a container in between may hide the entry, and asking again would then never end.
            let (isInstalled, known) = ThreadRecord.reading { (owner.isInstalled(entry), kept?.object) }
            guard isInstalled, isSourceCurrent else { return nil }
            if let known, let answer = try core.answer(request, by: known) { return answer }
            try core.checkMayKeep(request, isNested: isNested)
            let note = core.noteBuild(of: entry.subject)
            defer { if let note { core.note.replace(with: note.outer) } }
            let box = try runOutsideOtherScopes(request)
            if traits.contains(.isWeak), box.object == nil {
                throw ResolutionError(request, .weakValueType(instance: box.instanceType), in: core)
            }
            return Answer(box, keptAs: keep(box))
        }
    }

    /// Builds what the current graph of objects does not have yet.
    ///
    /// If the request is the outermost one, nobody keeps the instance, because nothing else can ask for it.
    private func answerFromGraph(_ request: borrowing Request) throws -> Answer {
        let known = ThreadRecord.reading { kept?.object }
        if let known, let answer = try core.answer(request, by: known) { return answer }
        let context = RequestContext.current
        let box = try run(request)
        guard let context, let instance = makeInstance(of: box) else { return Answer(box) }
        let member = context.add(instance)
        return Answer(member.box ?? box, keptAs: member)
    }

    /// What is kept already, made of the same. Call it during a read.
    private var kept: Borrowed<Instance>? {
        core.instance(by: entry, keptBy: keeper, madeOf: source?.instance?.serial)
    }

    /// Whether what the decorators wrap would still be the answer. Runs on the queue.
    private var isSourceCurrent: Bool { source?.instance.map { core.isSource($0, of: entry, owner) } ?? true }

    // MARK: Running factories

    /// Builds as ``run(_:)`` does, and in no scope of another container: tasks inherit the active scope, and one that the factory
    /// begins must not resolve from there.
    private func runOutsideOtherScopes(_ request: borrowing Request) throws -> any AnyBox {
        guard let scope = ContainerScope.current, scope.core != Borrowed(core) else { return try run(request) }
        return try ContainerScope(ofFactoryFor: core).run { try run(request) }
    }

    /// Runs the factory, unless there is something to wrap, and then the decorators.
    func run(_ request: borrowing Request) throws -> any AnyBox {
        if source == nil, entry.isAsync { throw asyncRequired(request) }
        let thread = try core.pushFrame(for: entry, of: owner, request)
        do {
            defer { thread.pop() }
            guard core.isObserved else { return try construct(request) }
            let beginning = core.reportBuilding(entry)
            do {
                let box = try construct(request)
                core.reportBuilt(entry, since: beginning)
                return box
            } catch {
                core.reportFailed(entry, since: beginning, error)
                throw error
            }
        } catch {
            throw ResolutionError(wrapping: error, request, in: core, by: entry.subject)
        }
    }

    private func construct(_ request: borrowing Request) throws -> any AnyBox {
        if let source { return try core.decorate(source.box, by: owner.addedDecorators(of: entry)) }
        guard case .factory(let factory) = entry.subject.kind else {
            if let refusal = entry.subject.refusal { throw refusal }
            preconditionFailure("Only a factory makes an instance of nothing.")
        }
        var arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        let box = try factory.make(Resolver(core: core), &arguments)
        core.noteOpened(box, by: entry.subject)
        return entry.isDecorated ? try core.decorate(box, by: entry.decorators) : box
    }

    /// Makes the error for an asynchronous factory, with the build that whoever awaits can begin.
    private func asyncRequired(_ request: borrowing Request) -> ResolutionError {
        // Where the factory takes arguments, these are checked when it is awaited.
        if !entry.takesArguments, !request.arguments.isEmpty {
            let mismatch = ArgumentMismatch(expected: [], supplied: request.arguments)
            return ResolutionError(request, .argumentMismatch(mismatch), in: core, by: entry.subject)
        }
        // A plain factory in a step that builds it already needs it, so that whoever awaited it would wait for itself.
        if !request.isAwaited, entry.mode != .transient, AsyncStep.builds(of: entry, for: core) > 0 {
            return ResolutionError(request, .cycle, in: nil)
        }
        return ResolutionError(request, .asyncRequired(AsyncBuild(entry, of: owner, for: core, request)), in: core)
    }

    // MARK: Keeping what was built

    /// Makes an instance of what was built; nil if a value would have to be held weakly. Runs on the queue, unless a graph keeps it.
    func makeInstance(of box: any AnyBox) -> Instance? {
        let wrapped = source?.instance
        let inner = keeper == .graph ? nil : wrapped.flatMap { core.layer($0.serial, of: entry.key) }
        return Instance(
            box, in: core, by: entry, of: Borrowed(owner), around: inner, madeOf: wrapped?.serial, traits,
            isMember: keeper == .graph)
    }

    /// Keeps what was built. If the entry was replaced meanwhile, whoever asked gets the instance and nobody keeps it. Runs on
    /// the queue.
    @discardableResult func keep(_ box: any AnyBox) -> Instance? {
        guard let instance = makeInstance(of: box) else { return nil }
        core.keepForRequest(box, isWeak: instance.traits.contains(.isWeak))
        guard ThreadRecord.reading({ core.isReachable(entry) }) else { return nil }
        // What it wraps may have been replaced meanwhile.
        if let wrapped = source?.instance, wrapped.isLayer(beside: instance), instance.inner == nil { return nil }
        var retired = Retirement()
        if core.store(instance, &retired) { core.dropOutdatedDerived(&retired) }
        return instance
    }
}

extension ContainerCore {
    /// Wraps an instance by decorators, with this container's resolver.
    func decorate(_ box: any AnyBox, by decorators: [Registration]) throws -> any AnyBox {
        try decorators.reduce(box) { base, decorator in
            guard case .decorator(let decorator) = decorator.kind else {
                preconditionFailure("Only a decorator wraps.")
            }
            return try decorator.wrap(base, Resolver(core: self))
        }
    }
}
