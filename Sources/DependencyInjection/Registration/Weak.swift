/// Registers what is shared as long as somebody other than the container holds it, and built again afterwards.
///
/// ```swift
/// DIContainer.register {
///     Weak { resolve in ImageCache(files: resolve()) }
/// }
/// ```
///
/// There is one instance at a time, however many threads ask. It does not vanish while the graph that needed it is
/// being built, even if asynchronous factories build it. The instance must be of a class or an actor; a value cannot be
/// held by others, and is an error at the first request. The forms are those of ``Shared``. A request takes some
/// fifteen times as long as one for a ``Shared`` that is built.
public struct Weak<Instance>: _LifetimeRegistration {
    /// The registration of the type, then those of the aliases.
    public let registrations: [Registration]

    // What the forms need: see `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .weak }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Weak: _SafeRegistration where Instance: Sendable {}
