internal import Synchronization

/// The container that is current where nothing else is, and its automatic registration.
enum DefaultContainer {
    private enum State {
        case untouched
        /// ``DependencyRegistering/registerDependencies()`` runs, on the thread that holds the queue.
        case registering(DIContainer)
        case ready(DIContainer)
    }

    private static let queue = ReentrantSerialQueue(label: "DependencyInjection.DefaultContainer")
    // Sound: used on the queue only.
    nonisolated(unsafe) private static var state = State.untouched

    static var container: DIContainer {
        get { queue.sync { prepared() } }
        set {
            // The old container is released when every read of it has ended, and its core when none of its factories runs.
            let old = queue.sync { () -> DIContainer? in
                defer { become(newValue) }
                return switch state {
                case .ready(let container), .registering(let container): container
                case .untouched: nil
                }
            }
            ThreadRecord.waitForReaders()
            if let old { PostponedRelease.keep([old.core]) }
        }
    }

    private static func become(_ container: DIContainer) {
        state = .ready(container)
        CurrentContainer.defaultBits.store(
            UInt(bitPattern: Unmanaged.passUnretained(container.core).toOpaque()), ordering: .sequentiallyConsistent)
    }

    private static func prepared() -> DIContainer {
        switch state {
        case .ready(let container), .registering(let container):
            return container
        case .untouched:
            let container = DIContainer()
            state = .registering(container)
            registerDependencies(in: container)
            if case .registering = state { become(container) }
            return prepared()
        }
    }

    /// The cast is of the metatype: a conformance that is isolated to the main actor is found by it on every thread.
    private static func registerDependencies(in container: DIContainer) {
        guard let registering = DIContainer.self as? any DependencyRegistering.Type else { return }
        let thread = ThreadRecord.current
        // A step that builds nothing cannot close a cycle.
        _ = thread.enter(.passUnretained(container.core), nil)
        registering.registerDependencies()
        thread.leave()
    }
}
