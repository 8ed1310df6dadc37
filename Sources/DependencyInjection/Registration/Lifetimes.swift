// The meaning of each lifetime. The rest of the library reads these properties and never compares kinds.

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
/// class or an actor. A value can't be held weakly and is an error at the first request. `Weak` has the same
/// initializers as ``Shared``. A request takes about 15 times as long as a request for a cached ``Shared`` instance.
public struct Weak<Instance>: _LifetimeRegistration {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .weak }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension Weak: _SafeRegistration where Instance: Sendable {}

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
/// ``DIContainer/prepare(_:file:line:)`` also counts as one request, including the asynchronous builds that it starts.
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

/// A registration whose instance is built at every request, with arguments if the factory takes them.
///
/// ```swift
/// DIContainer.register {
///     New(SearchViewModel())
///     New { _, id in DetailViewModelImpl(id: id) as DetailViewModel }
///     New(autowiring: SearchResults.init)
///     New(autowiring: NoteViewModel.init, arguments: Int.self)
/// }
/// let detail: DetailViewModel = DIContainer.resolve(42)
/// ```
///
/// The factory runs on the caller's thread, without the container's queue. It may run on several threads concurrently,
/// even for a lazy wrapper. With `mainActor:`, it runs on the main actor only. The instance is never shared by the
/// container, so it doesn't have to be `Sendable`.
///
/// A factory that takes arguments may resolve its own type, for example to build a tree. The recursion may be 64 levels
/// deep below the first call of the factory. The next level is an error with the reason
/// ``ResolutionError/Reason/cycle``.
public struct New<Instance>: _AwaitedRegistration, _SafeRegistration {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .new }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}
