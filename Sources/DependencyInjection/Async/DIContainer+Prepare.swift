/// The registrations that ``DIContainer/prepare(_:file:line:)`` builds.
public enum Preparation: Sendable {
    /// Every cached `async:` registration.
    case asynchronous
    /// Every cached `async:` registration, and every other ``Shared``.
    case all
}

extension DIContainer {
    /// Builds all cached `async:` registrations, so that plain requests for them work afterwards. With
    /// ``Preparation/all``, also builds every other ``Shared``, so that a fault of a factory shows at launch.
    ///
    /// ```swift
    /// try await container.prepare()
    /// let database: Database = container.resolve()
    /// ```
    /// - The call builds every `Shared(async:)` that this container can resolve, its own or a parent's, except those
    ///   whose factory takes arguments. A parent's registration that this container overrides is built by
    ///   ``DIContainer/prepare(_:file:line:)`` of the parent.
    /// - The call also builds every `Scoped(async:)` if this container has a parent, or is a fork of a container with a
    ///   parent. Otherwise, a container without a parent would cache instances that are meant for its children, such as
    ///   a connection.
    /// - A `Scoped(async:)` that lacks a type which a ``ProvidedByChild`` declares is left to the children.
    /// - Independent asynchronous factories run concurrently. A factory that resolves another type with
    ///   `try await resolve.async()` waits for that type.
    /// - With ``Preparation/all``, every other ``Shared`` and its aliases follow, one after the other: those with
    ///   `mainActor:` on the main actor, the others off it. If the task is canceled or the container is closed, no
    ///   further factory runs.
    ///
    /// May be called in any task, more than once. Instances that are already cached are not built again.
    /// - Parameters:
    ///   - preparation: The registrations to build.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    /// - Throws: A ``PreparationError`` with every failure, a ``ResolutionError`` if the container is closed, or a
    ///   `CancellationError` if the task is canceled. Instances that were built remain cached. The next request for a
    ///   failed type builds it again.
    public func prepare(
        _ preparation: Preparation = .asynchronous, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let site = CallSite(file: file, line: line)
        try core.checkOpen(Request(toContainerAt: site))
        try await core.build(core.registrations(of: preparation), at: site)
    }
}

extension ContainerCore {
    /// Builds asynchronous registrations concurrently, unless one awaits another, and then the other registrations.
    ///
    /// - Throws: A ``PreparationError`` with the failures in the order of the registrations.
    @concurrent fileprivate func build(_ registrations: [Registration], at site: CallSite) async throws {
        var failed = await withTaskGroup(of: FailedBuild?.self) { group in
            for registration in registrations where registration.isAsync {
                group.addTask { await self.failure(of: registration, at: site, after: []) }
            }
            var failed: [FailedBuild] = []
            for await build in group { if let build { failed.append(build) } }
            return failed
        }
        // One after the other, because the queue builds one instance at a time and a waiting task would block a thread.
        for registration in registrations where !registration.isAsync && !Task.isCancelled {
            guard let build = await failure(of: registration, at: site, after: failed) else { continue }
            failed.append(build)
            if isClosingOrClosed { break }
        }
        try Task.checkCancellation()
        let errors = registrations.compactMap { registration in
            failed.first { $0.registration === registration }?.error
        }
        if let error = PreparationError(errors) { throw error }
    }

    /// Builds a registration and returns the failure, if there is one. Returns `nil` if only a child can build it.
    ///
    /// - Parameter failed: The asynchronous builds that aren't repeated for this one.
    private func failure(
        of registration: Registration, at site: CallSite, after failed: [FailedBuild]
    ) async -> FailedBuild? {
        let request = Request(for: registration, [], at: site)
        var failure = await awaitedFailure(of: request, after: failed)
        // A dependency on the main actor is a failure, because the factory itself runs off it.
        if let error = failure, error.reason == .mainActorRequired, error.report.path.allSatisfy(\.isAlias) {
            failure = await failureOnMainActor(of: request, after: failed)
        }
        guard let failure, failure.declaration == nil else { return nil }
        return FailedBuild(registration: registration, error: failure)
    }

    /// Builds a registration that is built or decorated on the main actor, and returns the error, if the build fails.
    @MainActor private func failureOnMainActor(
        of request: Request, after failed: [FailedBuild]
    ) async -> ResolutionError? {
        await awaitedFailure(of: request, after: failed)
    }

    /// The registrations that are built ahead.
    fileprivate func registrations(of preparation: Preparation) -> [Registration] {
        visibleEntries().filter { entry in
            let source = chain(of: entry.key).last?.entry.registration ?? entry.registration
            let isIncluded =
                switch preparation {
                case .asynchronous: entry.registration.isAsync
                case .all: true
                }
            return isIncluded && !source.takesArguments
                && source.lifetime?.isBuiltAhead(isChild: source.isAsync && isChildOrFork) == true
        }.map(\.registration)
    }
}
