/// Marks the four property wrappers, so that the audit of the second product recognises them.
package protocol InjectionWrapper {
    /// The type of the wrapped property.
    associatedtype Value
}

extension Inject: InjectionWrapper {}
extension LazyInject: InjectionWrapper {}
extension MutableInject: InjectionWrapper {}
extension MutableLazyInject: InjectionWrapper {}

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
