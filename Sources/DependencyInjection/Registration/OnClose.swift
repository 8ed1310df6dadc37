/// Says what to do with an instance when the container that keeps it is closed.
///
/// ```swift
/// let app = DIContainer {
///     Shared(async: { _ in try await Pool.open() })
///     OnClose(Pool.self) { pool in await pool.close() }
///     Scoped { resolve in UnitOfWork(pool: resolve()) }
///     OnClose(UnitOfWork.self) { unit, failure in
///         if failure == nil { try await unit.commit() } else { await unit.rollBack() }
///     }
/// }
/// ```
///
/// It stands beside what it is about, before or after, and belongs to the type and the name, until
/// ``DIContainer/reset(file:line:)``. It concerns what a container keeps: a ``Shared``, and a ``Scoped`` in each container
/// that builds it. So a parent's statement runs when the child is closed that has built the instance.
///
/// What was never asked for is not closed, not even if it was registered ready, as in `Shared(session)`.
///
/// ``DIContainer/close(after:file:line:)`` runs the closure once for each instance that was built, with the decorated
/// instance, or with what an alias gives if the type is one. What was built last is closed first; several statements for one
/// type run in the reverse order of registration, and one that is registered twice counts once. An instance that is replaced,
/// unregistered or reset before is kept until the container is closed. What a child's decorator makes of a parent's
/// instance is not closed with the child. A parent's statement gets what a child has built as the parent decorates it.
///
/// The check of DependencyInjectionDiagnostics, `validate()`, warns of a statement that nothing kept answers.
///
/// The closure may be asynchronous and may throw, and runs on no actor. What belongs to the main actor takes `mainActor:`.
/// Until the closure returns, everything that was built before its instance is still there; but the container answers no
/// request any more.
public struct OnClose: RegistrationConvertible {
    /// The statement.
    public let registrations: [Registration]

    /// Closes what is registered for the type and the name.
    /// - Parameters:
    ///   - type: The type asked for, as it was registered.
    ///   - name: The name under which it was registered.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    ///   - close: Ends the work of the instance.
    @preconcurrency
    public init<T: Sendable>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (T) async throws -> Void
    ) {
        self.init(type, name, file, line) { box, _ in try await close(box.value(as: T.self)) }
    }

    /// Closes what is registered for the type and the name, and knows the error that ended the work, if any.
    ///
    /// ```swift
    /// OnClose(UnitOfWork.self) { unit, failure in
    ///     if failure == nil { try await unit.commit() } else { await unit.rollBack() }
    /// }
    /// ```
    /// That is the error that ``DIContainer/close(after:file:line:)`` was given, or with which the operation of
    /// ``DIContainer/withChild(_:isolation:file:line:operation:)-swift.method`` ended.
    @preconcurrency
    public init<T: Sendable>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (T, (any Error)?) async throws -> Void
    ) {
        self.init(type, name, file, line) { box, failure in try await close(box.value(as: T.self), failure) }
    }

    /// Closes on the main actor what is registered there.
    ///
    /// ```swift
    /// OnClose(TabbedWindows.self, mainActor: { windows in windows.closeAll() })
    /// ```
    public init<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        mainActor close: @escaping @MainActor @Sendable (T) async throws -> Void
    ) {
        self.init(type, name, file, line) { @MainActor box, _ in try await close(box.value(as: T.self)) }
    }

    /// Closes on the main actor what is registered there, and knows the error that ended the work, if any.
    public init<T>(
        _ type: T.Type, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        mainActor close: @escaping @MainActor @Sendable (T, (any Error)?) async throws -> Void
    ) {
        self.init(type, name, file, line) { @MainActor box, failure in
            try await close(box.value(as: T.self), failure)
        }
    }

    private init<T>(
        _ type: T.Type, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        _ close: @escaping @Sendable (any AnyBox, (any Error)?) async throws -> Void
    ) {
        let site = CallSite(file: file, line: line)
        registrations = [Registration(type, name, .closer(Closer(close)), lifetime: nil, site)]
    }
}
