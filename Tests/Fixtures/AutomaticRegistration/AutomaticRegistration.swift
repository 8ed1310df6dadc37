public import DependencyInjection
internal import Synchronization

// A process that links this module registers automatically. The module's default isolation is the main actor, as in
// many apps. A process can have only one such conformance, so all tests share it.

extension DIContainer: DependencyRegistering {
    public static func registerDependencies() {
        AutomaticallyRegistered.registrations.increment()
        // The default container is available during the registration.
        shared.register(Shared(AutomaticallyRegistered(origin: "replaced below")))
        register {
            Shared(AutomaticallyRegistered(origin: "automatic"))
            Shared(mainActor: Window() as Showing)
        }
        if let replacement = AutomaticallyRegistered.replacement.make() { shared = replacement }
    }
}

public nonisolated final class AutomaticallyRegistered: Sendable {
    /// Counts the calls of `registerDependencies()`.
    public static let registrations = Registrations()

    /// The default container that the conformance sets at its end, or nil to leave the default as it is.
    public static let replacement = Replacement()

    public let origin: String

    public init(origin: String) { self.origin = origin }

    public final class Registrations: Sendable {
        private let value = Atomic<Int>(0)
        public var count: Int { value.load(ordering: .sequentiallyConsistent) }
        func increment() { value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    }

    public final class Replacement: Sendable {
        private let container = Mutex<(@Sendable () -> DIContainer)?>(nil)
        public func set(_ make: @escaping @Sendable () -> DIContainer) { container.withLock { $0 = make } }
        func make() -> DIContainer? { container.withLock { $0 }?() }
    }
}

/// A main-actor type that is registered automatically.
public protocol Showing: AnyObject { var title: String { get set } }

final class Window: Showing { var title = "untitled" }
