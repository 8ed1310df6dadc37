/// What the four property wrappers have in common. No other type is meant to adopt it.
///
/// By it, the audit of injections recognises them.
public protocol _InjectionWrapper {
    /// The type of the wrapped property.
    associatedtype Value
}

extension Inject: _InjectionWrapper {}
extension LazyInject: _InjectionWrapper {}
extension MutableInject: _InjectionWrapper {}
extension MutableLazyInject: _InjectionWrapper {}

// MARK: What is written first

extension _InjectionWrapper {
    /// Says how a container is given.
    @available(*, unavailable, message: "write 'from:', as in '@Inject(from: container) var router: Router'")
    public init(container: DIContainer, name: RegistrationName? = nil) { fatalError() }

    /// Says which wrappers can be given a value.
    @available(
        *, unavailable,
        message: "the value is resolved: write '@MutableInject', '@MutableLazyInject' or a plain 'let' to give one"
    )
    public init(wrappedValue: Value, from container: DIContainer? = nil, name: RegistrationName? = nil) { fatalError() }
}

extension _InjectionWrapper where Value == Resolver._StateTheTypeToResolve {
    /// Says that the type to resolve is not known.
    @available(*, unavailable, message: "state the type, as in '@Inject var router: Router'")
    @_disfavoredOverload
    public init(from container: DIContainer? = nil, name: RegistrationName? = nil) { fatalError() }
}
