/// Resolves its value at the first access unless it was set before, and lets it be replaced.
///
/// ```swift
/// struct Account {
///     @MutableLazyInject var session: Session
/// }
/// ```
///
/// It resolves and fails as ``LazyInject`` does. It is a value: setting it in one copy of the owner leaves the others
/// alone. If it is set before the first access, it never resolves.
@propertyWrapper
public struct MutableLazyInject<Value> {
    // A value that is set gets a storage of its own, so that copies of the owner keep theirs. Nil while it is changed.
    @usableFromInline var storage: LazyStorage<Value>?

    /// Resolves later, from the given container, or else from the current one.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(
            container.map { RememberedContainer(core: $0.core) } ?? CurrentContainer.remembered, name,
            CallSite(file: file, line: line))
    }

    /// Takes a value instead of resolving one.
    public init(wrappedValue: Value) {
        storage = LazyStorage(wrappedValue)
    }

    /// Returns what was set or resolved by now, or nil, and resolves nothing: `$player?.stop()` at the end of a screen.
    public var projectedValue: Value? { storage?.present }

    /// The value that was set, or else the resolved one, which the first read resolves.
    public var wrappedValue: Value {
        @inlinable get { storage!.value }
        set { storage = LazyStorage(newValue) }
        // Nothing else holds the value meanwhile, so that `list.append(x)` does not copy the list.
        _modify {
            var value = wrappedValue
            storage = nil
            defer { storage = LazyStorage(value) }
            yield &value
        }
    }
}

extension MutableLazyInject: Sendable where Value: Sendable {}
