// Initializers whose first parameters are arguments. The compiler can't split two parameter packs in one function type,
// so there is an overload for each number of arguments, from one to three.

extension New {
    /// Creates a registration from an initializer whose first parameter is an argument. The other parameters are
    /// resolved by their types.
    ///
    /// ```swift
    /// DIContainer.register {
    ///     New(autowiring: DetailViewModelImpl.init(id:api:), arguments: Int.self, as: DetailViewModel.self)
    /// }
    /// let detail: DetailViewModel = DIContainer.resolve(42)
    /// ```
    /// There is an overload for one, two and three arguments. `validate()` and the dependency graph include the other
    /// parameters. In Swift 6 mode the arguments must be `Sendable`, since the initializer may be isolated to the main
    /// actor.
    ///
    /// If an argument isn't the first parameter, or if there are more than three, write a closure with typed
    /// parameters. The closure may take a struct or a tuple as one argument:
    ///
    /// ```swift
    /// New(autowiring: { (id: Int, logger: any Logger) in NoteViewModel(id: id, logger: logger) }, arguments: Int.self)
    /// ```
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<Failure: Error, First: Sendable, each Dependency, each Alias>(
        autowiring initializer:
            @escaping @isolated(any) @Sendable (First, repeat each Dependency) throws(Failure) -> Instance,
        arguments first: First.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(autowired: initializer, arguments: first, in: nil, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer whose first two parameters are arguments.
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<Failure: Error, First: Sendable, Second: Sendable, each Dependency, each Alias>(
        autowiring initializer:
            @escaping @isolated(any) @Sendable (First, Second, repeat each Dependency) throws(Failure) -> Instance,
        arguments first: First.Type, _ second: Second.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            autowired: initializer, arguments: first, second, in: nil, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer whose first three parameters are arguments.
    @available(swift, introduced: 6) @_disfavoredOverload
    public init<Failure: Error, First: Sendable, Second: Sendable, Third: Sendable, each Dependency, each Alias>(
        autowiring initializer:
            @escaping @isolated(any) @Sendable (First, Second, Third, repeat each Dependency) throws(Failure) ->
            Instance,
        arguments first: First.Type, _ second: Second.Type, _ third: Third.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            autowired: initializer, arguments: first, second, third, in: nil, name, Types<repeat each Alias>.all, file,
            line)
    }
}

// MARK: In Swift 5 mode

extension New {
    /// Creates a registration from an initializer whose first parameter is an argument, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<Failure: Error, First, each Dependency, each Alias>(
        autowiring initializer: @escaping @isolated(any) (First, repeat each Dependency) throws(Failure) -> Instance,
        arguments first: First.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line,
        in context: (any Actor)? = #isolation
    ) {
        self.init(autowired: initializer, arguments: first, in: context, name, Types<repeat each Alias>.all, file, line)
    }

    /// Creates a registration from an initializer whose first two parameters are arguments, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<Failure: Error, First, Second, each Dependency, each Alias>(
        autowiring initializer:
            @escaping @isolated(any) (First, Second, repeat each Dependency) throws(Failure) -> Instance,
        arguments first: First.Type, _ second: Second.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line,
        in context: (any Actor)? = #isolation
    ) {
        self.init(
            autowired: initializer, arguments: first, second, in: context, name, Types<repeat each Alias>.all, file,
            line)
    }

    /// Creates a registration from an initializer whose first three parameters are arguments, in Swift 5 mode.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6) @_disfavoredOverload
    public init<Failure: Error, First, Second, Third, each Dependency, each Alias>(
        autowiring initializer:
            @escaping @isolated(any) (First, Second, Third, repeat each Dependency) throws(Failure) -> Instance,
        arguments first: First.Type, _ second: Second.Type, _ third: Third.Type, name: RegistrationName? = nil,
        as aliases: repeat (each Alias).Type, file: StaticString = #fileID, line: UInt = #line,
        in context: (any Actor)? = #isolation
    ) {
        self.init(
            autowired: initializer, arguments: first, second, third, in: context, name, Types<repeat each Alias>.all,
            file, line)
    }
}
