public import DependencyInjection
public import Synchronization

// A process that links this module registers automatically. The module's default isolation is the main actor, as in
// many apps. A process can have only one such conformance, so all tests share it.

extension DIContainer: DependencyRegistering {
    public static func registerDependencies() {
        AutomaticallyRegistered.registrations.wrappingAdd(1, ordering: .sequentiallyConsistent)
        // The default container is available during the registration.
        shared.register(Shared(AutomaticallyRegistered(origin: "replaced below")))
        register {
            Shared(AutomaticallyRegistered(origin: "automatic"))
            Shared(mainActor: Window())
        }
        if let container = AutomaticallyRegistered.replacingContainer { shared = container }
    }
}

public nonisolated final class AutomaticallyRegistered: Sendable {
    /// The number of calls of `registerDependencies()`.
    public static let registrations = Atomic<Int>(0)

    /// Creates the default container that the conformance sets at its end. Nil leaves the default as it is.
    public static let replacement = Mutex<(@Sendable () -> DIContainer)?>(nil)

    fileprivate static var replacingContainer: DIContainer? { replacement.withLock { $0?() } }

    public let origin: String

    public init(origin: String) { self.origin = origin }
}

/// A main-actor type that is registered automatically.
public final class Window { public var title = "untitled" }
