/// A registration whose instance is built once per graph of objects: for one outermost request and everything it
/// resolves.
///
/// ```swift
/// DIContainer.register {
///     Graph { resolve in Transaction(database: resolve()) }
///     New { resolve in Transfer(from: resolve(), to: resolve()) }     // both accounts share one transaction
///     New { resolve in Account(transaction: resolve()) }
/// }
/// ```
///
/// The graph begins with the outermost request, which `resolve`, a property wrapper or a provider makes outside of
/// every factory. The graph ends when that request returns. The instance then lives as long as other objects retain it.
/// ``Resolver/all(_:name:file:line:)`` counts as one request. Each `try await resolve.async(…)` and each build of
/// ``DIContainer/prepare(file:line:)`` also counts as one request, including the asynchronous builds that it starts.
/// Within a graph, each container that resolves the type has its own instance, so a parent's ``Shared`` never receives
/// a child's instance.
///
/// Resolving on another thread from inside a factory starts a new graph. If two tasks of the same asynchronous graph
/// request the type concurrently, its factory may run twice, and both tasks receive the instance that finishes first.
/// `Graph` has the same initializers as ``Shared``.
public struct Graph<Instance>: _LifetimeRegistration {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .graph }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Graph: _SafeRegistration where Instance: Sendable {}
