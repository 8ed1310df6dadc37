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
/// A factory that takes arguments may resolve its own type with other arguments, for example to build a tree. A
/// recursion deeper than 64 levels counts as a cycle.
public struct New<Instance>: _AwaitedRegistration {
    /// The registration of the type, followed by one for each alias.
    public let registrations: [Registration]

    // Requirements of `_LifetimeRegistration`.
    public static var _lifetime: Lifetime { .new }
    public static func _of(_ registrations: [Registration]) -> Self { Self(registrations: registrations) }
}

extension New: _SafeRegistration {}
