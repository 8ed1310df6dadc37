internal import Synchronization

/// A step of the path that leads to an asynchronous factory. It is a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// What is being built; nil if the step is a request, or closes something.
    let build: AsyncBuild?
    /// The container that is being closed, and the `OnClose` that runs; nil if the step is another one.
    private let closer: (core: ContainerCore, statement: Registration)?
    /// The containers whose builds the step has waited for.
    private let awaited = Guarded<[ContainerCore]>([])
    /// Where it was asked for.
    private let site: CallSite
    let context: RequestContext
    private let parent: AsyncStep?
    /// Whether the step has ended. Tasks that were made in it may go on, and still see it.
    private let over = Atomic<Bool>(false)

    convenience init(_ build: AsyncBuild?, at site: CallSite) { self.init(build, nil, at: site) }

    convenience init(closing core: ContainerCore, by statement: Registration, at site: CallSite) {
        self.init(nil, (core, statement), at: site)
    }

    private init(_ build: AsyncBuild?, _ closer: (core: ContainerCore, statement: Registration)?, at site: CallSite) {
        self.build = build
        self.closer = closer
        self.site = site
        parent = Self.current
        context = parent?.context ?? RequestContext()
    }

    /// The container that runs the factory or the `OnClose`; nil in a request.
    var core: ContainerCore? { build?.core ?? closer?.core }

    /// Remembers that a build was awaited.
    func hasAwaited(_ build: AsyncBuild) { awaited.withLock { $0.append(build.core) } }

    /// Whether it builds something that a container keeps, or has waited for that.
    func isBuilding(for core: ContainerCore) -> Bool {
        guard let build else { return awaited.withLock { $0.contains { $0 === core } } }
        return build.core === core && build.entry.mode != .transient
    }

    var isOver: Bool { over.load(ordering: .acquiring) }

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

    /// The asynchronous registrations that are being built or closed around this code, the outermost first.
    static var path: [Registration] { all.reversed().compactMap { $0.build?.entry.subject ?? $0.closer?.statement } }

    /// Where the outermost step around this code was asked for.
    static var origin: CallSite? { all.last?.site }

    /// Runs work as if in no step.
    static func runOutside(_ work: () -> Void) { $innermost.withValue(nil, operation: work) }

    /// Runs an operation as the innermost step, where the caller runs.
    func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> T
    ) async throws -> T {
        context.enter()
        defer {
            over.store(true, ordering: .releasing)
            context.leave()
        }
        return try await Self.$innermost.withValue(self) {
            // The closure is isolated because it captures this.
            _ = isolation
            return try await operation()
        }
    }
}
