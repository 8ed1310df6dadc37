extension AsyncBuild {
    /// Waits for the build of this instance, and begins it if nobody has.
    func sharedResult() async throws -> any AnyBox {
        try await AsyncBuilds.shared.wait(for: self)
    }

    /// Waits for the build, and keeps its result until the request is answered, because the container may go meanwhile.
    func awaitForRequest() async throws {
        let box = try await sharedResult()
        let member = Build(entry, of: owner, for: core, keptBy: .graph).makeInstance(of: box)
        if let member { _ = RequestContext.current?.add(member) }
    }

    /// Runs the factory away from every actor, and keeps what it makes.
    @concurrent func runFactoryAndKeep() async throws -> any AnyBox {
        let box = try await runFactory()
        core.exclusively {
            if let container = core.successor {
                // What the overlay had is the container's now.
                container.exclusively { keep(box, in: container, isWanted: true) }
            } else {
                keep(box, in: core, isWanted: core.resetCount == id.resets)
            }
        }
        return box
    }

    /// Keeps the result. The registration may have been replaced meanwhile, or all instances released.
    private func keep(_ box: any AnyBox, in keeper: ContainerCore, isWanted: Bool) {
        let owner = owner === core ? keeper : owner
        let build = Build(entry, of: owner, for: keeper, keptBy: .container(Borrowed(keeper)))
        if isWanted, keeper.current(entry, of: owner)?.box == nil {
            build.keep(box)
        } else if let instance = build.makeInstance(of: box) {
            keeper.keepForClosing(instance)
        }
    }

    /// Throws if the arguments do not fit, so that those who join later get no error of another's request.
    func checkArguments() throws {
        do { try ArgumentList(request.arguments, expected: entry.subject.argumentTypes).check() } catch {
            throw ResolutionError(wrapping: error, request, in: core, by: entry.subject)
        }
    }

    /// What the container keeps of it by now.
    var current: Instance? { core.current(entry, of: owner) }

    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func runFactory() async throws -> any AnyBox {
        let step = AsyncStep(.build(self), in: core, at: request.site)
        if closesCycle { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.isObserved ? core.reportBuilding(entry) : nil
        do {
            let box = try await step.run {
                try await ContainerScope(ofFactoryFor: core).run { try await construct() }
            }
            if let beginning { core.reportBuilt(entry, since: beginning) }
            return box
        } catch {
            if let beginning { core.reportFailed(entry, since: beginning, error) }
            if error is CancellationError, Task.isCancelled { throw error }
            throw ResolutionError(wrapping: error, request, in: core, by: entry.subject)
        }
    }

    private func construct() async throws -> any AnyBox {
        guard case .asyncFactory(let factory) = entry.subject.kind else {
            preconditionFailure("Only an asynchronous factory is awaited.")
        }
        let arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        return try await decorate(try await factory.make(Resolver(core: core), arguments))
    }

    /// Runs the decorators. What one of them needs is built ahead, as for a plain factory, and kept until it is used.
    private func decorate(_ base: any AnyBox, after last: ID? = nil) async throws -> any AnyBox {
        do {
            guard entry.isMainActor else { return try core.decorate(base, by: entry.decorators) }
            return try await MainActor.run { try core.decorate(base, by: entry.decorators) }
        } catch let error as ResolutionError {
            guard let missing = error.pending, missing.canBeAwaited(after: last) else { throw error }
            try await missing.awaitForRequest()
            return try await decorate(base, after: missing.id)
        }
    }

    /// Whether a step further out builds the same, and arguments cannot end the recursion.
    private var closesCycle: Bool {
        AsyncStep.builds(of: entry, for: core) > entry.subject.permittedRepetitions(!request.arguments.isEmpty)
    }
}
