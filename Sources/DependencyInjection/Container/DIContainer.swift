internal import Synchronization

/// A container of registrations and their shared instances.
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
/// time on the container's own queue, which a factory re-enters when it resolves. Reading a cached instance takes no
/// queue. `New` factories run on the calling thread without the queue.
///
/// The container retains its cached instances. Releasing the container never blocks. If a factory is still running, the
/// cached instances are released when that factory returns. Resolvers, providers and lazy wrappers that outlive the
/// container continue to resolve from its registrations, but nothing is cached any longer: each request builds a new
/// instance.
public final class DIContainer: Sendable {
    @usableFromInline package let core: ContainerCore
    /// A child retains its parent, and thereby the parent's instances. A parent has no reference to its children.
    @usableFromInline let parent: DIContainer?
    /// Whether the instances are released together with this object. Otherwise, another ``DIContainer`` owns them.
    private let ownsInstances: Bool

    @usableFromInline package init(core: ContainerCore, parent: DIContainer? = nil, ownsInstances: Bool = true) {
        self.core = core
        self.parent = parent
        self.ownsInstances = ownsInstances
    }

    /// Creates a container with registrations.
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
        // Instances may retain providers, which retain the core: see ``ContainerCore``. Without other references, the
        // core is released here.
        let isRetained = ThreadRecord.current.heldQueues > 0 || !UnretainedReference(core).isUnique
        if isRetained, core.transition({ $0.release() }) { core.clearIfReleased() }
    }

    /// The registrar of this container: `container.register { … }`.
    public var register: Registrar { Registrar(core: core) }

    /// The resolver of this container, to be called or passed to a factory or a function: `let make =
    /// container.resolve`.
    @_disfavoredOverload public var resolve: Resolver { Resolver(core: core) }

    /// Resolves an instance of the type, which can be inferred: `container.resolve(Router.self)`.
    ///
    /// Equivalent to the same call of ``DIContainer/resolve-swift.property``, but only retains the instance.
    @inlinable public func resolve<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        withExtendedLifetime(self) {
            UnretainedReference(core).with { Resolver(core: $0)(type, name: name, file: file, line: line) }
        }
    }

    /// Returns whether exactly this type is registered with exactly this name, in this container or a parent.
    ///
    /// ```swift
    /// let canPlay = container.isRegistered(MediaPlayer.self)
    /// ```
    /// Can be called on any thread, and never waits for the queue.
    public func isRegistered<T>(_ type: T.Type, name: RegistrationName? = nil) -> Bool {
        core.isRegistered(Key(ObjectIdentifier(type), name))
    }

    // MARK: Changing as a whole

    /// Removes the registration of a type and its cached instance. Has no effect if the type isn't registered.
    ///
    /// The decorators of the type, the contributions of the registration, and registrations of the type that are only
    /// found in its collection are also removed: see ``Shared/into(_:)``. Aliases of the type remain but can no longer be
    /// resolved. The instance that a child built from this registration is released at the child's next request for the
    /// type, or together with the child. Can be called on any thread. Stops the program if the container is sealed or
    /// closed.
    public func unregister<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        core.unregister(type, Key(registering: type, name), at: CallSite(file: file, line: line))
    }

    /// Removes all registrations, decorators and instances. Can be called on any thread. Stops the program if the
    /// container is sealed or closed.
    public func reset(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: true, at: CallSite(file: file, line: line))
    }

    /// Releases all instances but not the registrations, so that the next requests rebuild the instances.
    ///
    /// The ``Scoped`` instances of children remain cached. Objects that other code retains stay alive. Can be called on
    /// any thread. Stops the program if the container is sealed or closed.
    public func resetInstances(file: StaticString = #fileID, line: UInt = #line) {
        core.removeAll(registrations: false, at: CallSite(file: file, line: line))
    }

    /// Seals the container. Every later change stops the program, with a message that names the call sites of the
    /// change and of this call.
    ///
    /// ```swift
    /// container.seal()
    /// ```
    /// Resolving isn't affected. Forks of a sealed container can still be changed. Can be called on any thread.
    public func seal(file: StaticString = #fileID, line: UInt = #line) {
        core.exclusively { core.lifecycle.withLock { $0.seal(at: CallSite(file: file, line: line)) } }
    }
}

extension DIContainer {
    /// The time after which a long wait is reported on standard error. `nil` for no report.
    ///
    /// ```swift
    /// DIContainer.deadlockWarningDelay = .seconds(2)
    /// ```
    /// A factory that blocks on another thread deadlocks if that thread resolves from the same container. The report
    /// then names the registration that is being built, the path, the thread and the elapsed time.
    /// ``close(dueTo:file:line:)`` also reports a long wait for a build or a handler. Each wait is reported once. The
    /// default is five seconds in debug builds of the library, and otherwise `nil`. Can be read and set on any thread.
    public static var deadlockWarningDelay: Duration? {
        get {
            let milliseconds = LongWait.delay.load(ordering: .relaxed)
            return milliseconds == 0 ? nil : .milliseconds(milliseconds)
        }
        set {
            LongWait.delay.store(
                newValue.map { max(1, Int(min($0 / .milliseconds(1), 1e12))) } ?? 0, ordering: .relaxed)
        }
    }
}

extension DIContainer: CustomStringConvertible, CustomReflectable {
    /// The number of registrations that requests can find.
    public var description: String { "DIContainer with \(core.registrations.count { !$0.isAlias }) registrations" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
