/// What ``Shared``, ``New``, ``Weak`` and ``Scoped`` have in common. It is there for them, not for other types to adopt.
public protocol LifetimeRegistration: RegistrationConvertible {
    /// The lifetime of what it registers.
    static var lifetime: Lifetime { get }

    /// Takes registrations that are made already.
    init(registrations: [Registration])
}

extension LifetimeRegistration {
    /// Makes the registration of a type and of its aliases: where all public forms end.
    init<T, each Argument, each Alias>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> T, isMainActor: Bool = false,
        _ name: RegistrationName?, _ aliases: (repeat (each Alias).Type), _ file: StaticString, _ line: UInt
    ) {
        let registration = FactoryRegistration(
            name: name, lifetime: Self.lifetime, isMainActor: isMainActor, site: CallSite(file: file, line: line),
            factory: factory)
        self.init(registration, (repeat each aliases))
    }

    init<each Alias>(_ registration: Registration, _ aliases: (repeat (each Alias).Type)) {
        var registrations = [registration]
        for alias in repeat each aliases {
            let alias = Self.alias(of: registration, alias)
            // The type itself needs no alias, and one would forward to itself.
            if alias.key != registration.key { registrations.append(alias) }
        }
        self.init(registrations: registrations)
    }

    private static func alias<T>(of target: Registration, _ type: T.Type) -> Registration {
        AliasRegistration<T>(of: target)
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
        self.init(mainActor: { _ in try instance() }, name: name, as: repeat each aliases, file: file, line: line)
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
        self.init(NonisolatedFactory(factory).call, isMainActor: true, name, (repeat each aliases), file, line)
    }
}
