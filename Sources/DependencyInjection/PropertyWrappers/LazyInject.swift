/// Resolves its value at the first access, and keeps it for all who read it.
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
/// However many threads read first, all get one value. What the container keeps is built once. Of a ``New``, several threads may
/// make one each: the first that is published counts, and the others are dropped. If the instance is built already, the first
/// access waits for nobody.
///
/// The value is read on any thread, types registered with `mainActor:` first on the main actor; later reads take no lock.
/// It is `Sendable` if the value is. In a class that must be `Sendable`, or in an `@Observable` one, see ``Inject``.
@propertyWrapper
public struct LazyInject<Value> {
    @usableFromInline let storage: LazyStorage<Value>

    /// Resolves later, from a container or, without one, from the current.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(container?.core ?? CurrentContainer.remembered, name, file, line)
    }

    /// The value, resolved now if it was not before.
    @inlinable public var wrappedValue: Value { storage.value }
}

extension LazyInject: Sendable where Value: Sendable {}
