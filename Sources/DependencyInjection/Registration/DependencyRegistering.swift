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
/// (Outside of this package, the conformance needs `@retroactive`.) The method runs once, before the first
/// registration in or resolution from the default container, on whichever thread makes it, while other threads wait.
/// What is registered by hand afterwards wins. A container that was set as ``DIContainer/shared`` before the first use
/// is used unfilled; call the method yourself to fill it. The method may also set ``DIContainer/shared``; that
/// container is then used as it is.
///
/// > Important: The method may run on any thread, even in a module whose default isolation is the main actor. Let it
/// > register and nothing else. `mainActor:` registrations may be made on any thread; they are built on the main actor.
public protocol DependencyRegistering {
    /// Registers in the default container.
    nonisolated static func registerDependencies()
}
