internal import Synchronization

/// An asynchronous build: the entry, the container that it is built for, and the request.
///
/// Only an awaited request has arguments here.
///
/// Unchecked because of the arguments, but ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones.
package final class AsyncBuild: @unchecked Sendable {
    /// The identity of a build. It changes with the entry, with the container, and when all instances are released.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let entry: UInt
        let resetCount: Int
    }

    let core: ContainerCore
    let entry: Entry
    let request: Request
    let id: ID

    /// Creates a build, or returns `nil` if the build can't be started ahead of a plain request. Only a build of a
    /// cached registration without arguments can be started ahead.
    init?(_ entry: Entry, for core: ContainerCore, _ request: Request) {
        let isBuiltAhead = entry.cacheLocation != .uncached && !entry.takesArguments
        guard request.isAwaited || isBuiltAhead && request.arguments.isEmpty else { return nil }
        self.core = core
        self.entry = entry
        self.request = request
        id = ID(
            core: ObjectIdentifier(core), entry: entry.id,
            resetCount: core.resetCount.load(ordering: .relaxed))
    }

    /// Whether a request may wait for this build and then be repeated. A dependency of a plain factory is built ahead
    /// only once.
    func canBeAwaited(after last: ID?) -> Bool { request.isAwaited || id != last }

    /// The current instance in the cache.
    var cachedInstance: Instance? {
        core.match(for: request.key).flatMap { $0.entry === entry ? $0.instance : nil }
    }

    /// Waits for the build, and retains its result until the request completes.
    ///
    /// The request receives the result even if its container is closed or released before the build ends.
    func awaitResult() async throws {
        let box = try await AsyncBuilds.shared.wait(for: self)
        _ = GraphScope.current?.add(Instance(memberWith: box, of: entry, builtBy: core))
    }

    /// Throws if the arguments don't match, so that a request that joins the build never receives the error of another
    /// request.
    func checkArguments() throws {
        do { try ArgumentList(request.arguments, expected: entry.registration.argumentTypes).check() } catch {
            throw ResolutionError(wrapping: error, request, in: core, by: entry.registration)
        }
    }

    // MARK: Running

    /// Runs the factory off every actor, and caches the instance.
    ///
    /// - Parameter isCached: Whether the container caches it.
    @concurrent func runFactoryAndCache(isCached: Bool) async throws -> any AnyBox {
        let product = try await runFactory(isClosable: isCached)
        if isCached {
            core.exclusively {
                // During the build, all instances may have been released, or the registration replaced and built again.
                guard core.resetCount.load(ordering: .relaxed) == id.resetCount, cachedInstance?.box == nil
                else { return }
                _ = core.cache(product.box, of: entry, request.key, closableID: product.closableID)
                core.retainUntilRequestEnds(product.box, of: entry)
            }
        }
        return product.box
    }

    /// An instance that the factory built, with its decorators.
    struct Product {
        let box: any AnyBox
        /// Nil if the container isn't going to close it.
        let closableID: UInt?
    }

    /// Runs the factory and its decorators as the innermost step, with the container as the current one.
    func runFactory(isClosable: Bool) async throws -> Product {
        let step = AsyncStep(.build(self), in: core, at: request.site)
        // An outer step may build the same entry, if arguments can end the recursion.
        let permitted = entry.registration.permittedRepetitions(hasArguments: !request.arguments.isEmpty)
        if AsyncStep.builds(of: entry, for: core) > permitted { throw ResolutionError(request, .cycle, in: nil) }
        let beginning = core.reportBeginning(of: entry.registration)
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
        let closableID = isClosable ? core.recordClosable(box, by: entry.registration) : nil
        return Product(box: try await decorate(box, in: step), closableID: closableID)
    }

    /// Runs the decorators. Their asynchronous dependencies are built ahead, as for a plain factory.
    private func decorate(_ base: any AnyBox, in step: AsyncStep) async throws -> any AnyBox {
        try await step.retrying { [self] in
            guard entry.isMainActor else { return try core.decorate(base, by: entry.decorators) }
            return try await MainActor.run { try core.decorate(base, by: entry.decorators) }
        } afterMissing: { build in
            try await build.awaitResult()
        }
    }
}

/// The asynchronous builds in progress, so that all requests for one await the same build.
///
/// Factories run off this actor. All containers share one actor, because their builds may await one another.
actor AsyncBuilds {
    static let shared = AsyncBuilds()

    /// A build in progress. Only the actor uses it, apart from the immutable ``build``.
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

        /// Whether a build is this one, or awaits this one directly or through others. The search visits each build
        /// once.
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
        let isCached: Bool
        let admission = build.core.lifecycle.withLock {
            $0.begin(pending.activity, isBuilding: build.core.isBuilding(isOnQueue: false))
        }
        switch admission {
        case .cached: isCached = true
        case .uncached: isCached = false
        case .refused(let refusal): throw ResolutionError(build.request, refusedBy: refusal, in: build.core)
        }
        self.pending.append(pending)
        // Runs off the actor so that a slow `deinit` of an abandoned instance can't block other builds.
        pending.task = Task { @concurrent in
            await self.run(pending, isCached: isCached)
            await self.remove(pending)
            // The actor no longer retains the instance, so `close()` may continue.
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

    /// The number of tasks that await builds of a container. Tests wait until a task awaits a build.
    func waiterCount(in core: ContainerCore) -> Int {
        pending.reduce(0) { $0 + ($1.build.core === core ? $1.waiters.count : 0) }
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
