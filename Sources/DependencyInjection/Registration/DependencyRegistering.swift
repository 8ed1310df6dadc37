/// Registers dependencies before the default container is first used.
///
/// ```swift
/// extension DIContainer: @retroactive DependencyRegistering {
///     public static func registerDependencies() {
///         register(Shared(FileLogger() as Logger))
///     }
/// }
/// ```
///
/// (`@retroactive` is for modules of another package than this library's.) The method runs once, before the first
/// registration in or resolution from the default container, on whatever thread that happens, while other threads wait. What
/// is registered by hand afterwards wins. A container that was set as ``DIContainer/shared`` before the first use takes
/// its place unfilled; call the method yourself to fill it. The method may also set ``DIContainer/shared``, which is then used as
/// it is.
///
/// > Important: Also in a module whose default isolation is the main actor, the method may run on another thread. Let it
/// > register and nothing else; `mainActor:` registrations are made anywhere and built on the main actor.
public protocol DependencyRegistering {
    /// Registers in the default container.
    nonisolated static func registerDependencies()
}
