internal import Synchronization

/// A container made current for a scope of code, as a task-local value.
///
/// Tasks made inside keep the value after the scope has ended. Counting the living values tells whether any code at all
/// can see one, and spares everybody else the look-up of a task-local value.
final class ContainerScope: Sendable {
    @TaskLocal static var current: ContainerScope?

    private static let living = Atomic<Int>(0)

    let core: ContainerCore
    /// What keeps the instances of the container meanwhile, where the scope is not a factory's own.
    private let container: DIContainer?

    init(_ core: ContainerCore, _ container: DIContainer?) {
        self.core = core
        self.container = container
        Self.living.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        Self.living.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Whether a scope may be active; relaxed, since a thread that can see a scope has seen it being made.
    @inline(__always)
    static var isAnyActive: Bool { living.load(ordering: .relaxed) != 0 }

    /// The identity of the active scope, which its task keeps alive.
    static var currentIdentity: UnsafeRawPointer? {
        guard isAnyActive, let current else { return nil }
        return UnsafeRawPointer(Unmanaged.passUnretained(current).toOpaque())
    }
}
