/// Registers what is built once for each container that resolves it.
///
/// ```swift
/// let app = DIContainer {
///     Scoped { resolve in RequestContext(logger: resolve()) }
/// }
/// let request = app.makeChild()
/// let context: RequestContext = request.resolve()      // one for this child
/// ```
///
/// A child that resolves it keeps an instance of its own, built with the child's resolver. It releases that instance
/// when it goes, or when it builds another because the parent has replaced the registration. A ``Shared``, by contrast,
/// belongs to the container that it was registered in, and is the same for all of its children. The forms are those of
/// ``Shared``.
public struct Scoped<Instance>: _SharedOrScoped {
    /// The registration of the type, then those of the aliases.
    public let registrations: [Registration]

    // What the forms need: see `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .scoped }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Scoped: _SafeRegistration where Instance: Sendable {}
