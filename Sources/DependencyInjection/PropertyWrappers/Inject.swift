/// Resolves its value when the owner is created, and never changes it.
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
/// It resolves from the current container unless another is given. If that fails the program stops with the text of the
/// ``ResolutionError``. The value may be read on any thread, at the cost of a stored property. The wrapper is
/// `Sendable` if the value is.
///
/// > Note: Swift makes wrapped properties variables. A class that must be `Sendable` writes
/// > `let router: Router = DIContainer.resolve()` instead. In an `@Observable` class, mark a wrapped property
/// > `@ObservationIgnored`.
@propertyWrapper
public struct Inject<Value> {
    // Even an unavailable setter, which could say what to write, would satisfy the `{ get set }` of a protocol.
    /// The value that was resolved.
    public let wrappedValue: Value

    /// Resolves from the given container, or else from the current one.
    @inlinable public init(
        from container: DIContainer? = nil, name: RegistrationName? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        wrappedValue = Resolver(core: container?.core)(Value.self, name: name, file: file, line: line)
    }
}

extension Inject: Sendable where Value: Sendable {}
