extension DIContainer {
    /// Closes the container permanently. Runs the `onClose` handlers in reverse order of construction, then releases
    /// all cached instances.
    ///
    /// ```swift
    /// try await app.close()
    /// ```
    /// - **Before the handlers**, builds of cached instances that began earlier complete, together with everything they
    ///   resolve in their thread or task.
    /// - **While the container is closing**, cached instances can be resolved, except those whose handlers have run.
    ///   Every other request and every change fails with a ``ResolutionError`` with the reason
    ///   ``ResolutionError/Reason/closed``.
    /// - **Afterwards**, the container resolves nothing of its own. A child still resolves its own registrations and
    ///   can itself be closed. Listing, ``isRegistered(_:name:)`` and ``fork(_:)`` still work, and a wrapper retains
    ///   the value it has read. ``DIContainer/shared`` stays closed until another container is set.
    ///
    /// Handlers run one at a time in a task that can't be canceled and that inherits the caller's task-local values.
    /// Calling `close()` again waits for the first call and then returns, or throws, the same result. A container that
    /// is released without being closed runs no handler. In debug builds, standard error then lists the unclosed
    /// instances. Can be called in any task. The cost is proportional to the number of instances.
    /// - Parameters:
    ///   - failure: The error that ended the work, which is passed to each handler that accepts one.
    ///   - file: The file reported in errors. Defaults to the caller's file.
    ///   - line: The line reported in errors. Defaults to the caller's line.
    /// - Throws: A ``CloseError`` with all failures. Calling `close()` from one of this container's own factories or
    ///   `onClose` handlers, or from a task they started, would deadlock. In that case nothing is closed and the thrown
    ///   `CloseError` has no failures.
    @concurrent public func close(
        dueTo failure: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await core.close(
            dueTo: failure, by: CloseCall(function: "close()", site: CallSite(file: file, line: line)))
        withExtendedLifetime(self) {}
    }

    /// Creates a child that is current while the operation runs, and closes it at the end.
    ///
    /// ```swift
    /// let answer = try await app.withChild { Shared(session as Session) } operation: { child in
    ///     try await child.resolve(Handler.self).answer(path)
    /// }
    /// ```
    /// The operation runs in the caller's isolation. The result is returned after the child has been closed. If the
    /// operation throws, its error is passed to each `onClose` handler that accepts one. A task that outlives the
    /// operation may still resolve instances that this container caches.
    /// - Throws: The error of the operation, or else the ``CloseError`` of closing the child. If both fail, the
    ///   `CloseError` is sent to observers and printed to standard error. If this container is closed, a
    ///   ``ResolutionError``.
    public func withChild<Result>(
        @RegistrationBuilder _ registrations: () -> [Registration] = { [] },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line, operation: (DIContainer) async throws -> Result
    ) async throws -> Result {
        let call = CloseCall(function: "withChild", site: CallSite(file: file, line: line))
        let child = try makeOpenChild(registrations, at: call.site)
        defer { withExtendedLifetime(child) {} }
        let result: Result
        do {
            result = try await Self.withContainer(child, isolation: isolation) { try await operation(child) }
        } catch {
            do { try await child.core.close(dueTo: error, by: call) } catch let closeError {
                StandardError.print("\(closeError)\n  before, the operation failed: \(error)")
            }
            throw error
        }
        try await child.core.close(dueTo: nil, by: call)
        return result
    }

    /// Creates a child of the current container that is current while the operation runs, and closes it at the end.
    ///
    /// See ``withChild(_:isolation:file:line:operation:)-swift.method``.
    public static func withChild<Result>(
        @RegistrationBuilder _ registrations: () -> [Registration] = { [] },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line, operation: (DIContainer) async throws -> Result
    ) async throws -> Result {
        try await current.withChild(registrations, isolation: isolation, file: file, line: line, operation: operation)
    }
}
