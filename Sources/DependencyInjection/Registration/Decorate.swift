/// A decorator that wraps the registration of a type and has the lifetime of that registration.
///
/// ```swift
/// DIContainer.register {
///     Shared(RouterImpl() as Router)
///     Decorate(Router.self) { base, resolve in LoggingRouter(base, logger: resolve()) }
/// }
/// ```
///
/// Decorators of one type stack, with the first registered innermost. They wrap the registration of the type and the
/// name in their own container, whether it is registered before or after them.
/// ``DIContainer/unregister(_:name:file:line:)`` and ``DIContainer/reset(file:line:)`` remove them. A cached instance
/// is decorated once. The decorator runs where the factory runs, with the same current container. An error that it
/// throws reaches `orThrow` as a ``ResolutionError``.
///
/// In a child, decorating a type that only a parent registers is an error with the reason
/// ``ResolutionError/Reason/misplacedDecorator``. Decorate the type in the parent, also register it in the child, or
/// use a fork.
///
/// A `Decorate` value wraps once, however often it is registered. This applies to a `static let` module that is
/// registered again, to several modules, to a fork, and to a child whose parent's registration already has the same
/// decorator. Evaluating the expression again creates another value, which wraps again.
public struct Decorate: RegistrationConvertible {
    /// The decorator.
    public let registrations: [Registration]

    /// Creates a decorator of the registration with the given type and name.
    /// - Parameters:
    ///   - type: The type to decorate, as it was registered.
    ///   - name: The name of the registration.
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    ///   - decorator: A closure that receives the wrapped instance and a resolver and returns the instance to use
    ///     instead.
    @available(swift, introduced: 6)
    public init<T: Sendable>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ decorator: @escaping @Sendable (T, Resolver) throws -> T
    ) {
        self.init(type, name, CallSite(file: file, line: line), decorator)
    }

    /// Creates a decorator of the registration with the given type and name in Swift 5 mode, which requires no
    /// `Sendable` conformance.
    @_documentation(visibility: internal) @available(swift, obsoleted: 6)
    public init<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ decorator: @escaping (T, Resolver) throws -> T
    ) {
        self.init(type, name, CallSite(file: file, line: line), decorator)
    }

    /// Creates a decorator that runs on the main actor. The type can then be built and resolved on the main actor only.
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
        let decorate = NonisolatedFactory<T, any Error, T, Resolver>(decorator).call
        let kind = Registration.Kind.decorator { Box(try decorate($0.value(as: T.self), $1)) }
        registrations = [
            Registration(type, name, kind, lifetime: nil, isMainActor: isMainActor, dependencies: .requested, site)
        ]
    }
}
