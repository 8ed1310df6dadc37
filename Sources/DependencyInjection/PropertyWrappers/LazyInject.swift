/// Resolves its value at the first access, once, however many threads ask.
///
/// ```swift
/// final class AppDelegate {
///     @LazyInject private var router: Router      // may be declared before anything is registered
///     func start() { router.start() }
/// }
/// ```
///
/// It resolves from the container given; else from the one that `withContainer` or a factory made current when the owner was
/// created, also when the first access comes from a detached task or a callback; else from ``DIContainer/shared`` as it is at
/// the first access. Copies of the owner share the value. If resolving fails the program stops with the text of the
/// ``ResolutionError``.
///
/// The value is read on any thread, types registered with `mainActor:` first on the main actor; later reads take no lock.
/// It is `Sendable` if the value is. In a class that must be `Sendable`, or in an `@Observable` one, see ``Inject``.
@propertyWrapper
public struct LazyInject<Value> {
    @usableFromInline let reference: LazyReference<Value>

    /// Resolves later, from the current container.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        reference = LazyReference(CurrentContainer.remembered, nil, file, line)
    }

    /// Resolves later by name, from the current container.
    public init(name: RegistrationName, file: StaticString = #fileID, line: UInt = #line) {
        reference = LazyReference(CurrentContainer.remembered, name, file, line)
    }

    /// Resolves later, from a container.
    public init(
        from container: DIContainer, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        reference = LazyReference(container.core, name, file, line)
    }

    /// The value, resolved now if it was not before.
    @inlinable
    public var wrappedValue: Value { reference.value }
}

extension LazyInject: Sendable where Value: Sendable {}
