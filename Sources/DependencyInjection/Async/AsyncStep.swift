/// A step of the path that leads to an asynchronous factory, stored in a task-local value: a build, the run of an
/// `onClose` handler, or else a request.
package final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// The build, if the step is one.
    let build: AsyncBuild?
    /// The registration whose instance the `onClose` handler closes.
    let closing: Registration?
    /// The container that resolves the request, builds or is being closed. It is removed when the step ends, because a
    /// task that a factory has left behind retains the step.
    private let container: Locked<ContainerCore?>
    /// The asynchronous build that a plain request was missing.
    private let missing = Locked<AsyncBuild?>(nil)
    /// The changes that an `onClose` handler tried to make in the container that is being closed.
    let refusedChanges = Locked<[any Error]>([])
    /// The place of the request.
    private let site: CallSite
    /// The graph that requests in this step share. Nil while an `onClose` handler runs, because each request made there
    /// starts its own graph.
    let graphScope: GraphScope?
    private let parent: AsyncStep?

    package init(
        build: AsyncBuild? = nil, closing: Registration? = nil, in core: ContainerCore, at site: CallSite
    ) {
        self.build = build
        self.closing = closing
        container = Locked(core)
        self.site = site
        parent = Self.current
        graphScope = closing == nil ? parent?.graphScope ?? GraphScope() : nil
    }

    /// The container that resolves the request, builds or is being closed, or `nil` once the step has ended.
    var core: ContainerCore? { container.withLock { $0 } }

    /// Whether the step has ended. Tasks that were created in the step may still run and have it as a task-local value.
    // `core` isn't used here, because it retains the container and a read may call this.
    var hasEnded: Bool { container.withLock { $0 == nil } }

    /// The registration that is being built or closed, or `nil` in a request.
    var registration: Registration? { build?.entry.registration ?? closing }

    // MARK: Closing

    /// Whether the step is a build that a container caches.
    func isBuilding(for core: ContainerCore) -> Bool {
        build.map { $0.core === core && $0.entry.cacheLocation?.isContainer == true } ?? false
    }

    // MARK: Missing builds

    /// Records the asynchronous build that a plain request is missing, for the task that awaits the request.
    func recordMissing(_ build: AsyncBuild) { missing.withLock { $0 = build } }

    /// Removes and returns the build that a plain request was missing.
    package func takeMissing() -> AsyncBuild? { missing.withLock { $0.take() } }

    /// Runs an operation. If an asynchronous build is missing, awaits the build and runs the operation again.
    func retrying<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T,
        afterMissing awaitBuild: (AsyncBuild) async throws -> Void
    ) async throws -> T {
        var last: AsyncBuild.ID?
        while true {
            _ = takeMissing()
            do { return try await operation() } catch let error as ResolutionError where error.reason == .asyncRequired
            {
                // A dependency of a plain factory is built ahead only once.
                guard let build = takeMissing(), build.request.isAwaited || build.id != last else { throw error }
                last = build.id
                try await awaitBuild(build)
            }
        }
    }

    // MARK: The steps around this code

    /// The innermost step that has not ended.
    package static var current: AsyncStep? { living(from: innermost) }

    /// Skips requests and handlers that have ended. A task that outlives a build is in no step.
    private static func living(from step: AsyncStep?) -> AsyncStep? {
        var next = step
        while let step = next, step.hasEnded { next = step.build == nil ? step.parent : nil }
        return next
    }

    /// The steps around this code, the innermost first.
    static var all: [AsyncStep] { current.map { Array(sequence(first: $0) { living(from: $0.parent) }) } ?? [] }

    /// The number of steps around this code that build an entry for a container.
    static func builds(of entry: Entry, for core: ContainerCore) -> Int {
        all.count { $0.build?.entry === entry && $0.build?.core === core }
    }

    /// The place of the outermost request around this code.
    static var origin: CallSite? { all.last?.site }

    // MARK: Running

    /// Runs work outside of every step.
    static func runOutside(_ work: () -> Void) { $innermost.withValue(nil, operation: work) }

    /// Runs an operation as the innermost step, on this thread.
    package func run<T>(_ operation: () throws -> T) rethrows -> T {
        graphScope?.enter()
        defer { end() }
        return try Self.$innermost.withValue(self, operation: operation)
    }

    /// Runs an operation as the innermost step, in the caller's isolation.
    func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T
    ) async throws -> T {
        graphScope?.enter()
        defer { end() }
        return try await Self.$innermost.withValue(self) {
            // The closure is isolated because it captures `isolation`.
            _ = isolation
            return try await operation()
        }
    }

    private func end() {
        // Released outside the lock.
        withExtendedLifetime(container.withLock { $0.take() }) {}
        graphScope?.leave()
    }
}
