extension AsyncBuild {
    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func perform() async throws -> any AnyBox {
        let step = AsyncStep(self, at: request.site)
        if closesCycle { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.isObserved ? core.reportBuilding(entry) : nil
        do {
            let box = try await step.run {
                try await ContainerScope(core).run { try await make() }
            }
            if let beginning { core.reportBuilt(entry, since: beginning) }
            return box
        } catch {
            if let beginning { core.reportFailed(entry, since: beginning, error) }
            if error is CancellationError, Task.isCancelled { throw error }
            throw ResolutionError(wrapping: error, request, in: core, by: entry.subject)
        }
    }

    /// Builds the instance, or waits for the task that is building it.
    @inline(never) func result() async throws -> any AnyBox {
        try await AsyncBuilds.shared.wait(for: self)
    }

    /// Runs the factory away from every actor, and keeps what it makes.
    @concurrent func performed() async throws -> any AnyBox {
        let box = try await perform()
        keep(box)
        return box
    }

    private func make() async throws -> any AnyBox {
        guard case .asyncFactory(let make) = entry.subject.kind else { throw AsyncFactoryError() }
        let arguments = try ArgumentList(request.arguments, expected: entry.subject.argumentTypes)
        return try await decorated(try await make(Resolver(core: core), arguments))
    }

    /// Runs the decorators. What one of them needs is built ahead, as for a plain factory, and kept until it is used.
    @inline(never) private func decorated(_ base: any AnyBox, after last: ID? = nil) async throws -> any AnyBox {
        do {
            guard entry.isMainActor else { return try core.decorated(base, by: entry) }
            return try await MainActor.run { try core.decorated(base, by: entry) }
        } catch let error as ResolutionError {
            guard let missing = error.pending, missing.canBeAwaited(after: last) else { throw error }
            try await missing.buildForRequest()
            return try await decorated(base, after: missing.id)
        }
    }

    /// Whether a step further out builds the same, and arguments cannot end the recursion.
    private var closesCycle: Bool {
        let repetitions = AsyncStep.all.count { $0.build?.entry === entry && $0.build?.core === core }
        return repetitions > entry.subject.permittedRepetitions(!request.arguments.isEmpty)
    }

    /// Keeps what was built, unless the registration was replaced or all instances were released meanwhile.
    func keep(_ box: any AnyBox) {
        core.exclusively {
            guard core.resetCount == id.resets, published == nil else { return }
            core.keep(box, by: entry, of: owner, madeOf: nil)
        }
    }

    /// Waits for the result, and keeps it until the request is answered, because the container may go meanwhile.
    func buildForRequest() async throws {
        let box = try await result()
        guard let member = core.instance(box, by: entry, of: owner, madeOf: nil, isMember: true) else { return }
        _ = RequestContext.current?.add(member)
    }

    /// What the container keeps for the entry by now.
    var published: (any AnyBox)? { core.current(entry, of: owner)?.box }
}
