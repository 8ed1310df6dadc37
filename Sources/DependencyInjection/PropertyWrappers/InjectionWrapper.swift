/// The common interface of the four property wrappers. Don't conform other types to it.
///
/// The audit of injected properties recognizes wrappers by this protocol.
public protocol _InjectionWrapper {
    /// The type of the wrapped property.
    associatedtype Value
}
