// The declarations that Diagnostics and Testing use, besides `RegistrationSnapshot`.

extension DIContainer {
    // MARK: Events

    /// Adds an observer, and returns a closure that removes it.
    package func add(_ observer: EventObserver) -> @Sendable () -> Void {
        core.add(observer)
        return { [core] in core.remove(observer) }
    }

    /// Adds an observer to this container and its parents, and returns a closure that removes it.
    package func addToSelfAndParents(_ observer: EventObserver) -> @Sendable () -> Void {
        let cores = Array(core.selfAndParents)
        for core in cores { core.add(observer) }
        return { for core in cores { core.remove(observer) } }
    }

    /// Reports an error to the observers, before the program stops.
    package func reportRefusal(_ error: ResolutionError, at site: CallSite) { core.reportRefusal(error, at: site) }

    // MARK: Tests

    /// Creates a fork for a test. Without a container, forks the current one.
    package static func testFork(of container: DIContainer?, observer: () -> EventObserver) -> DIContainer {
        let fork = DIContainer(core: (container?.core ?? CurrentContainer.core).makeFork())
        // Later registrations belong to the test: see ``EventObserver/isInherited``.
        fork.core.setTestObserver(observer())
        return fork
    }

    /// Closes the container of a test. Late requests are resolved as by a released container.
    package func closeTest(
        dueTo failure: (any Error)?, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let call = CloseCall(function: "the end of the test", site: CallSite(file: file, line: line))
        try await core.close(dueTo: failure, by: call, servesLateRequests: true)
        withExtendedLifetime(self) {}
    }

    // MARK: Building in a copy

    /// Creates a copy with copies of its parents, so that each registration is built by the container that owns it.
    ///
    /// - Parameter earlier: Another copy, whose instances of asynchronous factories the new copy also caches.
    package func copiedTree(takingOverFrom earlier: DIContainer? = nil) -> DIContainer {
        // Iterates over cores: a container that `DIContainer.current` returned in a factory has no parent, but its core
        // has one.
        let earlier = earlier.map { Array($0.core.selfAndParents) }
        var copy: DIContainer?
        for (level, core) in Array(core.selfAndParents).enumerated().reversed() {
            let next = DIContainer(core: core.copy(under: copy?.core), parent: copy)
            if let earlier { next.core.cacheAwaitedInstances(of: earlier[level]) }
            copy = next
        }
        guard let copy else { preconditionFailure("A container is the first of itself and its parents.") }
        return copy
    }

    /// The result of building a registration without awaiting anything.
    package struct PlainBuild: Sendable {
        /// The error, if the build failed.
        package let error: ResolutionError?
        /// The asynchronous build that must run first.
        package let missing: AsyncBuild?
    }

    /// Builds a registration without awaiting anything.
    package func buildPlainly(_ registration: Registration, _ arguments: [any Sendable]) -> PlainBuild {
        let request = Request(for: registration, arguments, at: nil)
        let step = AsyncStep(.request, in: core, at: request.site)
        do {
            _ = try step.run { try core.box(for: request) }
            return PlainBuild(error: nil, missing: nil)
        } catch {
            let error = ResolutionError(wrapping: error, request, in: core)
            return PlainBuild(error: error, missing: error.reason == .asyncRequired ? step.takeMissing() : nil)
        }
    }

    /// Builds a registration with all its asynchronous dependencies, and returns the error if the build fails.
    package func awaitedBuildFailure(
        of registration: Registration, _ arguments: [any Sendable]
    ) async -> ResolutionError? {
        await core.awaitedFailure(of: Request(for: registration, arguments, at: nil))
    }

    /// Closes a copy created by ``copiedTree(takingOverFrom:)`` together with its parents, and returns the failures.
    /// Late requests by tasks that factories have started are resolved as by a released container.
    package func failuresOfClosingTree() async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        let call = CloseCall(function: "validate(.building)", site: CallSite(file: #fileID, line: #line))
        for core in core.selfAndParents {
            do { try await core.close(dueTo: nil, by: call, servesLateRequests: true) } catch {
                failures += (error as? CloseError)?.failures ?? []
            }
        }
        withExtendedLifetime(self) {}
        return failures
    }
}

extension AsyncBuild {
    /// The registration that is being built.
    package var registration: Registration { entry.registration }

    /// Runs the build, and returns the error if the build fails.
    package func buildFailure() async -> ResolutionError? {
        do {
            try await AsyncBuilds.shared.wait(for: self)
            return nil
        } catch { return ResolutionError(wrapping: error, request, in: core) }
    }
}

extension ResolutionError {
    /// The declaration that children register the missing type. `nil` if the dependent is cached by a parent, because a
    /// parent's instances never depend on the registrations of children.
    package var declaration: Registration? { report.captiveDependent == nil ? report.declaration : nil }
}

extension ContainerCore {
    /// Whether a test observes the container.
    var isTestContainer: Bool { observers.all.contains(where: \.isTest) }

    /// Caches the instances that asynchronous factories have built for another copy of this container.
    fileprivate func cacheAwaitedInstances(of earlier: ContainerCore) {
        for instance in ThreadRecord.reading({ earlier.cachedInstances }) where instance.entry.registration.isAsync {
            // The copies have the same entries.
            guard let box = instance.box else { continue }
            exclusively { _ = cache(box, of: instance.entry, instance.entry.key, closableID: nil) }
        }
    }
}

/// The identity of the calling thread.
package enum CurrentThread {
    package static var identity: UInt { ThreadRecord.current.identity }
}
