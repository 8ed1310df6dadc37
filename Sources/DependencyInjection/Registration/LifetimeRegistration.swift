/// The common interface of ``Shared``, ``New``, ``Weak``, ``Scoped`` and ``Graph``. Don't conform other types to it.
///
/// No requirement is an initializer, because code completion would offer it next to the public initializers.
public protocol _LifetimeRegistration: RegistrationConvertible {
    /// The type of the instance that the factory returns.
    associatedtype Instance
    /// The lifetime of the registered instance.
    static var _lifetime: Lifetime { get }

    /// Returns a value that wraps existing registrations.
    static func _of(_ registrations: [Registration]) -> Self
}

extension _LifetimeRegistration {
    /// Creates a registration and its aliases. All other initializers delegate to this one. An alias to `Instance`
    /// itself is skipped, because it would forward to itself.
    private init(
        _ kind: Registration.Kind, _ name: RegistrationName?, _ aliases: [any Any.Type],
        isMainActor: Bool = false, arguments: [any Any.Type] = [], dependencies: Registration.Dependencies,
        _ file: StaticString, _ line: UInt
    ) {
        let registration = Registration(
            Instance.self, name, kind, lifetime: Self._lifetime, isMainActor: isMainActor, arguments: arguments,
            dependencies: dependencies, CallSite(file: file, line: line))
        var registrations = [registration]
        for alias in aliases where alias != Instance.self { registrations.append(registration.alias(alias)) }
        self = Self._of(registrations)
    }

    /// Creates a registration from a synchronous factory. The factory is stored with its static types, so callers that
    /// know these types skip a run-time metadata lookup.
    @inlinable init<Failure: Error, each Argument>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws(Failure) -> Instance,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let factory = Factory { (resolver: Resolver, arguments: repeat each Argument) in
            try factory(resolver, repeat each arguments)
        }
        self.init(factory: factory, dependencies: .requested, name, aliases, file, line)
    }

    @usableFromInline init<each Argument>(
        factory: Factory<Instance, repeat each Argument>, dependencies: Registration.Dependencies,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        self.init(
            .factory(factory), name, aliases, arguments: Types<repeat each Argument>.all, dependencies: dependencies,
            file, line)
    }

    /// Creates a registration from a factory that may be isolated to the main actor, or that Swift 5 code passes
    /// without `Sendable` checks.
    init<Failure: Error, each Argument>(
        unchecked factory: @escaping @isolated(any) (Resolver, repeat each Argument) throws(Failure) -> Instance,
        isMainActor: Bool = false, dependencies: Registration.Dependencies = .requested, _ name: RegistrationName?,
        _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let isolation = factory.isolation
        let isMainActor = isolation === MainActor.shared || isMainActor && isolation == nil
        let call = NonisolatedFactory<Instance, Failure, Resolver, repeat each Argument>(factory).call
        let factory = Factory<Instance, repeat each Argument> {
            (resolver: Resolver, arguments: repeat each Argument) in try call(resolver, repeat each arguments)
        }
        self.init(
            Self.kind(of: factory, isMainActor: isMainActor, isolation), name, aliases, isMainActor: isMainActor,
            arguments: Types<repeat each Argument>.all, dependencies: dependencies, file, line)
    }

    /// Returns the kind of registration for a factory, which is refused if it is isolated to another actor than the
    /// main actor.
    private static func kind(
        of factory: any AnyFactory, isMainActor: Bool, _ isolation: (any Actor)?
    ) -> Registration.Kind {
        guard !isMainActor, let isolation else { return .factory(factory) }
        return .refused(RefusedInitializer(actor: type(of: isolation)))
    }

    /// Creates a registration from an asynchronous factory.
    init<Failure: Error, each Argument>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws(Failure) -> Instance,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let kind = Registration.Kind.asyncFactory { resolver, arguments in
            var arguments = arguments
            return Box(try await factory(resolver, repeat try arguments.next((each Argument).self)))
        }
        self.init(kind, name, aliases, arguments: Types<repeat each Argument>.all, dependencies: .requested, file, line)
    }

    /// Creates a registration from an initializer, which runs on the actor it is isolated to. The first parameters of
    /// the initializer are supplied as arguments, and the others are resolved by their types.
    ///
    /// - Parameters:
    ///   - isDeclared: Whether `autowiring:` declares all remaining parameters as dependencies.
    ///   - context: The caller's isolation. In Swift 5 mode, an initializer that isolated code refers to appears to
    ///     have the same isolation, so an isolation that equals the caller's is ignored.
    init<Failure: Error, each Parameter, each Argument>(
        autowired initializer: @escaping @isolated(any) (repeat each Parameter) throws(Failure) -> Instance,
        arguments _: repeat (each Argument).Type, isDeclared: Bool = true, isMainActor: Bool = false,
        in context: (any Actor)? = nil,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let isolation = initializer.isolation === context ? nil : initializer.isolation
        let isMainActor = isolation === MainActor.shared || isMainActor && isolation == nil
        let initializer = NonisolatedFactory(initializer)
        let supplied = Types<repeat each Argument>.all
        let factory: Factory<Instance, repeat each Argument>
        // Most initializers take no arguments, and boxing is slow.
        if supplied.isEmpty {
            factory = Factory { (resolve: Resolver, _: repeat each Argument) in
                try initializer.call(repeat resolve.orThrow((each Parameter).self, file: file, line: line))
            }
        } else {
            factory = Factory { (resolve: Resolver, arguments: repeat each Argument) in
                var supplied = boxed(repeat each arguments)[...]
                // The public initializers guarantee that the arguments match the types of the leading parameters.
                func next<T>(_ type: T.Type) throws -> T {
                    try supplied.popFirst().map { $0 as! T } ?? resolve.orThrow(type, file: file, line: line)
                }
                return try initializer.call(repeat next((each Parameter).self))
            }
        }
        let parameters = Array(Types<repeat each Parameter>.all.dropFirst(supplied.count))
        self.init(
            Self.kind(of: factory, isMainActor: isMainActor, isolation), name, aliases, isMainActor: isMainActor,
            arguments: supplied, dependencies: isDeclared ? .declared(parameters) : .hidden, file, line)
    }
}

