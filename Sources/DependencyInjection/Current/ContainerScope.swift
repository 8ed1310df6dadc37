internal import Synchronization

/// Makes a container current for a scope of code, as a task-local value.
///
/// Tasks made inside keep the value after the scope has ended. The number of living values tells whether any code can
/// see one. If none can, nobody has to look up a task-local value.
final class ContainerScope: Sendable {
    @TaskLocal private static var innermost: ContainerScope?
    /// The same scope, for readers that need not retain it. Both values are bound together, so a task that has one has both.
    @TaskLocal private static var borrowed: Borrowed<ContainerScope>?

    private static let living = Atomic<Int>(0)

    let core: ContainerCore
    /// The container, whose instances the scope keeps; nil in the scope of a factory.
    private let container: DIContainer?

    /// - Parameter container: Nil for the scope of a factory, which does not keep the container.
    init(_ core: ContainerCore, keeping container: DIContainer? = nil) {
        self.core = core
        self.container = container
        Self.living.wrappingAdd(1, ordering: .relaxed)
        if container != nil { core.report(.madeCurrent) }
    }

    deinit {
        Self.living.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether a scope may be active. A relaxed load will do: a thread that can see a scope has seen it being made.
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// The active scope and its container, which the task keeps alive.
    static var current: (core: Borrowed<ContainerCore>, identity: ObjectIdentifier)? {
        guard isAnyActive, let scope = borrowed else { return nil }
        return scope.with { (Borrowed($0.core), ObjectIdentifier($0)) }
    }

    /// The container that the active scope keeps.
    static var container: DIContainer? { isAnyActive ? innermost?.container : nil }

    /// Runs an operation inside this scope.
    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$innermost.withValue(self) {
            try Self.$borrowed.withValue(Borrowed(self), operation: operation)
        }
    }

    /// Runs an asynchronous operation inside this scope, where the caller runs.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$innermost.withValue(
            self,
            operation: {
                try await Self.$borrowed.withValue(Borrowed(self), operation: operation, isolation: isolation)
            },
            isolation: isolation)
    }
}
