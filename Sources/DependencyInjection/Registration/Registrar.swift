/// Registers in a container: the callable value behind ``DIContainer/register-swift.property``.
///
/// ```swift
/// container.register {
///     Shared(FileLogger() as Logger)
///     if isDebugBuild { New(DebugMenu()) }
/// }
/// container.register(Shared(FileLogger() as Logger))
/// ```
///
/// The last registration of a type and a name wins, also after it was resolved: the next request sees the new one, and the
/// container releases the old instance before the call returns. May be called on any thread, and in factories.
public struct Registrar: Sendable {
    /// The container, or nil for whichever is current.
    let core: ContainerCore?

    /// Registers everything that the builder lists, at once: no other thread sees a part of it.
    public func callAsFunction(@RegistrationBuilder _ registrations: () -> [Registration]) {
        register(registrations())
    }

    /// Registers one or more registrations or modules.
    public func callAsFunction(_ registrations: any RegistrationConvertible...) {
        register(registrations.flatMap(\.registrations))
    }

    private func register(_ registrations: [Registration]) {
        (core ?? CurrentContainer.core).register(registrations)
    }
}
