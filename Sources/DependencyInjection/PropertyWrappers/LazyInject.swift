/// A property wrapper that resolves its value at the first access and caches it for all later accesses.
///
/// ```swift
/// final class AppDelegate {
///     @LazyInject private var router: Router      // may be declared before anything is registered
///     func start() { router.start() }
/// }
/// ```
///
/// The wrapper resolves from the given container. If none is given, it resolves from the container that `withContainer`
/// or a factory had made current when the owner was created. This also applies if the first access comes from a
/// detached task or a callback. Without such a container, the wrapper resolves from ``DIContainer/shared`` at the time
/// of the first access. Copies of the owner share the value. If resolving fails, the wrapper traps with the text of the
/// ``ResolutionError``.
///
/// If several threads read the wrapper first, all of them receive the same value. An instance that the container caches
/// is built once. Several threads may build a ``New`` concurrently. The first published instance is used, and the
/// others are released. If the instance is already cached, the first access never blocks.
///
/// The value may be read on any thread, but a type registered with `mainActor:` must first be read on the main actor.
/// Later reads take no lock. The wrapper is `Sendable` if the value is. For a `Sendable` or `@Observable` class, see
/// ``Inject``.
@propertyWrapper
public struct LazyInject<Value>: _InjectionWrapper, CustomStringConvertible {
    @usableFromInline let storage: LazyStorage<Value>

    /// Creates a wrapper that resolves later, from the given container or else from the current one.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(container, name, CallSite(file: file, line: line))
    }

    /// The value, which the first read resolves.
    @inlinable public var wrappedValue: Value { storage.value }

    /// The value if it has already been resolved, and `nil` otherwise.
    ///
    /// Reading it never resolves anything, as in `$player?.stop()` at the end of a screen. The property may be read on
    /// any thread, at the same cost as a later read of the value.
    public var projectedValue: Value? { storage.resolvedValue }

    /// The description of the value, or `not resolved`.
    public var description: String { projectedValue.map { "\($0)" } ?? "not resolved" }
}

extension LazyInject: Sendable where Value: Sendable {}

/// A property wrapper that resolves its value at the first access unless it was set before, and lets it be replaced.
///
/// ```swift
/// struct Account {
///     @MutableLazyInject var session: Session
/// }
/// ```
///
/// The wrapper resolves and fails as ``LazyInject`` does. It has value semantics: setting it in one copy of the owner
/// doesn't change the other copies. If the value is set before the first access, the wrapper never resolves.
@propertyWrapper
public struct MutableLazyInject<Value>: _InjectionWrapper, CustomStringConvertible {
    // Each value that is set has its own storage, so that setting one copy of the owner doesn't change the others. Nil
    // during a modification.
    @usableFromInline var storage: LazyStorage<Value>?

    /// Creates a wrapper that resolves later, from the given container or else from the current one.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(container, name, CallSite(file: file, line: line))
    }

    /// Creates the wrapper with a value instead of resolving one.
    public init(wrappedValue: Value) {
        storage = LazyStorage(wrappedValue)
    }

    /// The value if it has already been set or resolved, and `nil` otherwise.
    ///
    /// Reading it never resolves anything, as in `$player?.stop()` at the end of a screen.
    public var projectedValue: Value? { storage?.resolvedValue }

    /// The description of the value, or `not resolved`.
    public var description: String { projectedValue.map { "\($0)" } ?? "not resolved" }

    /// The value set last, or else the resolved value, which the first read resolves.
    public var wrappedValue: Value {
        @inlinable get { storage!.value }
        set { storage = LazyStorage(newValue) }
        // Nothing else retains the value during the modification, so that `list.append(x)` doesn't copy the list.
        _modify {
            var value = wrappedValue
            storage = nil
            defer { storage = LazyStorage(value) }
            yield &value
        }
    }
}

extension MutableLazyInject: Sendable where Value: Sendable {}

/// The storage of a lazy wrapper's value, which the first read resolves.
@usableFromInline final class LazyStorage<Value> {
    private let name: RegistrationName?
    private let site: CallSite
    private let container: RememberedContainer
    @usableFromInline let box = AtomicReference<Box<Value>>()

    /// Creates storage that resolves from the given container, or else from the current one.
    init(_ container: DIContainer?, _ name: RegistrationName?, _ site: CallSite) {
        self.container = container.map { RememberedContainer(core: $0.core) } ?? CurrentContainer.remembered
        self.name = name
        self.site = site
    }

    /// Creates storage with a value, which is never resolved.
    init(_ value: Value) {
        container = RememberedContainer(core: nil)
        name = nil
        site = CallSite(file: #fileID, line: #line)
        box.setIfEmpty(Box(value))
    }

    @inlinable var value: Value {
        get {
            defer { withExtendedLifetime(self) {} }
            guard let box = box.load() else { return resolve() }
            return box.with { $0.value }
        }
    }

    /// The value, or `nil` if it hasn't been resolved.
    @usableFromInline var resolvedValue: Value? {
        defer { withExtendedLifetime(self) {} }
        return box.load().map { box in box.with { $0.value } }
    }

    /// Resolves the value and returns the stored one. If several threads resolve concurrently, the first published
    /// result is stored.
    @usableFromInline func resolve() -> Value {
        let resolver = Resolver(core: container.core ?? DefaultContainer.container.core)
        box.setIfEmpty(Box(resolver(Value.self, name: name, file: site.file, line: site.line)))
        return value
    }
}

// Sound: everything but the value is Sendable, and the box is set once and only read afterwards.
extension LazyStorage: @unchecked Sendable where Value: Sendable {}
