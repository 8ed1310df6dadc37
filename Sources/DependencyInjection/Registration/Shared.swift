/// Registers what is built once, at the first request, and kept by the container it was registered in.
///
/// ```swift
/// DIContainer.register {
///     Shared(FileLogger() as Logger)
///     Shared { resolve in API(resolve(AppConfiguration.self).host) }
///     Shared(autowiring: SearchService.init, as: Search.self)
///     Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
///     Shared(mainActor: WindowController() as Windows)
/// }
/// ```
///
/// However many threads ask first, the factory runs once, on the container's queue and on one of these threads. All of
/// them get the identical instance. A factory that throws leaves nothing behind: the next request runs it again. The
/// instance is shared between threads and so must be `Sendable`; with `mainActor:`, it is built and resolved on the
/// main actor instead.
public struct Shared<Instance>: _SharedOrScoped {
    /// The registration of the type, then those of the aliases.
    public let registrations: [Registration]

    // What the forms need: see `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .shared }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Shared: _SafeRegistration where Instance: Sendable {}
