// The slow path. It resolves instances that aren't built yet, and requests that need more than a read.

extension ContainerCore {
    /// Resolves a request by a registration, or by an Optional, a provider or a collection of registered types.
    @usableFromInline package func box(for request: Request) throws(ResolutionError) -> any AnyBox {
        do {
            if let resolved = try resolve(request) { return resolved.box }
            if let implicit = request.type as? any ImplicitlyResolvable.Type {
                return try implicit.resolveImplicitly(in: self, request)
            }
            try checkSelfAndParentsOpen(request)
        } catch { throw ResolutionError(wrapping: error, request, in: self) }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    /// Resolves a request by the registration of its key. Returns `nil` if there is none.
    func resolve(_ request: Request) throws -> ResolvedInstance? {
        // Each further lookup follows the change of a registration by another thread.
        while let match = match(for: request.key) {
            if let decorator = match.misplacedDecorator {
                throw ResolutionError(request, .misplacedDecorator(decorator), in: self, by: match.entry.registration)
            }
            let isAlias = match.entry.aliasTarget != nil
            if let resolved = try isAlias ? resolveAlias(match, request) : resolveSource(match, request) {
                return resolved
            }
        }
        return nil
    }

    /// Resolves a request by the target and the decorators of an alias.
    ///
    /// - Returns: The instance, or `nil` if an entry was replaced.
    private func resolveAlias(_ alias: Match, _ request: Request) throws -> ResolvedInstance? {
        // The target and the decorators of an alias belong to one graph.
        let thread = alias.entry.isDecorated ? try pushFrame(request) : nil
        defer { thread?.pop() }
        guard let target = try resolveTarget(of: alias, request) else { return nil }
        guard alias.entry.isDecorated else {
            let box = target.cached?.store(target.box, for: alias.entry) ?? target.box
            return ResolvedInstance(box: box, cached: target.cached)
        }
        let builder = target.cached?.container.object ?? chain(of: request.key).last.map(builder)
        return try (builder ?? self).decorateTarget(target, of: alias, request)
    }

    /// Resolves the target of an alias, converted to the type of the alias. Returns `nil` if both were removed.
    private func resolveTarget(of alias: Match, _ request: Request) throws -> ResolvedInstance? {
        if request.aliases.contains(where: { $0.id == alias.entry.id }) {
            throw ResolutionError(request, .cycle, in: nil)
        }
        let thread = try pushFrame(for: alias.entry, request)
        defer { thread.pop() }
        guard case .alias(let target) = alias.entry.registration.kind else {
            preconditionFailure("Only an alias has a target.")
        }
        let forwarded = request.forwarded(to: target.type, target.key, by: alias.entry)
        guard let resolved = try resolve(forwarded) else {
            // If the alias was also removed, another registration may resolve the request.
            guard alias.owner.owns(alias.entry) else { return nil }
            try checkSelfAndParentsOpen(forwarded)
            throw ResolutionError(forwarded, .notRegistered, in: self)
        }
        guard let box = alias.entry.registration.converted(resolved.box) else {
            throw ResolutionError(request, .typeMismatch(instance: type(of: resolved.box.instance)), in: nil)
        }
        return ResolvedInstance(box: box, cached: resolved.cached)
    }

    // MARK: Sources

    /// Resolves a request by the cached instance or the factory of an entry.
    private func resolveSource(_ source: Match, _ request: Request) throws -> ResolvedInstance? {
        source.owner.reportRequest(request, resolvedBy: source.entry)
        let builder = builder(of: source)
        let box = source.instance?.box
        if box == nil { try checkMayBuild(source, builder, request) }
        if source.entry.isMainActor { try checkMainActor(request) }
        if let supplied = request.supplied.first(where: { $0.entry === source.entry })?.box {
            return ResolvedInstance(box: supplied)
        }
        if let box, let instance = source.instance, let resolved = try builder.reuse(box, of: instance, request) {
            return resolved
        }
        // An error in a parent's factory reports the child that made the request.
        let thread = builder === self ? nil : try pushFrame(request)
        defer { thread?.pop() }
        // Never waits for the queue, because a thread of the cooperative pool may make this request.
        if source.entry.registration.isAsync { throw builder.asyncRequired(source.entry, request) }
        switch source.entry.cacheLocation {
        case .owner, .requester: return try builder.buildAndCache(source, request)
        case .graph: return try buildInGraph(source, request)
        case .uncached, nil: return ResolvedInstance(box: try build(source.entry, request).box)
        }
    }

    /// Resolves a request by an instance that this container has built. Returns `nil` if the handlers of the instance
    /// have run.
    private func reuse(
        _ box: any AnyBox, of instance: Instance, _ request: Request
    ) throws -> ResolvedInstance? {
        if instance.isCached, isClosingOrClosed,
            !lifecycle.withLock({ $0.serves(closableID: instance.closableID) })
        {
            try checkOpen(request)
            return nil
        }
        // An error also releases the instance, perhaps as the last owner.
        retainUntilRequestEnds(box, of: instance.entry)
        if !instance.entry.takesArguments, !request.arguments.isEmpty {
            throw ResolutionError(
                request, .argumentMismatch(request.mismatch), in: self, by: instance.entry.registration)
        }
        return ResolvedInstance(box: box, cached: instance)
    }

    /// Builds an instance on the queue of this container and caches it, unless another thread was faster.
    ///
    /// - Returns: Nil if the entry was replaced.
    private func buildAndCache(_ source: Match, _ request: Request) throws -> ResolvedInstance? {
        let isOnQueue = enterQueue()
        defer { leaveQueue(isOnQueue) }
        guard let current = match(for: request.key), current.entry === source.entry else { return nil }
        if let instance = current.instance, let box = instance.box,
            let resolved = try reuse(box, of: instance, request)
        {
            return resolved
        }
        let isCached = try admitBuild(isOnQueue: isOnQueue, request)
        let build = pushBuild(of: source.entry.registration)
        defer { popBuild(build) }
        let product = try runInOwnScope { try self.build(source.entry, request, isClosable: isCached) }
        try checkMayBeHeld(product.box, by: source.entry, request)
        retainUntilRequestEnds(product.box, of: source.entry)
        guard isCached else { return ResolvedInstance(box: product.box) }
        let cached = cache(product.box, of: source.entry, request.key, closableID: product.closableID)
        return ResolvedInstance(box: product.box, cached: cached)
    }

    /// Builds an instance that the current graph doesn't have yet.
    private func buildInGraph(_ source: Match, _ request: Request) throws -> ResolvedInstance {
        // The outermost request isn't part of a larger graph, so its instance isn't cached.
        let graph = GraphScope.current
        let product = try build(source.entry, request)
        guard let graph else { return ResolvedInstance(box: product.box) }
        let member = graph.add(Instance(product.box, of: source.entry, builtBy: self, isCached: false))
        return ResolvedInstance(box: member.box ?? product.box, cached: member)
    }

    // MARK: Factories

    /// Runs the factory of an entry and its decorators.
    ///
    /// - Parameters:
    ///   - target: The instance that an alias decorates, in place of running a factory.
    ///   - isClosable: Whether the container is going to close the instance.
    private func build(
        _ entry: Entry, of target: (any AnyBox)? = nil, _ request: Request, isClosable: Bool = false
    ) throws -> Product {
        let registration = entry.registration
        let thread = try pushFrame(for: entry, request)
        let beginning = isObserved ? reportBeginning(of: registration) : nil
        do {
            let box = try target ?? callFactory(of: registration, request)
            let closableID = isClosable && registration.hasCloseHandlers ? recordClosable(box, of: entry) : nil
            let decorated = entry.isDecorated ? try decorate(box, by: entry.decorators) : box
            reportEnd(of: registration, since: beginning)
            thread.pop()
            return Product(box: decorated, closableID: closableID)
        } catch {
            reportEnd(of: registration, since: beginning, error)
            thread.pop()
            throw ResolutionError(wrapping: error, request, in: self, by: registration)
        }
    }

    private func callFactory(of registration: Registration, _ request: Request) throws -> any AnyBox {
        guard case .factory(let factory) = registration.kind else {
            if let refusal = registration.refusal { throw refusal }
            preconditionFailure("Only a factory creates an instance.")
        }
        var arguments = try ArgumentList(request.arguments, expected: registration.argumentTypes)
        return try factory.make(Resolver(core: self), &arguments)
    }

    private func runDecorators(of alias: Match, _ box: any AnyBox, _ request: Request) throws -> any AnyBox {
        try checkMayBuild(alias, self, request)
        return try build(alias.entry, of: box, request).box
    }

    /// Runs work outside of scopes of other containers.
    ///
    /// Tasks inherit the active scope, and a task that a cached factory starts must not resolve from there.
    private func runInOwnScope<Result>(_ work: () throws -> Result) throws -> Result {
        ContainerScope.isOther(than: self) ? try ContainerScope(self).run(work) : try work()
    }

    /// Creates the error for an asynchronous factory, and records the build for the task that awaits the request.
    private func asyncRequired(_ entry: Entry, _ request: Request) -> ResolutionError {
        // If the factory takes arguments, they are checked when the factory is awaited.
        if !entry.takesArguments, !request.arguments.isEmpty {
            return ResolutionError(request, .argumentMismatch(request.mismatch), in: self, by: entry.registration)
        }
        // A plain factory inside this build makes the request, so the build would wait for itself.
        if !request.isAwaited, entry.cacheLocation?.isContainer == true, AsyncStep.builds(of: entry, for: self) > 0 {
            return ResolutionError(request, .cycle, in: nil)
        }
        AsyncBuild(entry, for: self, request).map { AsyncStep.current?.recordMissing($0) }
        return ResolutionError(request, .asyncRequired, in: self)
    }

    // MARK: Decorated aliases

    /// Runs decorators with this container's resolver.
    func decorate(_ box: any AnyBox, by decorators: [Registration]) throws -> any AnyBox {
        try decorators.reduce(box) { base, decorator in
            guard case .decorator(let decorate) = decorator.kind else {
                preconditionFailure("Only a decorator decorates.")
            }
            return try decorate(base, Resolver(core: self))
        }
    }

    /// Decorates the instance that an alias shows, once for each cached instance.
    ///
    /// The target's instance stores the result, unless the alias belongs to a container below the one that caches the
    /// target. Otherwise, each new child would add to the memory of its parent.
    ///
    /// - Returns: Nil if an entry was replaced.
    private func decorateTarget(
        _ target: ResolvedInstance, of alias: Match, _ request: Request
    ) throws -> ResolvedInstance? {
        if alias.entry.isMainActor { try checkMainActor(request) }
        guard let cached = target.cached, selfAndParents.contains(where: { $0 === alias.owner }) else {
            return ResolvedInstance(box: try runDecorators(of: alias, target.box, request))
        }
        if let stored = storedInstance(of: alias, in: cached) { return stored }
        if cached.entry.cacheLocation == .graph {
            return ResolvedInstance(
                box: cached.store(try runDecorators(of: alias, target.box, request), for: alias.entry))
        }
        let isOnQueue = enterQueue()
        defer { leaveQueue(isOnQueue) }
        guard alias.owner.owns(alias.entry), match(for: cached.entry.key)?.instance === cached else { return nil }
        if let stored = storedInstance(of: alias, in: cached) { return stored }
        _ = try admitBuild(isOnQueue: isOnQueue, request)
        let build = pushBuild(of: alias.entry.registration)
        defer { popBuild(build) }
        let box = try runInOwnScope { try runDecorators(of: alias, target.box, request) }
        try checkMayBeHeld(box, by: cached.entry, request)
        retainUntilRequestEnds(box, of: cached.entry)
        return ResolvedInstance(box: cached.store(box, for: alias.entry))
    }

    /// Returns the stored result of the decorators of an alias, or `nil` if there is none.
    private func storedInstance(of alias: Match, in target: Instance) -> ResolvedInstance? {
        guard let box = target.retainedBox(forDecorated: alias.entry) else { return nil }
        retainUntilRequestEnds(box, of: target.entry)
        return ResolvedInstance(box: box)
    }

    // MARK: Checks

    /// Throws if the container that builds, or the one that owns the registration, is closing or closed.
    private func checkMayBuild(_ match: Match, _ builder: ContainerCore, _ request: Request) throws {
        try builder.checkOpen(request)
        if match.owner !== builder { try match.owner.checkOpen(request) }
    }

    /// Throws if this thread isn't on the main actor.
    func checkMainActor(_ request: Request) throws {
        if !MainActorCheck.isIsolated { throw ResolutionError(request, .mainActorRequired, in: self) }
    }

    /// Throws if an entry would hold a value weakly.
    private func checkMayBeHeld(_ box: any AnyBox, by entry: Entry, _ request: Request) throws {
        if entry.isHeldWeakly, box.object == nil {
            throw ResolutionError(request, .weakValueType(instance: type(of: box.instance)), in: self)
        }
    }
}