// MARK: On the main actor

extension _LifetimeRegistration {
    /// Creates a registration from an expression that is evaluated on the main actor.
    ///
    /// ```swift
    /// Shared(mainActor: RouterImpl() as Router)
    /// ```
    /// Resolving the type off the main actor is an error at every request, not only at the first.
    ///
    /// > Important: The type doesn't have to be `Sendable`, since an application whose default isolation is the main
    /// > actor has many types that aren't. The compiler therefore can't check that the result of a request stays on
    /// > the main actor. Don't send it to another isolation domain.
    @preconcurrency @_disfavoredOverload
    public init<each Alias>(
        mainActor instance: @autoclosure @escaping @MainActor @Sendable () throws -> Instance,
        name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            unchecked: { @MainActor _ in try instance() }, dependencies: .hidden, name, Types<repeat each Alias>.all,
            file, line)
    }

    /// Creates a registration from a factory that runs on the main actor. The factory receives the container's resolver
    /// and any arguments.
    ///
    /// ```swift
    /// New(mainActor: { resolve, id in DetailViewModelImpl(id: id) as DetailViewModel })
    /// ```
    @available(swift, introduced: 6)
    public init<Failure: Error, each Argument: Sendable, each Alias>(
        mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer or a closure without parameters, which runs on the main actor.
    @preconcurrency
    public init<Failure: Error, each Alias>(
        mainActor initializer: @escaping @MainActor @Sendable () throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            unchecked: { @MainActor _ in try initializer() }, dependencies: .hidden, name, Types<repeat each Alias>.all,
            file, line)
    }
}

/// A registration that accepts an asynchronous factory.
public protocol _AwaitedRegistration: _LifetimeRegistration {}

extension _AwaitedRegistration where Self: _SafeRegistration {
    /// Creates a registration from an asynchronous factory, which ``DIContainer/prepare(_:file:line:)`` or
    /// `try await resolve.async(…)` runs.
    ///
    /// ```swift
    /// Shared(async: { resolve in try await Database.open(resolve.async(Configuration.self)) })
    /// ```
    /// Until the instance has been built, a plain request fails with an error that names the call to await. Afterwards,
    /// plain requests resolve the cached instance. The factory runs in a task of its own, in which the container is
    /// current, and never on the container's queue.
    ///
    /// A plain registration may depend on the instance. An autowired initializer runs once, after its parameters are
    /// awaited. A closure runs again for each asynchronous instance that it turned out to lack.
    ///
    /// ```swift
    /// New(async: { _, url in try await Document.load(url) })
    /// ```
    /// The factory of a ``New`` runs at every request, in the caller's task. A plain request for it is always an error.
    ///
    /// Registering the type again discards the current instance. Until the new factory has been awaited, plain requests
    /// fail. To renew the instance without a gap, build the new one first and register it as a value:
    /// `register(Shared(fresh))`.
    @_disfavoredOverload
    public init<Failure: Error, each Argument, each Alias>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(async: factory, name, Types<repeat each Alias>.all, file, line)
    }
}
