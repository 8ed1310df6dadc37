/// A container of registrations and the instances that they share.
///
/// ```swift
/// let container = DIContainer {
///     Shared(FileLogger() as Logger)
///     New(autowiring: NoteViewModel.init, arguments: Int.self)
/// }
/// let viewModel: NoteViewModel = container.resolve(42)
/// ```
///
/// Any thread may register and resolve at any time. Registration and the construction of cached instances run one at a
/// time on the container's own queue, which a factory enters again when it resolves. Reading a cached instance takes no
/// queue. `New` factories run on the calling thread without the queue.
///
/// The container retains its cached instances. Releasing the container never blocks. If a factory is still running, the
/// cached instances are released when that factory returns. Resolvers, providers and lazy wrappers that outlive the
/// container keep resolving by its registrations, but nothing is cached any longer: each request builds a new instance.
public final class DIContainer: Sendable {
    @usableFromInline let core: ContainerCore
    /// A child retains its parent, and thereby the parent's instances. A parent has no reference to its children.
    @usableFromInline let parent: DIContainer?
    /// Whether the instances are released with this object; false if another ``DIContainer`` owns them.
    private let ownsInstances: Bool

    @usableFromInline init(core: ContainerCore, parent: DIContainer? = nil, ownsInstances: Bool = true) {
        self.core = core
        self.parent = parent
        self.ownsInstances = ownsInstances
    }

    /// Makes a container, with registrations or without any.
    ///
    /// ```swift
    /// let container = DIContainer { Shared(FileLogger() as Logger) }
    /// ```
    public convenience init(@RegistrationBuilder _ registrations: () -> [Registration] = { [] }) {
        self.init(core: ContainerCore())
        core.registerInitially(registrations())
    }

    deinit {
        guard ownsInstances else { return }
        // Instances may retain providers, which retain the core: see ``ContainerCore``. A core without other references
        // is released now.
        let thread = ThreadRecord.current
        thread.retainInsideQueues(UnretainedReference(core))
        if thread.heldQueues > 0 || !UnretainedReference(core).isUnique { core.release() }
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
            UnretainedReference(core).with { Resolver(core: $0)(type, name: name, file: file, line: line) }
        }
    }

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
    /// The decorators of the type are removed, too. Aliases of the type remain but can no longer be resolved. A child
    /// releases the instance that it built from this registration on its next request for it, or when the child itself
    /// is released. May be called on any thread. Stops the program if the container is sealed or closed.
    public func unregister<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        core.unregister(type, Key(registering: type, name), at: CallSite(file: file, line: line))
    }

    /// Removes all registrations, decorators and instances. May be called on any thread; stops the program if the
    /// container is sealed.
    public func reset(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: true, at: CallSite(file: file, line: line))
    }

    /// Releases all instances and keeps the registrations, so that the next requests build anew.
    ///
    /// Children keep their ``Scoped`` instances. Objects that other code retains stay alive. May be called on any
    /// thread. Stops the program if the container is sealed or closed.
    public func resetInstances(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: false, at: CallSite(file: file, line: line))
    }

    /// Makes every later change stop the program, with a text that names the place of the change and of this call.
    ///
    /// ```swift
    /// container.seal()
    /// ```
    /// Resolving goes on as before. A sealed container can still be forked, and overridden that way. May be called on any
    /// thread.
    public func seal(file: StaticString = #fileID, line: UInt = #line) {
        core.seal(at: CallSite(file: file, line: line))
    }
}
