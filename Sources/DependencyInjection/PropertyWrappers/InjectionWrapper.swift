/// Marks the four property wrappers, so that the audit of the second product recognises them.
package protocol InjectionWrapper {
    /// The type of the wrapped property.
    associatedtype Value
}

extension Inject: InjectionWrapper {}
extension LazyInject: InjectionWrapper {}
extension MutableInject: InjectionWrapper {}
extension MutableLazyInject: InjectionWrapper {}

extension DIContainer {
    /// Tells whether a request for the type can find something: a registration, or those that an Optional, a provider or a
    /// collection is made of.
    package func answers<T>(_ type: T.Type, name: RegistrationName?) -> Bool {
        core.isAvailable(type, Key(ObjectIdentifier(type), name))
    }

    /// The names of all registrations, those of the parents included.
    package var registrationNames: [RegistrationName] { core.visibleEntries().compactMap { $0.registration?.name } }

    /// The name of a type as messages show it.
    package static func name(of type: any Any.Type) -> String { TypeName(type).description }
}
