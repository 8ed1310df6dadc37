/// Registers what is built anew at every request, with arguments where the factory takes them.
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
/// The factory runs on the thread that asks, without the container's queue. It may run on several threads at once, even
/// for a lazy wrapper; with `mainActor:`, it runs on the main actor only. The instance belongs to whoever asked, and so
/// may be of any type.
///
/// A factory that takes arguments may ask for its own type with other arguments, as for a tree; 64 levels count as a
/// cycle.
public struct New<Instance>: _AwaitedRegistration {
    /// The registration of the type, then those of the aliases.
    public let registrations: [Registration]

    // What the forms need: see `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .new }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension New: _SafeRegistration {}
