/// Registers in a container. The callable value behind ``DIContainer/register-swift.property``.
///
/// ```swift
/// container.register {
///     Shared(FileLogger() as Logger)
///     if isDebugBuild { New(DebugMenu()) }
/// }
/// container.register(Shared(FileLogger() as Logger))
/// ```
///
/// The last registration of a type and a name wins, even if an earlier one was resolved. The next request uses the new
/// registration. The container releases the old instance before the call returns. If a factory that runs on the queue
/// makes the call, the container releases the old instance when that factory returns. A child's next request for the
/// type releases the instance that the child built from the old registration. May be called on any thread, and in
/// factories.
public struct Registrar: Sendable {
    /// The container, or `nil` for the current container at each call.
    let core: ContainerCore?

    /// Registers everything the builder lists as one change. During the change, nothing else is registered or built on
    /// the container's queue.
    ///
    /// Threads that read a cached instance or request a ``New`` may briefly observe a partially applied change.
    ///
    /// Traps if the container is sealed or closed.
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, @RegistrationBuilder _ registrations: () -> [Registration]
    ) {
        let registrations = registrations()
        (core ?? CurrentContainer.core).register(registrations, at: CallSite(file: file, line: line))
    }

    /// Registers one or more registrations or modules. Traps if the container is sealed or closed.
    public func callAsFunction(
        _ registrations: any RegistrationConvertible..., file: StaticString = #fileID, line: UInt = #line
    ) {
        self(file: file, line: line) { Module(registrations) }
    }

    /// Registers one or more lists of registrations and modules. Traps if the container is sealed or closed.
    // With one list, this overload would match a builder better than the builder itself. For a mistake in a builder, the
    // compiler would then report that a list isn't a closure.
    @_disfavoredOverload public func callAsFunction(
        _ registrations: [any RegistrationConvertible]..., file: StaticString = #fileID, line: UInt = #line
    ) {
        self(file: file, line: line) { for list in registrations { Module(list) } }
    }
}

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
