/// A step of the path that leads to an asynchronous factory. It is a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// What a step knows of containers; nothing once it has ended, since a task that is left behind keeps the step.
    private struct Containers: Sendable {
        var asked: ContainerCore?
        /// Those whose builds the step has waited for.
        var awaited: [ContainerCore] = []
    }

    /// What the step does.
    enum Work {
        case request
        case build(AsyncBuild)
        /// What a registration's factory has made is closed.
        case closing(Registration)
    }

    private let work: Work
    private let containers: Guarded<Containers>
    /// Where it was asked for.
    private let site: CallSite
    /// What the requests in this step belong to; nil while something is closed, since each of them is an outermost one then.
    let requestContext: RequestContext?
    private let parent: AsyncStep?

    init(_ work: Work, in core: ContainerCore, at site: CallSite) {
        self.work = work
        containers = Guarded(Containers(asked: core))
        self.site = site
        parent = Self.current
        requestContext =
            if case .closing = work { nil } else { parent?.requestContext ?? RequestContext() }
    }

    /// What is being built, if the step is a build.
    var build: AsyncBuild? { if case .build(let build) = work { build } else { nil } }

    /// The container that was asked, builds or is being closed; nil once the step has ended.
    var core: ContainerCore? { containers.withLock { $0.asked } }

    /// Remembers that a build was awaited.
    func noteAwaited(_ build: AsyncBuild) { containers.withLock { $0.awaited.append(build.core) } }

    /// Whether it builds something that a container keeps, or has waited for that.
    func isBuilding(for core: ContainerCore) -> Bool {
        guard let build else { return containers.withLock { $0.awaited.contains { $0 === core } } }
        return build.core === core && build.entry.mode != .transient
    }

    /// Whether the step has ended. Tasks that were made in it may go on, and still see it.
    // Not by `core`, which retains the container: a read may ask.
    var isOver: Bool { containers.withLock { $0.asked == nil } }

    /// The innermost step that has not ended.
    static var current: AsyncStep? { living(from: innermost) }

    /// Skips the steps that have ended. A task that a factory has left behind is in no step.
    private static func living(from step: AsyncStep?) -> AsyncStep? {
        var next = step
        while let step = next, step.isOver { next = step.build == nil ? step.parent : nil }
        return next
    }

    /// The steps around this code, the innermost first.
    static var all: [AsyncStep] {
        var steps: [AsyncStep] = []
        while let step = steps.isEmpty ? current : living(from: steps[steps.count - 1].parent) { steps.append(step) }
        return steps
    }

    /// How many steps around this code build an entry for a container.
    static func builds(of entry: Entry, for core: ContainerCore) -> Int {
        all.count { $0.build?.entry === entry && $0.build?.core === core }
    }

    /// What is being built or closed; nil in a request.
    var registration: Registration? {
        switch work {
        case .request: nil
        case .build(let build): build.entry.registration
        case .closing(let registration): registration
        }
    }

    /// Where the outermost step around this code was asked for.
    static var origin: CallSite? { all.last?.site }

    /// Runs work as if in no step.
    static func runOutside(_ work: () -> Void) { $innermost.withValue(nil, operation: work) }

    /// Runs an operation as the innermost step, where the caller runs.
    func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T
    ) async throws -> T {
        requestContext?.enter()
        defer {
            let last = containers.withLock { containers in
                defer { containers = Containers() }
                return containers
            }
            withExtendedLifetime(last) {}
            requestContext?.leave()
        }
        return try await Self.$innermost.withValue(self) {
            // The closure is isolated because it captures this.
            _ = isolation
            return try await operation()
        }
    }
}
