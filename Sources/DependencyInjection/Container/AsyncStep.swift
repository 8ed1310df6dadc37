internal import Synchronization

/// A step of the path that leads to an asynchronous factory. It is a task-local value.
final class AsyncStep: Sendable {
    @TaskLocal private static var innermost: AsyncStep?

    /// What is being built; nil if the step is a request.
    let build: AsyncBuild?
    /// The container that was asked or builds, unless it is gone: a task that a factory has left behind keeps the step.
    weak let core: ContainerCore?
    /// Where it was asked for.
    private let site: CallSite
    let context: RequestContext
    private let parent: AsyncStep?
    /// Whether the step has ended. Tasks that were made in it may go on, and still see it.
    private let over = Atomic<Bool>(false)

    init(_ build: AsyncBuild?, in core: ContainerCore, at site: CallSite) {
        self.build = build
        self.core = core
        self.site = site
        parent = Self.current
        context = parent?.context ?? RequestContext()
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
