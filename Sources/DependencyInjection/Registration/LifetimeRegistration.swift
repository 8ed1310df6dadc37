/// What ``Shared``, ``New``, ``Weak``, ``Scoped`` and ``Graph`` have in common. No other type is meant to adopt it.
///
/// None of its requirements is an initializer, because completion would offer that beside the forms.
public protocol _LifetimeRegistration: RegistrationConvertible {
    /// What is made.
    associatedtype Instance
    /// The lifetime of what it registers.
    static var _lifetime: Lifetime { get }

    /// Wraps registrations that are made already.
    static func _of(_ registrations: [Registration]) -> Self
}

extension _LifetimeRegistration {
    /// Makes a registration and those of its aliases; all forms end here. The type itself gets no alias, which would
    /// forward to itself.
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

    /// Takes a factory that is called at once. Whoever knows its types need not ask the run time for them.
    ///
    /// - Parameter dependencies: Empty for an expression or a closure that gets no resolver; nil for one that does.
    init<each Argument>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Instance, isMainActor: Bool = false,
        dependencies: [any Any.Type]? = nil, _ name: RegistrationName?, _ aliases: [any Any.Type],
        _ file: StaticString, _ line: UInt
    ) {
        self.init(
            .factory(Factory(factory)), name, aliases, isMainActor: isMainActor,
            arguments: Types<repeat each Argument>.all, dependencies: dependencies == nil ? .requested : .hidden, file,
            line)
    }

    /// Takes a factory that may belong to the main actor, or that Swift 5 code vouches for.
    init<each Argument>(
        unchecked factory: @escaping @isolated(any) (Resolver, repeat each Argument) throws -> Instance,
        dependencies: [any Any.Type]? = nil, _ name: RegistrationName?, _ aliases: [any Any.Type],
        _ file: StaticString, _ line: UInt
    ) {
        let isMainActor = factory.isolation === MainActor.shared
        self.init(
            NonisolatedFactory(factory).call, isMainActor: isMainActor, dependencies: dependencies, name, aliases, file,
            line)
    }

    /// Takes a factory that is awaited.
    init<each Argument>(
        async factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Instance,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let kind = Registration.Kind.asyncFactory { resolver, arguments in
            var arguments = arguments
            return Box(try await factory(resolver, repeat try arguments.next((each Argument).self)))
        }
        self.init(kind, name, aliases, arguments: Types<repeat each Argument>.all, dependencies: .requested, file, line)
    }

    /// Takes an initializer, on the actor that it belongs to: its first parameters are the arguments, and the others are resolved by
    /// their types.
    ///
    /// - Parameters:
    ///   - isDeclared: Whether the parameters are declared to be all dependencies, by `autowiring:`.
    ///   - context: The actor of the code that names the initializer: any initializer there seems to belong to it.
    init<each Parameter, each Argument>(
        autowired initializer: @escaping @isolated(any) (repeat each Parameter) throws -> Instance,
        arguments _: repeat (each Argument).Type, isDeclared: Bool = true, isMainActor: Bool = false,
        in context: (any Actor)? = nil,
        _ name: RegistrationName?, _ aliases: [any Any.Type], _ file: StaticString, _ line: UInt
    ) {
        let isolation = initializer.isolation === context ? nil : initializer.isolation
        let isMainActor = isolation === MainActor.shared || isMainActor && isolation == nil
        let initializer = NonisolatedInitializer(initializer)
        let supplied = Types<repeat each Argument>.all
        let isPlain = supplied.isEmpty
        let factory = Factory<Instance, repeat each Argument> { (resolve: Resolver, arguments: repeat each Argument) in
            // Most initializers take none, and boxing takes long.
            if isPlain {
                return try initializer.call(repeat resolve.orThrow((each Parameter).self, file: file, line: line))
            }
            var supplied = boxed(repeat each arguments)[...]
            // The forms see to it that the arguments have the types of the first parameters.
            func next<T>(_ type: T.Type) throws -> T {
                try supplied.popFirst().map { $0 as! T } ?? resolve.orThrow(type, file: file, line: line)
            }
            return try initializer.call(repeat next((each Parameter).self))
        }
        let parameters = Array(Types<repeat each Parameter>.all.dropFirst(supplied.count))
        let kind: Registration.Kind =
            if !isMainActor, let isolation {
                .refused(
                    RefusedInitializer(
                        description: "its initializer is isolated to \(type(of: isolation)) and has to be awaited",
                        fix: "register a factory that awaits the initializer: `async: { resolve in await … }`"))
            } else { .factory(factory) }
        self.init(
            kind, name, aliases, isMainActor: isMainActor, arguments: supplied,
            dependencies: isDeclared ? .declared(parameters) : .hidden, file, line)
    }
}

/// Says why an initializer cannot be called as it was registered. It is thrown instead.
package struct RefusedInitializer: Error, CustomStringConvertible {
    package let description: String
    /// What to write.
    package let fix: String
}

// MARK: Mistakes

extension _LifetimeRegistration {
    /// Diagnoses a factory after the type that it is registered for.
    @available(*, unavailable, message: "state the type in the factory: 'Shared { resolve in FileLogger() as Logger }'")
    public init<Value>(_ type: Instance.Type, name: RegistrationName? = nil, factory: (Resolver) throws -> Value) {
        fatalError()
    }

    /// Diagnoses a factory without parameters after the type that it is registered for.
    @available(*, unavailable, message: "state the type in the factory: 'Shared { resolve in FileLogger() as Logger }'")
    @_disfavoredOverload
    public init<Value>(_ type: Instance.Type, name: RegistrationName? = nil, factory: () throws -> Value) {
        fatalError()
    }
}

// MARK: On the main actor

extension _LifetimeRegistration {
    /// Registers an expression that is evaluated on the main actor.
    ///
    /// ```swift
    /// Shared(mainActor: RouterImpl() as Router)
    /// ```
    /// Resolving it elsewhere is an error, at every request and not only at the first.
    ///
    /// > Important: The type need not be `Sendable`, since an application whose default isolation is the main actor has
    /// > many that are not. So the compiler does not know that the result of a request belongs to the main actor: do
    /// > not send it elsewhere.
    @preconcurrency @_disfavoredOverload
    public init<each Alias>(
        mainActor instance: @autoclosure @escaping @MainActor @Sendable () throws -> Instance,
        name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            unchecked: { @MainActor _ in try instance() }, dependencies: [], name, Types<repeat each Alias>.all, file,
            line)
    }

    /// Registers a factory that runs on the main actor, and takes the container's resolver and any arguments.
    ///
    /// ```swift
    /// New(mainActor: { resolve, id in DetailViewModelImpl(id: id) as DetailViewModel })
    /// ```
    @available(swift, introduced: 6)
    public init<each Argument: Sendable, each Alias>(
        mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers an initializer or a closure without parameters, which runs on the main actor.
    @preconcurrency
    public init<Failure: Error, each Alias>(
        mainActor initializer: @escaping @MainActor @Sendable () throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            unchecked: { @MainActor _ in try initializer() }, dependencies: [], name, Types<repeat each Alias>.all,
            file, line)
    }
}
