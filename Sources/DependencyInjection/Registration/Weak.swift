/// A registration whose instance is shared while other code retains it, and rebuilt afterwards.
///
/// ```swift
/// DIContainer.register {
///     Weak { resolve in ImageCache(files: resolve()) }
/// }
/// ```
///
/// At most one instance exists at a time, even if several threads request it concurrently. It stays alive while the
/// graph that requested it is being built, even if asynchronous factories build that graph. The instance must be of a
/// class or an actor. A value can't be retained weakly and is an error at the first request. `Weak` has the same
/// initializers as ``Shared``. A request takes about 15 times as long as a request for a cached ``Shared`` instance.
public struct Weak<Instance>: _LifetimeRegistration {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .weak }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Weak: _SafeRegistration where Instance: Sendable {}
