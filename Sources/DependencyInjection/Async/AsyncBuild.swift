internal import Synchronization

/// An asynchronous build: the entry, the container that it is built for, and the request.
///
/// Only an awaited request has arguments here.
///
/// Unchecked because of the arguments and of the progress. ``Resolver/async(_:name:arguments:file:line:)`` takes only
/// `Sendable` arguments, and only the actor ``AsyncBuilds`` uses the progress.
package final class AsyncBuild: @unchecked Sendable {
    /// The identity of a build. It changes with the entry, with the container, and when all instances are released.
    struct ID: Hashable {
        let core: ObjectIdentifier
        let entry: UInt
        let resetCount: Int
    }

    package let core: ContainerCore
    package let entry: Entry
    package let request: Request
    let id: ID
    /// `nil` if the build isn't in progress. Only the actor reads or writes it.
    fileprivate(set) var progress: Progress?

    /// Creates a build, or returns `nil` if the build can't be started ahead of a plain request. Only a build of a
    /// cached registration without arguments can be started ahead.
    init?(_ entry: Entry, for core: ContainerCore, _ request: Request) {
        let isBuiltAhead = entry.cacheLocation != .uncached && !entry.takesArguments
        guard request.isAwaited || isBuiltAhead && request.arguments.isEmpty else { return nil }
        self.core = core
        self.entry = entry
        self.request = request
        id = ID(
            core: ObjectIdentifier(core), entry: entry.id, resetCount: core.resetCount.load(ordering: .relaxed))
    }

    /// The current instance in the cache.
    var cachedInstance: Instance? {
        core.match(for: request.key).flatMap { $0.entry === entry ? $0.instance : nil }
    }

    /// Waits for the build, and retains its result until the request completes.
    ///
    /// The request receives the result even if its container is closed or released before the build ends.
    func awaitResult() async throws {
        let box = try await AsyncBuilds.shared.wait(for: self)
        _ = GraphScope.current?.add(Instance(box, of: entry, builtBy: core, isCached: false))
    }

    // MARK: Running

    /// Runs the factory off every actor, and caches the instance.
    ///
    /// - Parameter isCached: Whether the container caches it.
    @concurrent func runFactoryAndCache(isCached: Bool) async throws -> any AnyBox {
        let product = try await runFactory(isClosable: isCached)
        if isCached {
            let isDone = core.tryExclusively { cache(product) }
            if !isDone { await core.waitExclusively { [self] in cache(product) } }
        }
        return product.box
    }

    /// Caches an instance, unless all instances have been released during the build, or the registration has been
    /// replaced and built again. Runs on the queue.
    private func cache(_ product: Product) {
        guard core.resetCount.load(ordering: .relaxed) == id.resetCount, cachedInstance?.box == nil else { return }
        _ = core.cache(product.box, of: entry, request.key, closableID: product.closableID)
    }

    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func runFactory(isClosable: Bool) async throws -> Product {
        let step = AsyncStep(build: self, in: core, at: request.site)
        // An outer step may build the same entry, if arguments can end the recursion.
        let permitted = entry.registration.permittedRepetitions(hasArguments: !request.arguments.isEmpty)
        if AsyncStep.builds(of: entry, for: core) > permitted { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.isObserved ? core.reportBeginning(of: entry.registration) : nil
        do {
            let product = try await step.run {
                try await ContainerScope(core).run { try await callFactory(isClosable: isClosable, in: step) }
            }
            core.reportEnd(of: entry.registration, since: beginning)
            return product
        } catch {
            core.reportEnd(of: entry.registration, since: beginning, error)
            if error is CancellationError, Task.isCancelled { throw error }
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    private func callFactory(isClosable: Bool, in step: AsyncStep) async throws -> Product {
        guard case .asyncFactory(let factory) = entry.registration.kind else {
            preconditionFailure("Only an asynchronous factory is awaited.")
        }
        let arguments = try ArgumentList(request.arguments, expected: entry.registration.argumentTypes)
        let box = try await factory(Resolver(core: core), arguments)
        let closableID = isClosable && entry.registration.hasCloseHandlers ? core.recordClosable(box, of: entry) : nil
        return Product(box: try await decorate(box, in: step), closableID: closableID)
    }

    /// Runs the decorators. Their asynchronous dependencies are built ahead, as for a plain factory.
    private func decorate(_ base: any AnyBox, in step: AsyncStep) async throws -> any AnyBox {
        if entry.decorators.isEmpty { return base }
        return try await step.retrying { [self] in
            if entry.isMainActor { return try await MainActor.run { try core.decorate(base, by: entry.decorators) } }
            return try await BlockingThreads.run { [self] in try core.decorate(base, by: entry.decorators) }
        } afterMissing: { build in
            try await build.awaitResult()
        }
    }
}

/// The asynchronous builds in progress, so that all requests for one await the same build.
///
/// Factories run off this actor. All containers share one actor, because their builds may await one another.
package actor AsyncBuilds {
    package static let shared = AsyncBuilds()

    /// The builds that requests can join.
    private(set) var joinable = [AsyncBuild.ID: AsyncBuild]()

    /// Awaits the build of an entry, and starts it if it isn't in progress.
    ///
    /// - Returns: A box that retains the instance.
    @discardableResult
    package func wait(for build: AsyncBuild) async throws -> any AnyBox {
        if let box = build.cachedInstance?.box { return box }
        // A canceled task's builds would be canceled immediately and would be repeated for each request.
        try Task.checkCancellation()
        let known = joinable[build.id]
        let awaited = try known ?? start(build)
        // The innermost build that this task is a part of.
        let dependent = AsyncStep.all.first { $0.build?.progress != nil }
        var visited: Set<ObjectIdentifier> = []
        // A new build awaits nothing yet.
        if known != nil, dependent?.build?.isAwaited(by: awaited, &visited) == true {
            throw ResolutionError(build.request, .cycle, in: nil)
        }
        let waiter = AsyncBuild.Waiter(dependent)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    // The closure runs on this actor, as its creator does, but the compiler can't know that.
                    assumeIsolated { _ in
                        waiter.continuation = continuation
                        awaited.progress?.waiters[ObjectIdentifier(waiter)] = waiter
                    }
                }
            } onCancel: {
                // The actor runs this later, when the build has the waiter.
                Task { await self.cancel(waiter, of: awaited) }
            }
        } catch {
            // The build may have failed after this task was canceled, and before the build lost the waiter.
            try Task.checkCancellation()
            throw error
        }
    }

    private func start(_ build: AsyncBuild) throws -> AsyncBuild {
        let (core, registration) = (build.core, build.entry.registration)
        // Before the build begins, so that a request that joins it never receives the error of another request.
        do { try ArgumentList(build.request.arguments, expected: registration.argumentTypes).check() } catch {
            throw ResolutionError(wrapping: error, build.request, in: core, by: registration)
        }
        let id = ObjectIdentifier(build)
        let isCached: Bool
        let admission = core.lifecycle.withLock {
            $0.begin(asyncBuild: id, of: registration, isBuilding: core.isBuilding(isOnQueue: false))
        }
        switch admission {
        case .cached: isCached = true
        case .uncached: isCached = false
        case .refused(let refusal): throw ResolutionError(build.request, refusedBy: refusal, in: build.core)
        }
        joinable[build.id] = build
        // Runs off the actor so that a slow `deinit` of an abandoned instance can't block other builds.
        let task = Task { @concurrent in
            await self.run(build, isCached: isCached)
            // The actor no longer retains the instance, so `close()` may continue.
            for waiter in build.core.lifecycle.withLock({ $0.end(asyncBuild: id) }) { waiter.resume() }
        }
        build.progress = AsyncBuild.Progress(task: task)
        return build
    }

    @concurrent private func run(_ build: AsyncBuild, isCached: Bool) async {
        let outcome: Result<any AnyBox, any Error>
        do {
            outcome = .success(try await build.runFactoryAndCache(isCached: isCached))
        } catch {
            // Cancellation of the factory's own task must not cancel the waiting tasks, so it is wrapped as an error.
            outcome = .failure(
                ResolutionError(wrapping: error, build.request, in: build.core, by: build.entry.registration))
        }
        await finish(build, outcome)
    }

    private func finish(_ build: AsyncBuild, _ outcome: Result<any AnyBox, any Error>) {
        guard let progress = build.progress else { preconditionFailure("A build has progress until it ends.") }
        build.progress = nil
        removeFromJoinable(build)
        for waiter in progress.waiters.values { waiter.continuation?.resume(with: outcome) }
    }

    /// Removes a waiter and resumes it with a cancellation error. A build without waiters is canceled, and the next
    /// request starts another one.
    private func cancel(_ waiter: AsyncBuild.Waiter, of build: AsyncBuild) {
        build.progress?.waiters.removeValue(forKey: ObjectIdentifier(waiter))?.continuation?.resume(
            throwing: CancellationError())
        guard let progress = build.progress, progress.waiters.isEmpty else { return }
        progress.task.cancel()
        removeFromJoinable(build)
    }

    /// Removes a build, unless another build of the same entry has been started.
    private func removeFromJoinable(_ build: AsyncBuild) {
        if joinable[build.id] === build { joinable[build.id] = nil }
    }
}

extension AsyncBuild {
    /// A task that awaits a build. Only the actor uses it.
    final class Waiter: @unchecked Sendable {
        /// The step of the build that the task is a part of.
        let dependent: AsyncStep?
        var continuation: CheckedContinuation<any AnyBox, any Error>?

        init(_ dependent: AsyncStep?) { self.dependent = dependent }
    }

    /// The task of a build in progress, and the tasks that await it.
    struct Progress {
        let task: Task<Void, Never>
        /// Empty once the build is canceled. No request can join it then.
        var waiters = [ObjectIdentifier: Waiter]()
    }

    /// Whether a build is this one, or awaits this one directly or through others. The search visits each build once.
    fileprivate func isAwaited(by other: AsyncBuild, _ visited: inout Set<ObjectIdentifier>) -> Bool {
        if self === other { return true }
        guard visited.insert(ObjectIdentifier(self)).inserted, let waiters = progress?.waiters else { return false }
        // A task that a factory has left behind is no longer a part of the build.
        return waiters.values.lazy.compactMap(\.dependent).contains {
            !$0.hasEnded && $0.build?.isAwaited(by: other, &visited) == true
        }
    }
}
