extension DIContainer {
    /// Builds all cached `async:` registrations, so that plain requests for them work afterwards.
    ///
    /// ```swift
    /// try await container.prepare()
    /// let database: Database = container.resolve()
    /// ```
    /// - The call builds every `Shared(async:)` that this container can resolve, its own or a parent's, except those
    ///   whose factory takes arguments. A parent's registration that this container overrides is built by
    ///   ``DIContainer/prepare(file:line:)`` of the parent.
    /// - The call also builds every `Scoped(async:)` if this container has a parent, or is a fork of a container with a
    ///   parent. Otherwise, a container without a parent would cache instances that are meant for its children, such as
    ///   a connection.
    /// - Independent factories run concurrently. A factory that resolves another type with `try await resolve.async()`
    ///   waits for that type.
    ///
    /// May be called in any task, more than once.
    /// - Throws: A ``PreparationError`` with every failure, or a `CancellationError` if the task is canceled. Instances
    ///   that were built remain cached. The next request for a failed type builds it again.
    public func prepare(file: StaticString = #fileID, line: UInt = #line) async throws {
        let site = CallSite(file: file, line: line)
        try core.checkOpen(Request(toContainerAt: site))
        try await core.build(core.preparable, at: site)
    }
}

extension ContainerCore {
    /// Builds registrations concurrently, unless one awaits another.
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

    /// Builds a registration and returns the error, if the build fails.
    private func preparationFailure(of registration: Registration, at site: CallSite) async -> ResolutionError? {
        let request = Request(for: registration, [], at: site)
        let failure = await awaitedFailure(of: request)
        guard let failure, failure.reason == .mainActorRequired, failure.isAbout(registration) else { return failure }
        return await failureOnMainActor(of: request)
    }

    /// Builds a registration that is decorated on the main actor, and returns the error, if the build fails.
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
