/// A type that registers dependencies before the default container is first used.
///
/// ```swift
/// extension DIContainer: @retroactive DependencyRegistering {
///     public static func registerDependencies() {
///         register(Shared(FileLogger() as Logger))
///     }
/// }
/// ```
///
/// The conformance needs `@retroactive` outside of this package. The method runs once, before the first registration in
/// or resolution from the default container. It runs on the thread that first uses the container, while other threads
/// wait. Registrations made after the method has returned override its registrations.
///
/// If ``DIContainer/shared`` is set before the first use, that container is used as it is. To fill it, call the method
/// yourself. The method may also set ``DIContainer/shared``, and that container is then used as it is.
///
/// > Note: In debug builds, the linker drops a file of a static library (`.a`) if the program uses nothing else in that
/// > file. The method then never runs. Declare the conformance in a file that the program uses, or link the whole
/// > library, with `-all_load` on Apple platforms and `--whole-archive` on Linux.
///
/// > Important: The method may run on any thread, even in a module whose default isolation is the main actor. It should
/// > only register. Registrations with `mainActor:` can be made on any thread and are built on the main actor.
public protocol DependencyRegistering {
    /// Registers dependencies in the default container. Runs once, on any thread.
    nonisolated static func registerDependencies()
}
