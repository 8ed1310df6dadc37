extension DIContainer {
    /// Builds everything that is registered with `async:` and kept, so that plain requests for it work afterwards.
    ///
    /// ```swift
    /// try await container.prepare()
    /// let database: Database = container.resolve()
    /// ```
    /// That is every `Shared(async:)` that this container can be asked for, its own or a parent's, except those whose factory takes
    /// arguments. What it overrides of a parent is left to ``DIContainer/prepare(file:line:)`` of the parent. Every
    /// `Scoped(async:)` is built, too, if this container has a parent, or is a fork of one that has: a container without a
    /// parent would keep, say, a connection that is meant for its children. Factories that do not need one another run at the
    /// same time; one that asks for another with `try await resolve.async()` waits for it. May be called in any task, more than
    /// once.
    /// - Throws: A ``PreparationError`` with every failure, or a `CancellationError` if the task is cancelled. What was built
    ///   stays; what failed is built again by the next who asks.
    public func prepare(file: StaticString = #fileID, line: UInt = #line) async throws {
        let site = CallSite(file: file, line: line)
        try core.checkOpen(Request(toContainerAt: site))
        try await core.build(core.preparable, at: site)
    }
}

extension ContainerCore {
    /// Builds registrations at the same time, unless one awaits another.
    ///
    /// - Throws: A ``PreparationError`` with the failures in the order of the registrations.
    fileprivate func build(_ registrations: [Registration], at site: CallSite) async throws {
        let failures = await withTaskGroup(of: (Int, ResolutionError?).self) { group in
            for (index, registration) in registrations.enumerated() {
                group.addTask { (index, await self.preparationFailure(of: registration, at: site)) }
            }
            var failures: [Int: ResolutionError] = [:]
            for await (index, failure) in group { failures[index] = failure }
            return failures
        }
        try Task.checkCancellation()
        if let error = PreparationError(failures.sorted { $0.key < $1.key }.map(\.value)) { throw error }
    }

    /// Builds a registration, and returns the error.
    private func preparationFailure(of registration: Registration, at site: CallSite) async -> ResolutionError? {
        let request = Request(for: registration, [], at: site)
        let failure = await awaitedFailure(of: request)
        guard let failure, failure.reason == .mainActorRequired, failure.isAbout(registration) else { return failure }
        return await failureOnMainActor(of: request)
    }

    /// Builds a registration that is decorated on the main actor.
    @MainActor private func failureOnMainActor(of request: Request) async -> ResolutionError? {
        await awaitedFailure(of: request)
    }

    /// The registrations that are built ahead.
    fileprivate var preparable: [Registration] {
        visibleEntries().map(\.registration).filter {
            $0.isAsync && !$0.takesArguments && $0.lifetime?.isBuiltAhead(isChild: isChildOrFork) == true
        }
    }
}
