// The initializers of all lifetimes for code in Swift 5 mode, which doesn't check `Sendable`. The compiler doesn't
// check their parameters, so they are unavailable in Swift 6 mode.

extension _LifetimeRegistration {
    /// Creates a registration from an expression, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<each Alias>(
        _ instance: @autoclosure @escaping () throws -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: { _ in try instance() }, dependencies: [], name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<each Argument, each Alias>(
        _ factory: @escaping (Resolver, repeat each Argument) throws -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that follows the name and the aliases as a trailing closure, in Swift 5
    /// mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<each Argument, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping (Resolver, repeat each Argument) throws -> Instance
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer or a closure without parameters, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<Failure: Error, each Alias>(
        _ initializer: @escaping () throws(Failure) -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            unchecked: { _ in try initializer() }, dependencies: [], name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer whose parameters are resolved by their types, in Swift 5 mode.
    ///
    /// The parameter isn't `@Sendable`, because that would cause a warning in an `async` function. In a `@MainActor`
    /// function, Swift 5 mode infers main-actor isolation for every initializer reference. The inference is unreliable,
    /// so it's ignored. With the last parameter, the compiler prefers the overload for both modes for closures.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<each Dependency, each Alias>(
        autowiring initializer: @escaping @isolated(any) (repeat each Dependency) throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line, in context: (any Actor)? = #isolation
    ) {
        self.init(autowired: initializer, in: context, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a trailing closure without parameters, after a name or aliases, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping () throws -> Instance
    ) {
        self.init(unchecked: { _ in try factory() }, dependencies: [], name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from a factory that runs on the main actor, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<each Argument, each Alias>(
        mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(unchecked: factory, name, Types<repeat each Alias>.all, file, line)
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
