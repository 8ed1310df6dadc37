/// Wraps the registration of a type, and keeps its lifetime.
///
/// ```swift
/// DIContainer.register {
///     Shared(RouterImpl() as Router)
///     Decorate(Router.self) { base, resolve in LoggingRouter(base, logger: resolve()) }
/// }
/// ```
///
/// Decorators of one type stack, with the first registered innermost. They wrap the registration of the type and the name
/// in their own container, registered before or later, until ``DIContainer/unregister(_:name:file:line:)`` or
/// ``DIContainer/reset(file:line:)``. A cached instance is decorated once. The decorator runs where the factory runs, with
/// the same current container. An error that it throws reaches `orThrow` as a ``ResolutionError``.
///
/// In a child, decorating a type that only a parent registers is an error with the reason
/// ``ResolutionError/Reason/misplacedDecorator``. Decorate the type in the parent, register it in the child, too, or use a
/// fork.
///
/// One `Decorate` value wraps once, however often it is registered: in a `static let` module that is registered again, in
/// several modules, in a fork, or in a child whose parent's registration has it, too. An expression that is evaluated again
/// creates another value, which wraps again.
public struct Decorate: RegistrationConvertible {
    /// The decorator.
    public let registrations: [Registration]

    /// Wraps what is registered for the type and the name.
    /// - Parameters:
    ///   - type: The type asked for, as it was registered.
    ///   - name: The name under which it was registered.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    ///   - decorator: Returns the instance to use in place of the one that it is given.
    @available(swift, introduced: 6)
    public init<T: Sendable>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ decorator: @escaping @Sendable (T, Resolver) throws -> T
    ) {
        self.init(type, name, CallSite(file: file, line: line), decorator)
    }

    /// Wraps what is registered for the type and the name, in Swift 5 mode: nothing has to be `Sendable`.
    @available(swift, obsoleted: 6)
    public init<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ decorator: @escaping (T, Resolver) throws -> T
    ) {
        self.init(type, name, CallSite(file: file, line: line), decorator)
    }

    /// Wraps on the main actor; the type is then built and resolved there only.
    ///
    /// ```swift
    /// Decorate(Windows.self, mainActor: { base, _ in TabbedWindows(base) })
    /// ```
    public init<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        mainActor decorator: @escaping @MainActor @Sendable (T, Resolver) throws -> T
    ) {
        self.init(type, name, CallSite(file: file, line: line), decorator)
    }

    private init<T>(
        _ type: T.Type, _ name: RegistrationName?, _ site: CallSite,
        _ decorator: @escaping @isolated(any) (T, Resolver) throws -> T
    ) {
        let isMainActor = decorator.isolation === MainActor.shared
        let decorate: @Sendable (T, Resolver) throws -> T = NonisolatedFactory(decorator).call
        let kind = Registration.Kind.decorator { Box(try decorate($0.value(as: T.self), $1)) }
        registrations = [
            Registration(type, name, kind, lifetime: nil, isMainActor: isMainActor, dependencies: .requested, site)
        ]
    }
}

extension Decorate {
    /// Diagnoses a decorator that returns a literal, of which the compiler reports nothing.
    @available(
        *, unavailable,
        message: "return what is decorated: 'Decorate(Store.self) { base, resolve in LoggedStore(base) }'"
    )
    @_disfavoredOverload
    public init<T, Literal: LosslessStringConvertible>(
        _ type: T.Type, name: RegistrationName? = nil, _ decorator: (T, Resolver) throws -> Literal
    ) { fatalError() }
}
