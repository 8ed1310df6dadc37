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

    /// Says that the type is what is resolved.
    @available(
        *, unavailable, message: "the type of the property says what is resolved, as in '@Inject var router: Router'"
    )
    public init<Root>(_ keyPath: KeyPath<Root, Value>) { fatalError() }
}

extension _InjectionWrapper where Value == Resolver._StateTheTypeToResolve {
    /// Says that the type to resolve is not known.
    @available(*, unavailable, message: "state the type, as in '@Inject var router: Router'")
    @_disfavoredOverload
    public init(from container: DIContainer? = nil, name: RegistrationName? = nil) { fatalError() }
}

// MARK: What the audit needs

/// A type of which a registration is needed, with the types of the arguments that its factory gets.
package struct InjectionNeed: Sendable {
    package let type: any Any.Type
    package let arguments: [any Any.Type]

    /// What answers a request for a type: the type itself and, if it needs no registration of its own, what it is made of. The
    /// last is what must be registered.
    package static func all(of type: any Any.Type, arguments: [any Any.Type] = []) -> [InjectionNeed] {
        let rest = Derivation(of: type).map { all(of: $0.type, arguments: $0.supplied ?? arguments) } ?? []
        return [InjectionNeed(type: type, arguments: arguments)] + rest
    }
}

extension DIContainer {
    /// Tells whether a request for the type, without a name, can find something: a registration, or those that an Optional, a
    /// provider or a collection is made of. What is expected of children counts as registered.
    package func answers<T>(_ type: T.Type) -> Bool {
        core.isAvailable(type, nil)
            || InjectionNeed.all(of: type).contains { core.expectation(of: $0.type, nil) != nil }
    }

    /// The types that are registered or expected under names, here or in a parent.
    package var typesWithNames: Set<ObjectIdentifier> {
        Set(
            core.visibleEntries().filter { !$0.isDecoratorOnly }.map(\.registration).filter { $0.name != nil }.map {
                ObjectIdentifier($0.type)
            }
        )
    }
}
