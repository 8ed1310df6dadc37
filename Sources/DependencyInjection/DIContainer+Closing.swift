extension DIContainer {
    /// Ends the container for good: closes what it has opened, as each `onClose` says, and releases what it keeps. The last goes first.
    ///
    /// ```swift
    /// try await app.close()
    /// ```
    /// It begins at once. From then on, every request to this container, through any handle, is a ``ResolutionError`` with the
    /// reason ``ResolutionError/Reason/closed``, and so is every change. Only a build of something kept that began before is
    /// still answered, and waited for. A child answers what its own registrations give, and can be closed; a request of it
    /// that leads here is closed, too. Listing, ``isRegistered(_:name:)`` and ``fork(_:)`` go on working, and what a wrapper
    /// has read it keeps. ``DIContainer/shared`` stays closed until another is set.
    ///
    /// The closures run one after the other, in a task that nobody cancels, which has the caller's task-local values. A second
    /// call waits for the first, and ends as that one does. A container that is dropped runs none; in debug builds,
    /// standard error then says what was not closed. May be called in any task. It takes time in proportion to the number of
    /// instances, and of what was opened.
    /// - Parameters:
    ///   - failure: The error that ended the work, which each closure gets that takes one.
    ///   - file: The file reported in errors; defaults to the caller's.
    ///   - line: The line reported in errors; defaults to the caller's.
    /// - Throws: A ``CloseError`` with all failures. It is one without failures, and nothing is closed, if this is called in a
    ///   factory or an `onClose` of this container, because it would wait for itself, or in a task that an `onClose` or an
    ///   asynchronous factory makes.
    @concurrent public func close(
        after failure: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await core.close(
            dueTo: failure, by: CloseCall(function: "close()", site: CallSite(file: file, line: line)))
        withExtendedLifetime(self) {}
    }

    /// Makes a child that is current while the operation runs, and closes it at the end.
    ///
    /// ```swift
    /// let answer = try await app.withChild { Shared(session as Session) } operation: { child in
    ///     try await child.resolve(Handler.self).answer(path)
    /// }
    /// ```
    /// The operation runs in the caller's isolation. The result is returned once the child is closed. If the operation
    /// throws, each `onClose` that takes a failure gets that error.
    /// - Throws: What the operation throws, or else the ``CloseError`` of closing the child. If there are both, observers
    ///   and standard error get the `CloseError`. A ``ResolutionError`` if this container is closed.
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

    /// Makes a child of the current container that is current while the operation runs, and closes it at the end.
    ///
    /// Does what ``withChild(_:isolation:file:line:operation:)-swift.method`` does.
    public static func withChild<Result>(
        @RegistrationBuilder _ registrations: () -> [Registration] = { [] },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line, operation: (DIContainer) async throws -> Result
    ) async throws -> Result {
        try await current.withChild(registrations, isolation: isolation, file: file, line: line, operation: operation)
    }
}
