/// The default container, with automatic registration.
enum DefaultContainer {
    /// The default container for readers, once it is set up. Static requests and ``DIContainer/shared`` read this one
    /// reference, so that a thread which has read a new default never resolves from an older one.
    private static let shared = AtomicReference<DIContainer>()

    /// The core of the default container. `nil` until it is set up. Read it during a read.
    @inline(__always) static var core: UnretainedReference<ContainerCore>? {
        shared.load()?.with { UnretainedReference($0.core) }
    }

    private static let queue = ReentrantSerialQueue()
    /// The container that ``DependencyRegistering/registerDependencies()`` is filling. Sound: used on the queue only.
    nonisolated(unsafe) private static var registering: DIContainer?

    static var container: DIContainer {
        get { known ?? queue.sync { prepared() } }
        // The old container is released after every read of it has ended.
        set { queue.sync { become(newValue) } }
    }

    private static var known: DIContainer? { ThreadRecord.reading { shared.load()?.unlistedObject } }

    /// Whether a core belongs to the default container.
    static func isDefault(_ container: ContainerCore) -> Bool {
        ThreadRecord.reading { core == UnretainedReference(container) }
    }

    private static func become(_ container: DIContainer) {
        shared.replace(with: container)
        container.core.report(.madeCurrent)
    }

    private static func prepared() -> DIContainer {
        if let container = known ?? registering { return container }
        let container = DIContainer()
        registering = container
        registerDependencies(in: container)
        registering = nil
        // The registration may have set another default container.
        if known == nil { become(container) }
        return prepared()
    }

    /// A cast of the metatype finds the conformance on every thread, even if it is isolated to the main actor.
    private static func registerDependencies(in container: DIContainer) {
        guard let registering = DIContainer.self as? any DependencyRegistering.Type else { return }
        let thread = ThreadRecord.current
        thread.push(FactoryFrame(UnretainedReference(container.core)))
        registering.registerDependencies()
        thread.pop()
    }
}
