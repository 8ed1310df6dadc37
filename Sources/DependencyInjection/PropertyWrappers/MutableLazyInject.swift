/// Resolves its value at the first access unless it was set before, and lets it be replaced.
///
/// ```swift
/// struct Account {
///     @MutableLazyInject var session: Session
/// }
/// ```
///
/// It resolves and fails as ``LazyInject`` does. It is a value: setting it in one copy of the owner leaves the others alone.
/// What was set before the first access is never resolved.
@propertyWrapper
public struct MutableLazyInject<Value> {
    @usableFromInline
    enum State {
        case lazy(LazyReference<Value>)
        case set(Value)
    }

    @usableFromInline var state: State

    /// Resolves later, from the current container.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        state = .lazy(LazyReference(CurrentContainer.remembered, nil, file, line))
    }

    /// Resolves later by name, from the current container.
    public init(name: RegistrationName, file: StaticString = #fileID, line: UInt = #line) {
        state = .lazy(LazyReference(CurrentContainer.remembered, name, file, line))
    }

    /// Resolves later, from a container.
    public init(
        from container: DIContainer, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        state = .lazy(LazyReference(container.core, name, file, line))
    }

    /// Takes a value instead of resolving one.
    public init(wrappedValue: Value) {
        state = .set(wrappedValue)
    }

    /// The value that was set; else the one resolved, now if it was not before.
    @inlinable
    public var wrappedValue: Value {
        get {
            switch state {
            case .lazy(let reference): reference.value
            case .set(let value): value
            }
        }
        set { state = .set(newValue) }
    }
}

extension MutableLazyInject: Sendable where Value: Sendable {}
extension MutableLazyInject.State: Sendable where Value: Sendable {}
