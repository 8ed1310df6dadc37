extension AsyncBuild {
    /// Whether a request may wait for this build, and then be answered. What a plain factory needs is built ahead once.
    func canBeAwaited(after last: ID?) -> Bool { request.isAwaited || id != last }

    /// Waits for the build, and keeps its result until the request is answered, because the container may go meanwhile.
    func awaitForRequest() async throws {
        guard let box = try await AsyncBuilds.shared.wait(for: self) else {
            wrapped?.box.map { core.keepForRequest($0, isWeak: false) }
            return
        }
        let member = Build(entry, of: owner, for: core, keptBy: .graph).member(with: box)
        if let member { _ = RequestContext.current?.add(member) }
    }

    /// Runs the factory away from every actor, and keeps what it makes.
    @concurrent func runFactoryAndKeep() async throws -> any AnyBox {
        let box = try await runFactory()
        core.exclusively {
            // All instances may have been released meanwhile, or the registration been replaced and built again.
            guard core.resetCount == id.resets, current?.box == nil else { return }
            Build(entry, of: owner, for: core, keptBy: .container(Borrowed(core))).keep(box)
        }
        return box
    }

    /// Throws if the arguments do not fit, so that those who join later get no error of another's request.
    func checkArguments() throws {
        do { try ArgumentList(request.arguments, expected: entry.registration.argumentTypes).check() } catch {
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    /// What the container keeps of it by now.
    var current: Instance? { core.keptInstance(of: entry, owner) }

    /// What the container keeps by now that was made of it, in its place.
    var wrapped: Instance? {
        ThreadRecord.reading {
            guard let found = core.find(registered: entry.key), let instance = core.way(of: found)?.instance(by: found)
            else { return nil }
            return instance.with { $0.way.contains(entry.serial) } ? instance.object : nil
        }
    }

    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func runFactory() async throws -> any AnyBox {
        let step = AsyncStep(.build(self), in: core, at: request.site)
        // A step further out may build the same, if arguments can end the recursion.
        let permitted = entry.registration.permittedRepetitions(!request.arguments.isEmpty)
        if AsyncStep.builds(of: entry, for: core) > permitted { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.reportBeginning(of: entry.registration)
        do {
            let box = try await step.run {
                try await ContainerScope(core).run { try await construct() }
            }
            core.reportEnd(of: entry.registration, since: beginning)
            return box
        } catch {
            core.reportEnd(of: entry.registration, since: beginning, error)
            if error is CancellationError, Task.isCancelled { throw error }
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    private func construct() async throws -> any AnyBox {
        guard case .asyncFactory(let factory) = entry.registration.kind else {
            preconditionFailure("Only an asynchronous factory is awaited.")
        }
        let arguments = try ArgumentList(request.arguments, expected: entry.registration.argumentTypes)
        let box = try await factory(Resolver(core: core), arguments)
        core.noteOpened(box, by: entry.registration)
        return try await decorate(box)
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
}
