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
public struct MutableLazyInject<Value> {
    // Each value that is set has its own storage, so that copies of the owner retain theirs. Nil during a modification.
    @usableFromInline var storage: LazyStorage<Value>?

    /// Creates a wrapper that resolves later, from the given container or else from the current one.
    public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = LazyStorage(
            container.map { RememberedContainer(core: $0.core) } ?? CurrentContainer.remembered, name,
            CallSite(file: file, line: line))
    }

    /// Creates the wrapper with a value instead of resolving one.
    public init(wrappedValue: Value) {
        storage = LazyStorage(wrappedValue)
    }

    /// The value if it has already been set or resolved, and `nil` otherwise.
    ///
    /// Reading it never resolves anything, as in `$player?.stop()` at the end of a screen.
    public var projectedValue: Value? { storage?.present }

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
