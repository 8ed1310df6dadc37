/// The registrations whose instances a container caches and closes: ``Shared`` and ``Scoped``.
// The compiler names this protocol in its error for an `onClose` on another lifetime.
public protocol _SharedOrScoped: _AwaitedRegistration {}

extension _LifetimeRegistration where Self: _SharedOrScoped {
    /// Adds a handler that closes each instance of the registration when its container is closed.
    ///
    /// ```swift
    /// let app = DIContainer {
    ///     Shared(async: { _ in try await Pool.open() })
    ///         .onClose { pool in await pool.close() }
    /// }
    /// try await app.close()
    /// ```
    /// ``DIContainer/close(dueTo:file:line:)`` runs the handlers in reverse order of construction.
    ///
    /// - The handler runs once for each instance that the factory has returned. It receives the instance without
    ///   decorators, and runs once even if the type has aliases.
    /// - It also runs for instances that have since been replaced, unregistered or reset, and for instances whose
    ///   decorator failed or whose build was abandoned. It doesn't run for types that were never resolved, as
    ///   with `Shared(pool)` of an existing pool. `prepare(.all)` resolves every ``Shared``.
    /// - Several handlers of one registration run in reverse order. Copies of the registration, in a module or in a
    ///   fork, have the same handlers.
    ///
    /// The handler may be asynchronous and may throw. It runs off every actor. Main-actor types use
    /// `onClose(mainActor:)`. The handler may resolve instances that are already built and whose handlers haven't run.
    /// A change of the container from the handler, such as `unregister`, is reported as a failure of the handler.
    /// Releasing a container without closing it runs no handlers.
    /// - Parameters:
    ///   - file: The file reported in errors, by default the caller's.
    ///   - line: The line reported in errors, by default the caller's.
    ///   - close: A closure that closes the instance.
    @preconcurrency
    public func onClose(
        file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (Instance) async throws -> Void
    ) -> Self where Instance: Sendable {
        addingHandler(file, line) { box, _ in try await close(box.value(as: Instance.self)) }
    }

    /// Adds a handler that closes each instance and receives the error that ended the work, if any.
    ///
    /// ```swift
    /// Scoped(autowiring: UnitOfWork.init)
    ///     .onClose { unit, failure in
    ///         if failure == nil { try await unit.commit() } else { await unit.rollBack() }
    ///     }
    /// ```
    /// The error is the one passed to ``DIContainer/close(dueTo:file:line:)``, or the error thrown by the operation of
    /// ``DIContainer/withChild(_:isolation:file:line:operation:)-swift.method``.
    @preconcurrency
    public func onClose(
        file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (Instance, (any Error)?) async throws -> Void
    ) -> Self where Instance: Sendable {
        addingHandler(file, line) { box, failure in try await close(box.value(as: Instance.self), failure) }
    }

    /// Adds a handler that closes each instance of the registration on the main actor.
    ///
    /// ```swift
    /// Shared(mainActor: { resolve in TabbedWindows(resolve()) }).onClose(mainActor: { windows in windows.closeAll() })
    /// ```
    @_disfavoredOverload public func onClose(
        mainActor close: @escaping @MainActor @Sendable (Instance) async throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        addingHandler(file, line) { @MainActor box, _ in try await close(box.value(as: Instance.self)) }
    }

    /// Adds a handler that closes each instance on the main actor and receives the error that ended the work, if any.
    @_disfavoredOverload public func onClose(
        mainActor close: @escaping @MainActor @Sendable (Instance, (any Error)?) async throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        addingHandler(file, line) { @MainActor box, failure in try await close(box.value(as: Instance.self), failure) }
    }

    private func addingHandler(
        _ file: StaticString, _ line: UInt, _ run: @escaping @Sendable (any AnyBox, (any Error)?) async throws -> Void
    ) -> Self {
        let handler = CloseHandler(site: CallSite(file: file, line: line), run: run)
        // The first registration is the one of the type itself. The others are its aliases.
        return Self._of(registrations.replacingFirst(by: registrations[0].copy(handler: handler)))
    }
}
