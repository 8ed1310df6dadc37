/// The registrations whose instances a container caches and closes: ``Shared`` and ``Scoped``.
// The compiler names this protocol where another lifetime gets an `onClose`.
public protocol _SharedOrScoped: _AwaitedRegistration {}

extension _LifetimeRegistration where Self: _SharedOrScoped {
    /// Closes what the factory makes when the container that has built it is closed.
    ///
    /// ```swift
    /// let app = DIContainer {
    ///     Shared(async: { _ in try await Pool.open() })
    ///         .onClose { pool in await pool.close() }
    /// }
    /// try await app.close()
    /// ```
    /// ``DIContainer/close(after:file:line:)`` runs the closure once for each time that the factory has returned, in the reverse
    /// order: what was opened last is closed first. It gets what the factory made, not what decorators made of that, and once for all
    /// aliases. This also concerns what was replaced, unregistered or reset meanwhile, and what was made although a decorator then failed
    /// or nobody waited for it any more. What was never asked for is not closed. Several closures of one registration run
    /// in the reverse order. A copy of the registration, in a module or in a fork, closes what it makes as well.
    ///
    /// The closure may be asynchronous and may throw, and runs on no actor; what belongs to the main actor takes
    /// `onClose(mainActor:)`. Until it returns, everything that was built before is still
    /// there, but the container answers no request any more. A container that is dropped runs none.
    /// - Parameters:
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    ///   - close: Ends the work of the instance.
    @preconcurrency
    public func onClose(
        file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (Instance) async throws -> Void
    ) -> Self where Instance: Sendable {
        closing(file, line) { box, _ in try await close(box.value(as: Instance.self)) }
    }

    /// Closes what the factory makes, and knows the error that ended the work, if any.
    ///
    /// ```swift
    /// Scoped(autowiring: UnitOfWork.init)
    ///     .onClose { unit, failure in
    ///         if failure == nil { try await unit.commit() } else { await unit.rollBack() }
    ///     }
    /// ```
    /// That is the error that ``DIContainer/close(after:file:line:)`` was given, or with which the operation of
    /// ``DIContainer/withChild(_:isolation:file:line:operation:)-swift.method`` ended.
    @preconcurrency
    public func onClose(
        file: StaticString = #fileID, line: UInt = #line,
        _ close: @escaping @Sendable (Instance, (any Error)?) async throws -> Void
    ) -> Self where Instance: Sendable {
        closing(file, line) { box, failure in try await close(box.value(as: Instance.self), failure) }
    }

    /// Closes on the main actor what the factory makes.
    ///
    /// ```swift
    /// Shared(mainActor: { resolve in TabbedWindows(resolve()) }).onClose(mainActor: { windows in windows.closeAll() })
    /// ```
    @_disfavoredOverload public func onClose(
        mainActor close: @escaping @MainActor @Sendable (Instance) async throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        closing(file, line) { @MainActor box, _ in try await close(box.value(as: Instance.self)) }
    }

    /// Closes on the main actor what the factory makes, and knows the error that ended the work, if any.
    @_disfavoredOverload public func onClose(
        mainActor close: @escaping @MainActor @Sendable (Instance, (any Error)?) async throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        closing(file, line) { @MainActor box, failure in try await close(box.value(as: Instance.self), failure) }
    }

    private func closing(
        _ file: StaticString, _ line: UInt, _ run: @escaping @Sendable (any AnyBox, (any Error)?) async throws -> Void
    ) -> Self {
        let closer = Closer(site: CallSite(file: file, line: line), run: run)
        // The first is that of the type itself; the others are its aliases.
        let registration = registrations[0].closed(by: closer)
        return Self._of([registration] + registrations.dropFirst().map { registration.alias($0.type) })
    }
}
