internal import Synchronization

/// A container made current for a scope of code, as a task-local value.
///
/// Tasks made inside keep the value after the scope has ended. Counting the living values tells whether any code at all
/// can see one, and spares everybody else the look-up of a task-local value.
final class ContainerScope: Sendable {
    // Not an Optional, which takes longer to copy.
    @TaskLocal private static var innermost = ContainerScope(none: ())

    private static let living = Atomic<Int>(0)

    let core: ContainerCore?
    /// What keeps the instances of the container meanwhile, where the scope is not a factory's own.
    private let keeper: (any AnyObject & Sendable)?

    init(_ core: ContainerCore, keptBy keeper: (any AnyObject & Sendable)? = nil) {
        self.core = core
        self.keeper = keeper
        Self.living.wrappingAdd(1, ordering: .relaxed)
    }

    private init(none: ()) {
        core = nil
        keeper = nil
    }

    deinit {
        Self.living.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether a scope may be active; relaxed, since a thread that can see a scope has seen it being made.
    @inline(__always)
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// The active scope, which its task keeps alive, and its container.
    static var current: (core: Borrowed<ContainerCore>, identity: ObjectIdentifier)? {
        guard isAnyActive else { return nil }
        let scope = innermost
        return scope.core.map { (Borrowed($0), ObjectIdentifier(scope)) }
    }

    /// The container of the active scope, where the scope keeps it.
    static var container: DIContainer? { isAnyActive ? innermost.keeper as? DIContainer : nil }

    /// Runs an operation inside this scope.
    func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$innermost.withValue(self, operation: operation)
    }

    /// Runs an asynchronous operation inside this scope, where the caller runs.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$innermost.withValue(self, operation: operation, isolation: isolation)
    }
}
