/// A registration whose instance is built once for each container that resolves it.
///
/// ```swift
/// let app = DIContainer {
///     Scoped { resolve in RequestContext(logger: resolve()) }
/// }
/// let request = app.makeChild()
/// let context: RequestContext = request.resolve()      // one for this child
/// ```
///
/// A child that resolves the type caches its own instance, built with the child's resolver. The child releases that
/// instance when the child itself is released, or when it builds a new one because the parent has replaced the
/// registration. A ``Shared`` instance, by contrast, belongs to the container that owns the registration, and all
/// children of that container share it. `Scoped` has the same initializers as ``Shared``.
public struct Scoped<Instance>: _SharedOrScoped {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .scoped }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Scoped: _SafeRegistration where Instance: Sendable {}
