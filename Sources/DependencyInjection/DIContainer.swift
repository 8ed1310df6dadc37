/// Holds registrations and the instances that they share, and resolves from them.
///
/// ```swift
/// let container = DIContainer {
///     Shared(FileLogger() as Logger)
///     New { resolve, id in NoteViewModel(id: id, logger: resolve()) }
/// }
/// let viewModel: NoteViewModel = container.resolve(42)
/// ```
///
/// Any thread may register and resolve at any time. Registration, and the construction of what is kept, run one at a
/// time on the container's own queue, which a factory enters again when it resolves. Reading what is already built takes no
/// queue. `New` factories run on the calling thread without the queue.
///
/// The container keeps its shared instances as long as it lives. Resolvers, providers and lazy wrappers that outlive it
/// still resolve by its registrations, but its instances are released with it.
public final class DIContainer: Sendable {
    let core: ContainerCore

    init(core: ContainerCore) {
        self.core = core
    }

    /// Makes a container without registrations.
    public convenience init() {
        self.init(core: ContainerCore())
    }

    /// Makes a container with registrations.
    ///
    /// ```swift
    /// let container = DIContainer { Shared(FileLogger() as Logger) }
    /// ```
    public convenience init(@RegistrationBuilder _ registrations: () -> [Registration]) {
        self.init()
        core.register(registrations())
    }

    deinit {
        // Instances may hold providers, and these hold the core: see ``ContainerCore``.
        core.removeInstances()
    }

    /// Registers in this container: `container.register { … }`.
    public var register: Registrar { Registrar(core: core) }

    /// Resolves from this container: `container.resolve(Router.self)`.
    public var resolve: Resolver { Resolver(core: core) }

    /// Tells whether exactly this type is registered under exactly this name, here or in a parent.
    ///
    /// ```swift
    /// let canPlay = container.isRegistered(MediaPlayer.self)
    /// ```
    /// May be called on any thread; takes no queue.
    public func isRegistered<T>(_ type: T.Type, name: RegistrationName? = nil) -> Bool {
        core.find(Key(ObjectIdentifier(type), name)) != nil
    }

    /// Removes the registration of a type, with its shared instance; does nothing if there is none.
    ///
    /// Aliases of the type stay and forward to nothing. May be called on any thread.
    public func unregister<T>(_ type: T.Type, name: RegistrationName? = nil) {
        core.unregister(Key(ObjectIdentifier(type), name))
    }

    /// Removes all registrations and instances. May be called on any thread.
    public func reset() {
        core.removeAll()
    }

    /// Releases all instances and keeps the registrations, so that the next requests build anew.
    ///
    /// May be called on any thread. What objects outside hold stays alive there.
    public func resetInstances() {
        core.removeInstances()
    }
}
