/// Wraps what is registered for a type, and keeps the lifetime of what it wraps.
///
/// ```swift
/// DIContainer.register {
///     Shared(RouterImpl() as Router)
///     Decorate(Router.self) { base, resolve in LoggingRouter(base, logger: resolve()) }
/// }
/// ```
///
/// Decorators of one type stack, the first registered innermost. They belong to the type and the name: they wrap what is
/// registered there, before or after, until ``DIContainer/reset(file:line:)``. In a child, they wrap what the parent has
/// registered, for the child only. Whoever asks for the type gets the wrapped instance, also through an alias that forwards to
/// it; it is built once where what it wraps is shared. The decorator runs where the factory runs. What it throws reaches
/// `orThrow` as a ``ResolutionError``.
public struct Decorate: RegistrationConvertible {
    /// The decorator.
    public let registrations: [Registration]

    /// Wraps what is registered for the type and the name.
    /// - Parameters:
    ///   - type: The type asked for, as it was registered.
    ///   - name: The name under which it was registered.
    ///   - file: The file that messages name; the caller's unless said.
    ///   - line: The line that messages name; the caller's unless said.
    ///   - decorator: Returns the instance to use in the place of the one it is given.
    @preconcurrency
    public init<T: Sendable>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ decorator: @escaping @Sendable (T, Resolver) throws -> T
    ) {
        registrations = [
            DecoratorRegistration<T>(name: name, isMainActor: false, site: CallSite(file: file, line: line)) {
                try decorator($1, $0)
            }
        ]
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
        let isolated = NonisolatedFactory<T, T> { try decorator($1, $0) }
        registrations = [
            DecoratorRegistration<T>(
                name: name, isMainActor: true, site: CallSite(file: file, line: line), decorate: isolated.call)
        ]
    }
}

/// A decorator on its way to a container, where it stands beside the registration of its key.
final class DecoratorRegistration<T>: TypedRegistration<T>, @unchecked Sendable {
    let decorate: @Sendable (Resolver, T) throws -> T

    init(
        name: RegistrationName?, isMainActor: Bool, site: CallSite,
        decorate: @escaping @Sendable (Resolver, T) throws -> T
    ) {
        self.decorate = decorate
        super.init(name: name, lifetime: .inherited, isMainActor: isMainActor, signature: .none, site: site)
    }

    override var isDecorator: Bool { true }
    override var inherited: Registration { InheritedRegistration<T>(name: name, site: site) }
}

/// Stands in a child for a key that it decorates and a parent has registered.
final class InheritedRegistration<T>: TypedRegistration<T>, @unchecked Sendable {
    init(name: RegistrationName?, site: CallSite) {
        super.init(name: name, lifetime: .inherited, isMainActor: false, signature: .none, site: site)
    }

    override func make(_ owner: ContainerCore, _ core: ContainerCore, _ request: Request) throws -> T {
        guard let parent = owner.parent, let box = try core.box(for: request, startingAt: parent) else {
            throw ResolutionError(request, .notRegistered, in: core)
        }
        return box.value(as: T.self)
    }
}
