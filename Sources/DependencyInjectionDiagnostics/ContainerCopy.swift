import DependencyInjection

/// A copy of a container and its parents, in which validation builds the registrations.
struct ContainerCopy: Sendable {
    private let container: DIContainer

    /// Creates a copy with copies of the parents, so that each registration is built by the container that owns it.
    ///
    /// - Parameter earlier: Another copy, whose instances of asynchronous factories the new copy also caches.
    init(of original: DIContainer, takingOverFrom earlier: ContainerCopy? = nil) {
        // Iterates over cores: a container that `DIContainer.current` returned in a factory has no parent, but its core
        // has one.
        let earlier = earlier?.cores
        let cores = original.core.selfAndParents
        var copy: DIContainer?
        for (level, core) in cores.enumerated().reversed() {
            let next = DIContainer(core: core.copy(under: copy?.core), parent: copy)
            if let earlier { next.core.cacheAwaitedInstances(of: earlier[level]) }
            copy = next
        }
        container = copy ?? original
    }

    /// The copy, followed by the copies of its parents.
    private var cores: [ContainerCore] { container.core.selfAndParents }

    /// Adds an observer to the containers, and returns a closure that removes it.
    func add(_ observer: EventObserver) -> @Sendable () -> Void {
        let cores = cores
        for core in cores { core.add(observer) }
        return { for core in cores { core.remove(observer) } }
    }

    /// The result of building a registration without awaiting anything.
    struct PlainBuild: Sendable {
        /// The error, if the build failed.
        let error: ResolutionError?
        /// The asynchronous build that must run first.
        let missing: AsyncBuild?
    }

    /// Builds a registration without awaiting anything.
    func buildPlainly(_ registration: Registration, _ arguments: [any Sendable]) -> PlainBuild {
        let request = Request(for: registration, arguments, at: nil)
        let step = AsyncStep(in: container.core, at: request.site)
        do {
            _ = try step.run { try container.core.box(for: request) }
            return PlainBuild(error: nil, missing: nil)
        } catch {
            let error = ResolutionError(wrapping: error, request, in: container.core)
            return PlainBuild(error: error, missing: error.reason == .asyncRequired ? step.takeMissing() : nil)
        }
    }

    /// Builds a registration with all its asynchronous dependencies, and returns the error if the build fails.
    func awaitedBuildFailure(of registration: Registration, _ arguments: [any Sendable]) async -> ResolutionError? {
        await container.core.awaitedFailure(of: Request(for: registration, arguments, at: nil))
    }

    /// Closes the containers, and returns the failures. Late requests by tasks that factories have started are resolved
    /// as by a released container.
    func close() async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        let call = CloseCall(function: "validate(.building)", site: CallSite(file: #fileID, line: #line))
        for core in cores {
            do { try await core.close(dueTo: nil, by: call, servesLateRequests: true) } catch {
                failures += (error as? CloseError)?.failures ?? []
            }
        }
        withExtendedLifetime(container) {}
        return failures
    }
}

extension AsyncBuild {
    /// Runs the build, and returns the error if the build fails.
    func failure() async -> ResolutionError? {
        do {
            _ = try await AsyncBuilds.shared.wait(for: self)
            return nil
        } catch { return ResolutionError(wrapping: error, request, in: core) }
    }
}

extension ContainerCore {
    /// Caches the instances that asynchronous factories have built for another copy of this container.
    fileprivate func cacheAwaitedInstances(of earlier: ContainerCore) {
        for instance in ThreadRecord.reading({ earlier.cachedInstances }) where instance.entry.registration.isAsync {
            // The copies have the same entries.
            guard let box = instance.box else { continue }
            exclusively { _ = cache(box, of: instance.entry, instance.entry.key, closableID: nil) }
        }
    }
}
