/// Holds registrations and the instances that they share, and resolves from them.
///
/// ```swift
/// let container = DIContainer {
///     Shared(FileLogger() as Logger)
///     New(autowiring: NoteViewModel.init, arguments: Int.self)
/// }
/// let viewModel: NoteViewModel = container.resolve(42)
/// ```
///
/// Any thread may register and resolve at any time. Registration, and the construction of what is kept, run one at a
/// time on the container's own queue, which a factory enters again when it resolves. Reading what is already built takes no
/// queue. `New` factories run on the calling thread without the queue.
///
/// The container keeps its shared instances as long as it lives. Dropping it does not wait for a factory: if one is
/// running, the instances are released when it ends. Resolvers, providers and lazy wrappers that outlive the container
/// still resolve by its registrations, and share the objects that somebody else holds.
public final class DIContainer: Sendable {
    @usableFromInline let core: ContainerCore
    /// A child keeps its parent, and with it the parent's instances; a parent knows no child.
    @usableFromInline let parent: DIContainer?
    /// Whether this object releases the instances; false if it stands for a container that somebody else holds.
    private let keepsInstances: Bool

    @usableFromInline init(core: ContainerCore, parent: DIContainer? = nil, keepsInstances: Bool = true) {
        self.core = core
        self.parent = parent
        self.keepsInstances = keepsInstances
    }

    /// Makes a container, with registrations or without any.
    ///
    /// ```swift
    /// let container = DIContainer { Shared(FileLogger() as Logger) }
    /// ```
    public convenience init(@RegistrationBuilder _ registrations: () -> [Registration] = { [] }) {
        self.init(core: ContainerCore())
        core.fill(registrations())
    }

    deinit {
        guard keepsInstances else { return }
        // Instances may hold providers, which hold the core: see ``ContainerCore``. A core that nobody holds goes now.
        let thread = ThreadRecord.current
        thread.retainInsideQueues(Borrowed(core))
        if thread.heldQueues > 0 || !Borrowed(core).isUnique { core.abandon() }
    }

    /// Registers in this container: `container.register { … }`.
    public var register: Registrar { Registrar(core: core) }

    /// The resolver of this container, to call, or to give to a factory or a function: `let make = container.resolve`.
    @_disfavoredOverload public var resolve: Resolver { Resolver(core: core) }

    /// Resolves an instance of the type, which is inferred if it is left out: `container.resolve(Router.self)`.
    ///
    /// Does what the same call of ``DIContainer/resolve-swift.property`` does, and retains nothing but the instance.
    @inlinable public func resolve<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        withExtendedLifetime(self) {
            Borrowed(core).with { Resolver(core: $0)(type, name: name, file: file, line: line) }
        }
    }

    /// Tells whether exactly this type is registered under exactly this name, here or in a parent.
    ///
    /// ```swift
    /// let canPlay = container.isRegistered(MediaPlayer.self)
    /// ```
    /// May be called on any thread; takes no queue.
    public func isRegistered<T>(_ type: T.Type, name: RegistrationName? = nil) -> Bool {
        core.registered(Key(ObjectIdentifier(type), name)) != nil
    }

    // MARK: Changing as a whole

    /// Removes the registration of a type, with its shared instance; does nothing if there is none.
    ///
    /// Aliases of the type stay and forward to nothing, and its decorators wait for the next registration. At its next
    /// request, or when it goes, a child lets go of what it built from it. May be called on any thread;
    /// stops the program if the container is sealed.
    public func unregister<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        core.unregister(type, Key(registering: type, name), CallSite(file: file, line: line))
    }

    /// Removes all registrations, decorators and instances. May be called on any thread; stops the program if the
    /// container is sealed.
    public func reset(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: true, CallSite(file: file, line: line))
    }

    /// Releases all instances and keeps the registrations, so that the next requests build anew.
    ///
    /// Children keep their ``Scoped`` instances, and build anew what they made from this container's instances. What
    /// other objects hold stays alive. May be called on any thread; stops the program if the container is sealed.
    public func resetInstances(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: false, CallSite(file: file, line: line))
    }

    /// Makes every later change stop the program, with a text that names the place of the change and of this call.
    ///
    /// ```swift
    /// container.seal()
    /// ```
    /// Resolving goes on as before. A sealed container can still be forked, and overridden that way. May be called on any
    /// thread.
    public func seal(file: StaticString = #fileID, line: UInt = #line) {
        core.seal(CallSite(file: file, line: line))
    }
}
