internal import Synchronization

/// Lists the asynchronous builds that are under way, so that all who ask for one wait for the same.
///
/// Factories run elsewhere. There is one actor for all containers, because their builds may wait for one another.
actor AsyncBuilds {
    static let shared = AsyncBuilds()

    /// A build that is under way. Everything but the build is used on the actor only.
    private final class Flight: @unchecked Sendable {
        let build: AsyncBuild
        var task: Task<Void, Never>?
        /// Empty once it has ended or is cancelled: nobody can join it then.
        var waiters: [Waiter] = []

        init(_ build: AsyncBuild) { self.build = build }

        /// Whether another build is this one or waits for it. A search visits each build once.
        func isAwaited(by other: Flight, _ visited: inout Set<ObjectIdentifier>) -> Bool {
            if self === other { return true }
            guard visited.insert(ObjectIdentifier(self)).inserted else { return false }
            // A task that a factory has left behind is in no build any more.
            return waiters.lazy.compactMap(\.dependent).contains {
                !$0.step.isOver && $0.flight.isAwaited(by: other, &visited)
            }
        }
    }

    /// A build that needs another, and its step.
    private typealias Dependent = (flight: Flight, step: AsyncStep)

    /// A task that waits for a build: the build that needs it, if any, and how to go on. Used on the actor only.
    private final class Waiter: @unchecked Sendable {
        let dependent: Dependent?
        var continuation: CheckedContinuation<any AnyBox, any Error>?

        init(_ dependent: Dependent?) { self.dependent = dependent }
    }

    /// The builds whose tasks have not ended, cancelled ones included.
    private var running: [Flight] = []

    /// Waits until the entry is built; starts the build if nobody has. The box keeps an instance that nobody else
    /// keeps. It is nil if what wraps the instance has taken its place.
    func wait(for build: AsyncBuild) async throws -> (any AnyBox)? {
        if let box = build.current?.box { return box }
        if build.wrapped?.box != nil { return nil }
        // What a cancelled build asks for would be cancelled at once, and so be built for each who asks.
        try Task.checkCancellation()
        let known = running.first { !$0.waiters.isEmpty && $0.build.id == build.id }
        let flight = try known ?? start(build)
        // The innermost build in which this task asks.
        let dependent = AsyncStep.all.lazy.compactMap { step -> Dependent? in
            self.running.first { $0.build === step.build }.map { ($0, step) }
        }.first
        var visited: Set<ObjectIdentifier> = []
        // A build that has only just begun waits for nothing.
        if known != nil, let dependent, dependent.flight.isAwaited(by: flight, &visited) {
            throw ResolutionError(build.request, .cycle, in: nil)
        }
        let waiter = Waiter(dependent)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    // The closure runs where its creator does, on this actor, but the compiler cannot know that.
                    assumeIsolated { _ in
                        waiter.continuation = continuation
                        flight.waiters.append(waiter)
                    }
                }
            } onCancel: {
                // The actor runs this later, when the waiter is in the list.
                Task { await self.cancel(waiter, of: flight) }
            }
        } catch {
            // The build may have failed after this task was cancelled, and before the waiter left the list.
            try Task.checkCancellation()
            throw error
        }
    }

    private func start(_ build: AsyncBuild) throws -> Flight {
        // Either closing sees that there are builds, or this sees that the container is being closed.
        build.core.hasAsyncBuilds.store(true, ordering: .sequentiallyConsistent)
        if build.core.hasEndedAsyncBuilds {
            throw ResolutionError(build.request, build.core.closedCause, in: build.core)
        }
        try build.core.checkOpen(build.request)
        try build.checkArguments()
        let flight = Flight(build)
        running.append(flight)
        // Not on the actor: the `deinit` of what nobody waits for any more would keep all other builds waiting.
        flight.task = Task { @concurrent in
            await self.run(build, as: flight)
            // Whoever closes the container now finds that nothing here holds the instance.
            await self.remove(flight)
        }
        return flight
    }

    /// Waits until no build for a container is under way; from then on none can begin. The container is being closed.
    ///
    /// - Parameter site: Where `close()` was called.
    func waitForLast(in core: ContainerCore, closedAt site: CallSite) async {
        while let flight = running.first(where: { $0.build.core === core }) {
            let registration = flight.build.entry.registration
            let wait = LongWait {
                """
                `close()` at \(site) has waited \($0) ms for what is being built: \(registration.step())
                  fix: let no asynchronous factory wait without end; give what it awaits a timeout.
                """
            }
            defer { withExtendedLifetime(wait) {} }
            await flight.task?.value
        }
        core.hasEndedAsyncBuilds = true
    }

    @concurrent private func run(_ build: AsyncBuild, as flight: Flight) async {
        let outcome: Result<any AnyBox, any Error>
        do {
            outcome = .success(try await build.runFactoryAndKeep())
        } catch {
            // A task that waits is not cancelled because the factory's task was.
            outcome = .failure(
                ResolutionError(wrapping: error, build.request, in: build.core, by: build.entry.registration))
        }
        await finish(flight, outcome)
    }

    private func remove(_ flight: Flight) { running.removeAll { $0 === flight } }

    private func finish(_ flight: Flight, _ outcome: Result<any AnyBox, any Error>) {
        for waiter in flight.waiters { waiter.continuation?.resume(with: outcome) }
        flight.waiters = []
    }

    /// Stops waiting. A build that nobody waits for any more is cancelled, and the next who asks starts another.
    private func cancel(_ waiter: Waiter, of flight: Flight) {
        if let index = flight.waiters.firstIndex(where: { $0 === waiter }) {
            flight.waiters.remove(at: index).continuation?.resume(throwing: CancellationError())
        }
        if flight.waiters.isEmpty { flight.task?.cancel() }
    }
}

extension ContainerCore {
    /// Waits until no asynchronous build is under way here; from then on none can begin.
    func waitForAsyncBuilds(toCloseAt site: CallSite) async {
        guard hasAsyncBuilds.load(ordering: .sequentiallyConsistent) else { return }
        await AsyncBuilds.shared.waitForLast(in: self, closedAt: site)
    }
}
