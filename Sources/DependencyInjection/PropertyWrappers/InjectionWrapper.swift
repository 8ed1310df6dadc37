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

/// Returns the type of a lazy wrapper's value, or `nil` for any other type.
package func lazilyInjectedType(in type: any Any.Type) -> (any Any.Type)? {
    func value<Wrapper: _InjectionWrapper>(of wrapper: Wrapper.Type) -> any Any.Type { Wrapper.Value.self }
    return (type as? any _InjectionWrapper.Type).map { value(of: $0) }
}

extension LazyInject: CustomStringConvertible {
    /// The description of the value, or `not resolved`.
    public var description: String { projectedValue.map { "\($0)" } ?? "not resolved" }
}

extension MutableLazyInject: CustomStringConvertible {
    /// The description of the value, or `not resolved`.
    public var description: String { projectedValue.map { "\($0)" } ?? "not resolved" }
}
