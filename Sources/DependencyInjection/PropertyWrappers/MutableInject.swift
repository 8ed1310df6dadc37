/// A property wrapper that resolves its value when the owner is created and lets it be replaced.
///
/// ```swift
/// struct Theme {
///     @MutableInject var style: Style
/// }
/// ```
///
/// The wrapper resolves and fails as ``Inject`` does. Setting the value changes this owner only, not the container.
@propertyWrapper
public struct MutableInject<Value> {
    /// The resolved value, or the value set last.
    public var wrappedValue: Value

    /// Creates the wrapper and resolves its value, from the given container or else from the current one.
    @inlinable public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        wrappedValue = Resolver(core: container?.core)(Value.self, name: name, file: file, line: line)
    }

    /// Creates the wrapper with a value instead of resolving one: `@MutableInject var style: Style = plain`.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension MutableInject: Sendable where Value: Sendable {}
