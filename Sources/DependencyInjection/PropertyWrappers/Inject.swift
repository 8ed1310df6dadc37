/// A property wrapper that resolves its value when the owner is created and never changes it.
///
/// ```swift
/// struct Screen {
///     @Inject var router: Router
///     @Inject var player: MediaPlayer?                 // nil when nothing is registered
///     @Inject(name: "staging") var api: API
///     @Inject(from: otherContainer) var cache: Cache
///     @Inject var makeDetail: Provider<DetailViewModel, Int>
/// }
/// ```
///
/// The wrapper resolves from the current container unless another one is given. If resolving fails, it traps with the
/// text of the ``ResolutionError``. The value may be read on any thread, at the cost of a stored property. The wrapper
/// is `Sendable` if the value is.
///
/// > Note: Swift makes wrapped properties variables. In a class that must be `Sendable`, write
/// > `let router: Router = DIContainer.resolve()` instead. In an `@Observable` class, mark a wrapped property
/// > `@ObservationIgnored`.
@propertyWrapper
@frozen public struct Inject<Value>: _InjectionWrapper {
    // Even an unavailable setter, whose message could state a fix, would satisfy the `{ get set }` of a protocol.
    /// The resolved value.
    public let wrappedValue: Value

    /// Creates the wrapper and resolves its value, from the given container or else from the current one.
    @inlinable public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        wrappedValue = Resolver(core: container?.core)(Value.self, name: name, file: file, line: line)
    }
}

extension Inject: Sendable where Value: Sendable {}

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
@frozen public struct MutableInject<Value>: _InjectionWrapper {
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
