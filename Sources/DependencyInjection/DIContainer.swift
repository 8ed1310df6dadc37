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
    /// A child keeps its parent, and with it the parent's instances; a parent knows no child.
    private let parent: DIContainer?

    init(core: ContainerCore, parent: DIContainer? = nil) {
        self.core = core
        self.parent = parent
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
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line, @RegistrationBuilder _ registrations: () -> [Registration]
    ) {
        self.init()
        register(file: file, line: line, registrations)
    }

    deinit {
        // Instances may hold providers, and these hold the core: see ``ContainerCore``.
        ThreadRecord.current.whenFree { [core] in core.abandon() }
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
        core.isRegistered(Key(ObjectIdentifier(type), name))
    }

    // MARK: Changing as a whole

    /// Removes the registration of a type, with its shared instance; does nothing if there is none.
    ///
    /// Aliases of the type stay and forward to nothing, and its decorators wait for the next registration. May be called on
    /// any thread; stops the program if the container is sealed.
    public func unregister<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        unlessSealed(file, line) { site throws(ResolutionError) in
            try core.unregister(type, Key(ObjectIdentifier(type), name), site)
        }
    }

    /// Removes all registrations, decorators and instances. May be called on any thread; stops the program if the
    /// container is sealed.
    public func reset(file: StaticString = #fileID, line: UInt = #line) {
        unlessSealed(file, line) { site throws(ResolutionError) in try core.removeAll(site) }
    }

    /// Releases all instances and keeps the registrations, so that the next requests build anew.
    ///
    /// May be called on any thread; stops the program if the container is sealed. What objects outside hold stays alive
    /// there.
    public func resetInstances(file: StaticString = #fileID, line: UInt = #line) {
        unlessSealed(file, line) { site throws(ResolutionError) in try core.removeInstances(site) }
    }

    /// Makes every later change an error that names its place and this one.
    ///
    /// ```swift
    /// container.seal()
    /// ```
    /// Resolving goes on as before. A sealed container can still be forked, and overridden that way. May be called on any
    /// thread.
    public func seal(file: StaticString = #fileID, line: UInt = #line) {
        core.seal(CallSite(file: file, line: line))
    }

    private func unlessSealed(
        _ file: StaticString, _ line: UInt, _ change: (CallSite) throws(ResolutionError) -> Void
    ) {
        do { try change(CallSite(file: file, line: line)) } catch { error.trap(file: file, line: line) }
    }
}
