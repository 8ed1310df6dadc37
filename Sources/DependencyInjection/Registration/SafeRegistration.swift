/// Marks what may be built on any thread: a ``New``, whose instance belongs to whoever asked, and what is kept and handed to several
/// threads if it is `Sendable`.
// A marker, since a conformance to any other protocol must not depend on `Sendable`, which does not exist at run time (SE-0302).
@_marker public protocol _SafeRegistration {}

extension _LifetimeRegistration where Self: _SafeRegistration {
    /// Registers an expression, which is evaluated when the instance is needed.
    ///
    /// ```swift
    /// Shared(ConsoleLogger() as Logger, name: "debug")
    /// ```
    /// - Parameters:
    ///   - instance: The expression. Its static type is what is registered, hence `as`.
    ///   - name: A name, to register the type more than once.
    ///   - aliases: Further types that the instance answers for, under the same name; it must conform to them, or resolving them is an
    ///     error.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<each Alias>(
        _ instance: @autoclosure @escaping @Sendable () throws -> Instance, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init({ _ in try instance() }, dependencies: [], name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers a factory that takes the container's resolver, and any arguments that are supplied when it is resolved.
    ///
    /// ```swift
    /// Shared { resolve, query in SavedSearch(query: query, search: resolve()) }
    /// ```
    /// - Parameters:
    ///   - factory: The factory; what it throws reaches whoever asked with `orThrow`, as a ``ResolutionError``.
    ///   - name: A name, to register the type more than once.
    ///   - aliases: Further types that the instance answers for.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    @available(swift, introduced: 6)
    public init<each Argument, each Alias>(
        _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Instance,
        name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers a factory that follows the name and the aliases as a trailing closure.
    ///
    /// ```swift
    /// Shared(name: "main") { resolve in RouterImpl(config: resolve()) as Router }
    /// ```
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<each Argument, each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Instance
    ) {
        self.init(factory, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers an initializer without parameters, or a closure without parameters.
    ///
    /// ```swift
    /// Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
    /// ```
    @available(swift, introduced: 6)
    // The error is generic so that the compiler takes `Pool()` for an expression if a mistake follows `Shared(Pool())`.
    // The compiler prefers the form whose types it can infer.
    public init<Failure: Error, each Alias>(
        _ initializer: @escaping @isolated(any) @Sendable () throws(Failure) -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(autowired: initializer, isDeclared: false, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers an initializer whose parameters are resolved by their types.
    ///
    /// ```swift
    /// Shared(autowiring: SearchService.init, as: Search.self)
    /// ```
    /// A parameter of Optional type is nil if nothing is registered for it; any other that is missing is a
    /// ``ResolutionError`` that `orThrow` can throw. An initializer of the main actor makes a registration of the main actor,
    /// as `mainActor:` does.
    @preconcurrency @_disfavoredOverload
    public init<each Dependency, each Alias>(
        autowiring initializer: @escaping @isolated(any) @Sendable (repeat each Dependency) throws -> Instance,
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(autowired: initializer, name, Types<repeat each Alias>.all, file, line)
    }

    /// Registers a trailing closure without parameters, after a name or aliases: `Shared(name: "main") { FileLogger() }`.
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<each Alias>(
        name: RegistrationName? = nil, as aliases: repeat (each Alias).Type, file: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () throws -> Instance
    ) {
        self.init({ _ in try factory() }, dependencies: [], name, Types<repeat each Alias>.all, file, line)
    }
}
