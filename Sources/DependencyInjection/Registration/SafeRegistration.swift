/// Marks registrations whose factory may run on any thread.
///
/// These are every ``New``, whose instance belongs to the caller, and cached registrations of a `Sendable` type, whose
/// instance several threads share.
@_marker public protocol _SafeRegistration {}

extension _LifetimeRegistration where Self: _SafeRegistration {
    /// Creates a registration from an expression, which is evaluated when the instance is resolved.
    ///
    /// ```swift
    /// Shared(ConsoleLogger() as Logger, name: "debug")
    /// ```
    /// - Parameters:
    ///   - instance: The expression. Its static type is the registered type, so cast it with `as`.
    ///   - name: A name, to register the type more than once.
    ///   - aliases: Further types under which the instance is found, with the same name. The instance must conform to
    ///     them. Otherwise, resolving them is an error.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    // Inlinable: in generic code, each registration would look up the metadata of its factory and its box, which takes
    // 10 % of the row `child1`.
    @available(swift, introduced: 6) @_disfavoredOverload
    @inlinable public init<each Alias>(
        _ instance: @autoclosure @escaping @Sendable () throws -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            factory: Factory<Instance> { _ in try instance() }, dependencies: .hidden, name,
            Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that receives the container's resolver, and any arguments supplied by the
    /// request.
    ///
    /// ```swift
    /// Shared { resolve, query in SavedSearch(query: query, search: resolve()) }
    /// ```
    /// - Parameters:
    ///   - factory: The factory. An error that it throws reaches `orThrow` callers as a ``ResolutionError``.
    ///   - name: A name, to register the type more than once.
    ///   - aliases: Further types under which the instance is found.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    @available(swift, introduced: 6)
    @inlinable public init<Failure: Error, each Argument, each Alias>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws(Failure) -> Instance,
        name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that follows the name and the aliases as a trailing closure.
    ///
    /// ```swift
    /// Shared(name: "main") { resolve in RouterImpl(config: resolve()) as Router }
    /// ```
    @available(swift, introduced: 6) @_disfavoredOverload
    @inlinable public init<Failure: Error, each Argument, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable (Resolver, repeat each Argument) throws(Failure) -> Instance
    ) {
        self.init(factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer without parameters, or from a closure without parameters.
    ///
    /// ```swift
    /// Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
    /// ```
    @available(swift, introduced: 6)
    // The error type is generic so that the compiler treats `Pool()` as an expression if a mistake follows
    // `Shared(Pool())`. The compiler prefers the overload whose types it can infer.
    public init<Failure: Error, each Alias>(
        _ initializer: @escaping @isolated(any) @Sendable () throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(autowired: initializer, isDeclared: false, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer whose parameters are resolved by their types.
    ///
    /// ```swift
    /// Shared(autowiring: SearchService.init, as: Search.self)
    /// ```
    /// A parameter of Optional type is `nil` if its type isn't registered. Any other missing parameter is a
    /// ``ResolutionError`` that `orThrow` can throw. A main-actor initializer creates a main-actor registration, as
    /// `mainActor:` does.
    @preconcurrency @_disfavoredOverload
    public init<Failure: Error, each Dependency, each Alias>(
        autowiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(autowired: initializer, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a trailing closure without parameters, after a name or aliases:
    /// `Shared(name: "main") { FileLogger() }`.
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<Failure: Error, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () throws(Failure) -> Instance
    ) {
        self.init(
            factory: Factory<Instance> { _ in try factory() }, dependencies: .hidden, name,
            Types<repeat each Alias>.all, file, line)
    }
}

// The initializers of all lifetimes for code in Swift 5 mode, which doesn't check `Sendable`. The compiler doesn't
// check their parameters, so they are unavailable in Swift 6 mode.

extension _LifetimeRegistration {
    /// Creates a registration from an expression, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<each Alias>(
        _ instance: @autoclosure @escaping () throws -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            unchecked: { _ in try instance() }, dependencies: .hidden, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    @inlinable public init<Failure: Error, each Argument, each Alias>(
        _ factory: @escaping (Resolver, repeat each Argument) throws(Failure) -> Instance,
        name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        // Sound: in Swift 5 mode, the caller guarantees that the factory can be called on any thread.
        nonisolated(unsafe) let factory = factory
        self.init(
            { (resolver: Resolver, arguments: repeat each Argument) in try factory(resolver, repeat each arguments) },
            name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that follows the name and the aliases as a trailing closure, in Swift 5
    /// mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    @inlinable public init<Failure: Error, each Argument, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping (Resolver, repeat each Argument) throws(Failure) -> Instance
    ) {
        // Sound: as above.
        nonisolated(unsafe) let factory = factory
        self.init(
            { (resolver: Resolver, arguments: repeat each Argument) in try factory(resolver, repeat each arguments) },
            name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer or a closure without parameters, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<Failure: Error, each Alias>(
        _ initializer: @escaping () throws(Failure) -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            unchecked: { _ in try initializer() }, dependencies: .hidden, name, Types<repeat each Alias>.all, file, line
        )
    }

    /// Creates a registration from an initializer whose parameters are resolved by their types, in Swift 5 mode.
    ///
    /// The parameter isn't `@Sendable`, because that would cause a warning in an `async` function. In a `@MainActor`
    /// function, Swift 5 mode infers main-actor isolation for every initializer reference. The inference is unreliable,
    /// so it's ignored. With the last parameter, the compiler prefers the overload for both modes for closures.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<Failure: Error, each Dependency, each Alias>(
        autowiring initializer: @escaping @isolated(any) (repeat each Dependency) throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line, in context: (any Actor)? = #isolation
    ) {
        self.init(autowired: initializer, in: context, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a trailing closure without parameters, after a name or aliases, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<Failure: Error, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping () throws(Failure) -> Instance
    ) {
        self.init(
            unchecked: { _ in try factory() }, dependencies: .hidden, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that runs on the main actor, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<Failure: Error, each Argument, each Alias>(
        mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a function that runs on the main actor, in Swift 5 mode.
    ///
    /// The parameter isn't `@Sendable`, because a function isn't `@Sendable` in Swift 5 mode. With the last parameter,
    /// the compiler prefers the overload above for closures.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<Failure: Error, each Argument, each Alias>(
        mainActor factory: @escaping @isolated(any) (Resolver, repeat each Argument) throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line, in context: Void = ()
    ) {
        self.init(unchecked: factory, isMainActor: true, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer or a function without parameters, which runs on the main actor, in
    /// Swift 5 mode.
    ///
    /// The parameter isn't `@Sendable`, because such a function isn't `@Sendable` in Swift 5 mode. With the last
    /// parameter, the compiler prefers the overload for both modes for closures.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<Failure: Error, each Alias>(
        mainActor initializer: @escaping @isolated(any) () throws(Failure) -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line, in context: Void = ()
    ) {
        self.init(
            autowired: initializer, isDeclared: false, isMainActor: true, name, Types<repeat each Alias>.all, file, line
        )
    }
}
