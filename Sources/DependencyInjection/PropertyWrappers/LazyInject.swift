/// Resolves its value at the first access, and keeps it for all who read it.
///
/// ```swift
/// final class AppDelegate {
///     @LazyInject private var router: Router      // may be declared before anything is registered
///     func start() { router.start() }
/// }
/// ```
///
/// It resolves from the given container. If none is given, it resolves from the one that `withContainer` or a factory
/// had made current when the owner was created, even if the first access comes from a detached task or a callback. If
/// there was none either, it resolves from ``DIContainer/shared`` as it is at the first access. Copies of the owner
/// share the value. If resolving fails the program stops with the text of the ``ResolutionError``.
///
/// However many threads read first, all get one value. What the container keeps is built once. A ``New`` may be built
/// by several threads at once: the first instance that is published counts, and the others are dropped. If the instance
/// is built already, the first access waits for nobody.
///
/// The value may be read on any thread, but a type registered with `mainActor:` must first be read on the main actor.
/// Later reads take no lock. The wrapper is `Sendable` if the value is. For a `Sendable` or `@Observable` class, see
/// ``Inject``.
@propertyWrapper
public struct LazyInject<Value> {
    @usableFromInline let storage: LazyStorage<Value>

    /// Resolves later, from the given container, or else from the current one.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(
            container.map { RememberedContainer(core: $0.core) } ?? CurrentContainer.remembered, name,
            CallSite(file: file, line: line))
    }

    /// The value, resolved now if it was not before.
    @inlinable public var wrappedValue: Value { storage.value }

    /// Returns what was resolved by now, or nil, and resolves nothing: `$player?.stop()` at the end of a screen.
    ///
    /// It may be read on any thread, at the cost of a later read.
    public var projectedValue: Value? { storage.present }
}

extension LazyInject: Sendable where Value: Sendable {}
