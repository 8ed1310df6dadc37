internal import Synchronization

/// A scope that makes a container current for an operation, as a task-local value.
///
/// Tasks that are created inside the scope retain the value after the scope has ended. If no scope exists at all,
/// requests skip the lookup of the task-local value.
final class ContainerScope: Sendable {
    @TaskLocal private static var innermost: ContainerScope?
    /// The same scope, for readers that needn't retain it. Both values are bound together, so a task that has one also
    /// has the other.
    @TaskLocal private static var borrowed: UnretainedReference<ContainerScope>?

    private static let living = Atomic<Int>(0)

    let core: ContainerCore
    /// The container, which the scope retains. `nil` in the scope of a factory.
    private let container: DIContainer?

    /// - Parameter container: The container to retain. `nil` in the scope of a factory, which doesn't retain the
    ///   container.
    init(_ core: ContainerCore, keeping container: DIContainer? = nil) {
        self.core = core
        self.container = container
        Self.living.wrappingAdd(1, ordering: .relaxed)
        if container != nil { core.report(.madeCurrent) }
    }

    deinit {
        Self.living.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether a scope may be active. A relaxed load suffices, because a thread that can read a scope has observed its
    /// creation.
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// A scope and its container, which the task retains.
    struct Reference {
        let core: UnretainedReference<ContainerCore>
        let identity: ObjectIdentifier
    }

    /// The active scope.
    static var current: Reference? {
        guard isAnyActive, let scope = borrowed else { return nil }
        return scope.with { Reference(core: UnretainedReference($0.core), identity: ObjectIdentifier($0)) }
    }

    /// Whether a scope of another container is active.
    static func isOther(than core: ContainerCore) -> Bool {
        current.map { $0.core != UnretainedReference(core) } ?? false
    }

    /// The container that the active scope retains.
    static var container: DIContainer? { isAnyActive ? innermost?.container : nil }

    /// Runs an operation inside this scope.
    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$innermost.withValue(self) {
            try Self.$borrowed.withValue(UnretainedReference(self), operation: operation)
        }
    }

    /// Runs an asynchronous operation inside this scope, in the caller's isolation.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$innermost.withValue(
            self,
            operation: {
                try await Self.$borrowed.withValue(
                    UnretainedReference(self), operation: operation, isolation: isolation)
            },
            isolation: isolation)
    }
}
