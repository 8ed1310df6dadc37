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
/// The last registration of a type and a name wins, even if an earlier one was resolved: the next request gets the new
/// one. The container lets go of the old instance before the call returns or, in a factory that runs on the queue, when
/// that factory ends. A child lets go of what it built from the old one at its next request for it. May be called on any
/// thread, and in factories.
public struct Registrar: Sendable {
    /// The container, or nil for whichever is current.
    let core: ContainerCore?

    /// Registers everything that the builder lists as one change: nothing else is registered or built on the queue meanwhile.
    ///
    /// A thread that reads what is built already, or asks for a ``New``, may see only a part of the change for a
    /// moment.
    ///
    /// Stops the program if the container is sealed.
    public func callAsFunction(
        file: StaticString = #fileID, line: UInt = #line, @RegistrationBuilder _ registrations: () -> [Registration]
    ) {
        let registrations = registrations()
        (core ?? CurrentContainer.core).register(registrations, at: CallSite(file: file, line: line))
    }

    /// Registers one or more registrations or modules. Stops the program if the container is sealed.
    public func callAsFunction(
        _ registrations: any RegistrationConvertible..., file: StaticString = #fileID, line: UInt = #line
    ) {
        self(registrations, file: file, line: line)
    }

    /// Registers a list. Stops the program if the container is sealed.
    @_disfavoredOverload public func callAsFunction(
        _ registrations: [any RegistrationConvertible], file: StaticString = #fileID, line: UInt = #line
    ) {
        self(file: file, line: line) { Module(registrations) }
    }
}

// MARK: Mistakes

extension Registrar {
    /// Diagnoses a type and a factory, which other libraries register.
    @available(
        *, unavailable,
        message: "list registrations: 'container.register { Shared { resolve in RouterImpl() as Router } }'"
    )
    @_disfavoredOverload public func callAsFunction<T>(
        _ type: T.Type, name: RegistrationName? = nil, factory: (Resolver) throws -> Any
    ) { fatalError() }

    /// Diagnoses a type and a factory without parameters.
    @available(
        *, unavailable,
        message: "list registrations: 'container.register { Shared { resolve in RouterImpl() as Router } }'"
    )
    @_disfavoredOverload public func callAsFunction<T>(
        _ type: T.Type, name: RegistrationName? = nil, factory: () throws -> Any
    ) { fatalError() }
}
