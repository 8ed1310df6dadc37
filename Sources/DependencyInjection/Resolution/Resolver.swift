/// Resolves from a container. The callable value behind ``DIContainer/resolve-swift.property``.
///
/// ```swift
/// let router = container.resolve(Router.self)              // by an explicit type
/// let api: API = container.resolve(name: "staging")        // by an inferred type and a name
/// let detail: DetailViewModel = container.resolve(42)      // with an argument for the factory
/// ```
///
/// Every factory receives a resolver as its first parameter. A resolver may be called on any thread, but types
/// registered with `mainActor:` resolve on the main actor only. Reading a cached instance takes no lock. If a request
/// fails, the plain forms trap with the text of the ``ResolutionError``. ``orThrow`` throws the error instead.
///
/// > Important: A plain call in a factory also traps if a dependency is missing, even if the outermost request used
/// > ``orThrow``. In factories that may fail, resolve dependencies with `try resolve.orThrow()`.
///
/// A resolver retains the registrations of its container, but not the instances. The resolver that the static
/// ``DIContainer/resolve-swift.type.property`` returns belongs to no container and resolves from the current one at
/// each call.
@frozen public struct Resolver: Sendable {
    /// The container, or `nil` for the current container at each call.
    @usableFromInline let core: ContainerCore?

    @inlinable init(core: ContainerCore?) {
        self.core = core
    }

    /// Resolves an instance of a type, which is inferred if it is omitted.
    ///
    /// ```swift
    /// let router = DIContainer.resolve(Router.self)
    /// ```
    /// - Parameters:
    ///   - type: The registered type. `T?` resolves to `nil` if `T` isn't registered.
    ///   - name: The name under which it was registered.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    @inlinable public func callAsFunction<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        do { return try orThrow(type, name: name, file: file, line: line) } catch { stopProgram(error, file, line) }
    }

    /// Resolves an instance of the inferred type, with arguments for its factory.
    ///
    /// ```swift
    /// let detail: DetailViewModel = DIContainer.resolve(42)
    /// ```
    /// - Parameters:
    ///   - first: The first argument. It is `Equatable`, so that a type in its place is never an argument. Pass other
    ///     values with a label: `resolve(arguments: item)`.
    ///   - rest: The other arguments. Arguments are matched by position. Each has the type of the factory's parameter, or
    ///     a type that `as?` can convert to it.
    ///   - name: The name under which the type was registered.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    @inlinable @_disfavoredOverload public func callAsFunction<T, First: Equatable, each Rest>(
        _ first: First, _ rest: repeat each Rest, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        do {
            return try orThrow(T.self, name: name, arguments: first, repeat each rest, file: file, line: line)
        } catch { stopProgram(error, file, line) }
    }

    /// Resolves an instance of the given type, with arguments for its factory.
    ///
    /// ```swift
    /// let detail = DIContainer.resolve(DetailViewModel.self, arguments: 42)
    /// ```
    /// A single closure without parameters isn't an argument here. The resolver calls it for the arguments, as in
    /// `resolve(Presenter.self) { ("title", 23, true) }`.
    @inlinable @_disfavoredOverload public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        do {
            return try orThrow(type, name: name, arguments: repeat each arguments, file: file, line: line)
        } catch { stopProgram(error, file, line) }
    }

    /// Resolves an instance, with a closure that returns the arguments for its factory as a tuple.
    ///
    /// ```swift
    /// let presenter = DIContainer.resolve(Presenter.self) { ("title", 23, true) }
    /// ```
    /// The closure is called immediately. To pass a closure as an argument, return it: `arguments: { action }`.
    @inlinable public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) -> T {
        do { return try orThrow(type, name: name, file: file, line: line, arguments: arguments) } catch {
            stopProgram(error, file, line)
        }
    }

    /// Resolves an instance, with a closure of several statements that returns the only argument for its factory.
    ///
    /// ```swift
    /// let detail = DIContainer.resolve(DetailViewModel.self) { let id = 40 + 2; return id }
    /// ```
    // The compiler doesn't split the result of such a closure into a pack. The closure is an Optional so that the
    // compiler prefers the overload above if both match, and prefers this overload to the one that takes the closure as
    // an argument.
    @inlinable public func callAsFunction<T, Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: (() -> Argument)?
    ) -> T {
        do { return try orThrow(type, name: name, file: file, line: line, arguments: arguments) } catch {
            stopProgram(error, file, line)
        }
    }
}

// MARK: Mistakes

extension Resolver {
    /// Diagnoses a request without a type.
    @available(*, unavailable, message: "state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'")
    @_disfavoredOverload public func callAsFunction(name: RegistrationName? = nil) -> _StateTheTypeToResolve {
        fatalError()
    }

    /// Diagnoses a request with arguments and without a type.
    @available(*, unavailable, message: "state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'")
    // With a parameter pack, the compiler crashes if the name has a wrong type.
    @_disfavoredOverload public func callAsFunction<First: Equatable>(
        _ first: First, _ rest: Any..., name: RegistrationName? = nil
    ) -> _StateTheTypeToResolve { fatalError() }

    /// Diagnoses a call to a member of the resolver. The resolver itself is callable.
    @available(*, unavailable, message: "call the resolver itself: 'resolve(Router.self)'")
    public var resolve: Resolver { self }
}

/// The type of a request that states no type.
public struct _StateTheTypeToResolve {}
