/// Registers what is built once in each graph of objects: for one request and all that it leads to.
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
/// every factory. It ends when that request is answered; the instance then lives as long as the objects that hold it.
/// ``Resolver/all(_:name:file:line:)`` is one request. So are `try await resolve.async(…)` and each build of
/// ``DIContainer/prepare(file:line:)``, with the asynchronous builds that they start. Each container that resolves the
/// type meanwhile has an instance of its own, so that a parent's ``Shared`` never gets a child's.
///
/// A factory that hands a request to another thread begins another graph there. If tasks of one asynchronous graph ask
/// at the same moment, the factory may run twice: both get what is ready first. The forms are those of ``Shared``.
public struct Graph<Instance>: _LifetimeRegistration {
    /// The registration of the type, then those of the aliases.
    public let registrations: [Registration]

    // What the forms need: see `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .graph }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Graph: _SafeRegistration where Instance: Sendable {}
