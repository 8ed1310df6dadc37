/// What ``Shared``, ``New``, ``Weak`` and ``Scoped`` have in common. It is there for them, not for other types to adopt.
public protocol LifetimeRegistration: RegistrationConvertible {
    /// The lifetime of what it registers.
    static var lifetime: Lifetime { get }

    /// Takes registrations that are made already.
    init(registrations: [Registration])
}

extension LifetimeRegistration {
    /// Makes the registration of a type and of its aliases: where all forms end. The type itself needs no alias, and one would
    /// forward to itself.
    init(
        _ type: any Any.Type, _ kind: Registration.Kind, isMainActor: Bool = false, _ types: [any Any.Type],
        isAutowired: Bool = false, _ name: RegistrationName?, _ aliases: [any Any.Type], _ site: CallSite
    ) {
        let registration = Registration(
            type, name, kind, lifetime: Self.lifetime, isMainActor: isMainActor, types: types,
            isAutowired: isAutowired, site)
        var registrations = [registration]
        for alias in aliases where alias != type {
            // Whether it belongs to the main actor is for the target to say, which may have been replaced.
            let kind = Registration.Kind.alias(Registration.Alias(target: registration, type: alias))
            registrations.append(Registration(alias, name, kind, lifetime: Self.lifetime, site))
        }
        self.init(registrations: registrations)
    }

    init<T, each Argument>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> T, isMainActor: Bool = false,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        self.init(
            T.self, .factory(Factory(factory)), isMainActor: isMainActor, Types<repeat each Argument>.all, name,
            aliases, CallSite(file: file, line: line))
    }

    /// Takes a factory that is awaited.
    init<T, each Argument>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> T,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let kind = Registration.Kind.asyncFactory { resolver, arguments in
            var arguments = arguments
            return Box(try await factory(resolver, repeat try arguments.next((each Argument).self)))
        }
        self.init(
            T.self, kind, Types<repeat each Argument>.all, name, aliases, CallSite(file: file, line: line))
    }

    /// Takes an initializer whose parameters are resolved by their types.
    init<T, each Dependency>(
        autowired initializer: @escaping @Sendable (repeat each Dependency) throws -> T,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let factory = Factory { resolve in
            try initializer(repeat try resolve.orThrow((each Dependency).self, file: file, line: line))
        }
        self.init(
            T.self, .factory(factory), Types<repeat each Dependency>.all, isAutowired: true, name, aliases,
            CallSite(file: file, line: line))
    }
}

// MARK: On the main actor

extension LifetimeRegistration {
    /// Registers an expression that is evaluated on the main actor.
    ///
    /// ```swift
    /// Shared(mainActor: RouterImpl() as Router)
    /// ```
    /// Resolving it elsewhere is an error, at every request and not only at the first.
    ///
    /// > Important: The type need not be `Sendable`, since an application whose default isolation is the main actor has many
    /// > that are not. The compiler then does not know that what a request returns belongs to the main actor: do not send it
    /// > elsewhere.
    @preconcurrency
    @_disfavoredOverload
    public init<T, each Alias>(
        mainActor instance: @autoclosure @escaping @MainActor @Sendable () throws -> T,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let isolated = NonisolatedFactory<T, Resolver> { _ in try instance() }
        self.init(isolated.call, isMainActor: true, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers a factory that runs on the main actor, and takes the container's resolver and any arguments.
    ///
    /// ```swift
    /// New(mainActor: { resolve, id in DetailViewModelImpl(id: id) as DetailViewModel })
    /// ```
    @preconcurrency
    @_disfavoredOverload
    public init<T, each Argument: Sendable, each Alias>(
        mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> T,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let isolated = NonisolatedFactory<T, Resolver, repeat each Argument>(factory)
        self.init(isolated.call, isMainActor: true, name, Types<repeat each Alias>.all, file, line)
    }
}
