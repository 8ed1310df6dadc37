/// The common interface of the four property wrappers. Don't conform other types to it.
///
/// The audit of injected properties recognizes wrappers by this protocol.
public protocol _InjectionWrapper {
    /// The type of the wrapped property.
    associatedtype Value
}

extension Inject: _InjectionWrapper {}
extension LazyInject: _InjectionWrapper {}
extension MutableInject: _InjectionWrapper {}
extension MutableLazyInject: _InjectionWrapper {}

// MARK: Mistakes

extension _InjectionWrapper {
    /// Diagnoses a container with a wrong label.
    @available(*, unavailable, message: "write 'from:', as in '@Inject(from: container) var router: Router'")
    public init(container: DIContainer, name: RegistrationName? = nil) { fatalError() }

    /// Diagnoses an initial value for a wrapper that only resolves its value.
    @available(
        *, unavailable,
        message:
            "the wrapper resolves its value: to set one, write '@MutableInject', '@MutableLazyInject' or a plain 'let'"
    )
    public init(wrappedValue: Value, from container: DIContainer? = nil, name: RegistrationName? = nil) { fatalError() }
}

// The descriptions of wrappers and providers for `print`, `dump` and debuggers. None of them resolves anything.

extension Inject: CustomStringConvertible, CustomReflectable {
    /// The description of the value.
    public var description: String { Self.description(of: wrappedValue) }
    /// The mirror of the value.
    public var customMirror: Mirror { mirror(of: wrappedValue) }
}

extension MutableInject: CustomStringConvertible, CustomReflectable {
    /// The description of the value.
    public var description: String { Self.description(of: wrappedValue) }
    /// The mirror of the value.
    public var customMirror: Mirror { mirror(of: wrappedValue) }
}

extension LazyInject: CustomStringConvertible, CustomReflectable {
    /// The description of the value, or `not resolved`.
    public var description: String { Self.description(of: projectedValue) }
    /// The mirror of the value, or an empty one.
    public var customMirror: Mirror { mirror(of: projectedValue) }
}

extension MutableLazyInject: CustomStringConvertible, CustomReflectable {
    /// The description of the value, or `not resolved`.
    public var description: String { Self.description(of: projectedValue) }
    /// The mirror of the value, or an empty one.
    public var customMirror: Mirror { mirror(of: projectedValue) }
}

extension Provider: CustomStringConvertible, CustomReflectable {
    /// The type of the provider, and the name of the registration if it has one.
    public var description: String { DependencyID(Self.self, name).description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension _InjectionWrapper {
    fileprivate static func description(of value: Value?) -> String {
        value.map { String(describing: $0) } ?? "not resolved"
    }

    fileprivate func mirror(of value: Value?) -> Mirror {
        value.map { Mirror(reflecting: $0) } ?? Mirror(self, children: [])
    }
}
