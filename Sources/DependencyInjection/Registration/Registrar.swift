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
