internal import Synchronization

/// The asynchronous builds in progress, so that all requests for one await the same build.
///
/// Factories run off this actor. All containers share one actor, because their builds may await one another.
actor AsyncBuilds {
    static let shared = AsyncBuilds()

    /// A build in progress. Only the actor uses it, except the build itself.
    private final class PendingBuild: @unchecked Sendable {
        let build: AsyncBuild
        /// The activity that delays the closing of the container until the build ends.
        let activity: Lifecycle.AsyncActivity
        var task: Task<Void, Never>?
        /// Empty once the build has ended or is canceled. No request can join it then.
        var waiters: [Waiter] = []

        init(_ build: AsyncBuild) {
            self.build = build
            activity = Lifecycle.AsyncActivity(id: UniqueID.next(), registration: build.entry.registration)
        }

        /// Whether another build is this one or awaits it. The search visits each build once.
        func isAwaited(by other: PendingBuild, _ visited: inout Set<ObjectIdentifier>) -> Bool {
            if self === other { return true }
            guard visited.insert(ObjectIdentifier(self)).inserted else { return false }
            // A task that a factory has left behind is no longer a part of the build.
            return waiters.lazy.compactMap(\.dependent).contains {
                !$0.step.hasEnded && $0.build.isAwaited(by: other, &visited)
            }
        }
    }

    /// A build that awaits another one, and its step.
    private struct Dependent {
        let build: PendingBuild
        let step: AsyncStep
    }

    /// A task that awaits a build. Only the actor uses it.
    private final class Waiter: @unchecked Sendable {
        /// The build that the task is a part of.
        let dependent: Dependent?
        var continuation: CheckedContinuation<any AnyBox, any Error>?

        init(_ dependent: Dependent?) { self.dependent = dependent }
    }

    /// The builds whose tasks have not ended, including canceled ones.
    private var pending: [PendingBuild] = []

    /// Awaits the build of an entry, and starts it if it isn't in progress.
    ///
    /// - Returns: A box that retains the instance.
    @discardableResult
    func wait(for build: AsyncBuild) async throws -> any AnyBox {
        if let box = build.cachedInstance?.box { return box }
        // A canceled task's builds would be canceled immediately and would be repeated for each request.
        try Task.checkCancellation()
        let known = pending.first { !$0.waiters.isEmpty && $0.build.id == build.id }
        let awaited = try known ?? start(build)
        // The innermost build that this task is a part of.
        let dependent = AsyncStep.all.lazy.compactMap { step -> Dependent? in
            self.pending.first { $0.build === step.build }.map { Dependent(build: $0, step: step) }
        }.first
        var visited: Set<ObjectIdentifier> = []
        // A new build awaits nothing yet.
        if known != nil, let dependent, dependent.build.isAwaited(by: awaited, &visited) {
            throw ResolutionError(build.request, .cycle, in: nil)
        }
        let waiter = Waiter(dependent)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    // The closure runs on this actor, as its creator does, but the compiler can't know that.
                    assumeIsolated { _ in
                        waiter.continuation = continuation
                        awaited.waiters.append(waiter)
                    }
                }
            } onCancel: {
                // The actor runs this later, when the waiter is in the list.
                Task { await self.cancel(waiter, of: awaited) }
            }
        } catch {
            // The build may have failed after this task was canceled, and before the waiter left the list.
            try Task.checkCancellation()
            throw error
        }
    }

    private func start(_ build: AsyncBuild) throws -> PendingBuild {
        try build.checkArguments()
        let pending = PendingBuild(build)
        let isBuilding = build.core.isBuilding(isOnQueue: false)
        let isCached: Bool
        switch build.core.lifecycle.withLock({ $0.begin(pending.activity, isBuilding: isBuilding) }) {
        case .cached: isCached = true
        case .uncached: isCached = false
        case .refused(let refusal): throw ResolutionError(build.request, refusedBy: refusal, in: build.core)
        }
        self.pending.append(pending)
        // Runs off the actor so that a slow `deinit` of an abandoned instance can't block other builds.
        pending.task = Task { @concurrent in
            await self.run(pending, isCached: isCached)
            await self.remove(pending)
            // A caller of `close()` now finds that nothing here retains the instance.
            build.core.endActivity(pending.activity.id)
        }
        return pending
    }

    @concurrent private func run(_ pending: PendingBuild, isCached: Bool) async {
        let build = pending.build
        let outcome: Result<any AnyBox, any Error>
        do {
            outcome = .success(try await build.runFactoryAndCache(isCached: isCached))
        } catch {
            // Cancellation of the factory's own task must not cancel the waiting tasks, so it is wrapped as an error.
            outcome = .failure(
                ResolutionError(wrapping: error, build.request, in: build.core, by: build.entry.registration))
        }
        await finish(pending, outcome)
    }

    private func remove(_ build: PendingBuild) { pending.removeAll { $0 === build } }

    private func finish(_ build: PendingBuild, _ outcome: Result<any AnyBox, any Error>) {
        for waiter in build.waiters { waiter.continuation?.resume(with: outcome) }
        build.waiters = []
    }

    /// Removes a waiter and resumes it with a cancellation error. A build without waiters is canceled, and the next
    /// request starts another one.
    private func cancel(_ waiter: Waiter, of build: PendingBuild) {
        if let index = build.waiters.firstIndex(where: { $0 === waiter }) {
            build.waiters.remove(at: index).continuation?.resume(throwing: CancellationError())
        }
        if build.waiters.isEmpty { build.task?.cancel() }
    }
}
