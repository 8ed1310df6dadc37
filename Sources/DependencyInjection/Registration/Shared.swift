/// A registration whose instance is built once, at the first request, and cached by the container that owns it.
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
/// If several threads request the instance first, the factory runs once, on the container's queue and on one of these
/// threads. All of them receive the identical instance. A factory that throws caches nothing, and the next request runs
/// it again. Threads share the instance, so it must be `Sendable`. With `mainActor:`, it is built and resolved on the
/// main actor instead.
public struct Shared<Instance>: _SharedOrScoped {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .shared }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Shared: _SafeRegistration where Instance: Sendable {}
