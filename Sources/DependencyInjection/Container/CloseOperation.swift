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
        return try await child.runAndClose(call, isolation: isolation, operation)
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

    /// Runs an operation with this container as the current one, and closes the container at the end.
    ///
    /// ```swift
    /// try await app.run { app in
    ///     try await app.prepare(.all)
    ///     try await HTTPServer().run(app.resolve(Handler.self).answer)
    /// }
    /// ```
    /// The container is closed when the operation returns or throws, whatever failed in it, ``prepare(_:file:line:)``
    /// included. The result is returned after the container has been closed. If the operation throws, its error is
    /// passed to each `onClose` handler that accepts one. The operation runs in the caller's isolation. Also use this
    /// function for a fork, or for a child that ``makeChild(_:file:line:)`` has created in another function:
    ///
    /// ```swift
    /// try await app.fork { Shared(MemoryStore() as Store) }.run { fork in
    ///     _ = try await fork.resolve(Handler.self).answer("/notes")
    /// }
    /// ```
    /// - Throws: The error of the operation, or else the ``CloseError`` of closing the container. If both fail, the
    ///   `CloseError` is sent to observers and printed to standard error.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        _ operation: (DIContainer) async throws -> Result
    ) async throws -> Result {
        let call = CloseCall(function: "run", site: CallSite(file: file, line: line))
        return try await runAndClose(call, isolation: isolation, operation)
    }

    /// Runs an operation with this container as the current one, and closes the container for a call.
    private func runAndClose<Result>(
        _ call: CloseCall, isolation: isolated (any Actor)?, _ operation: (DIContainer) async throws -> Result
    ) async throws -> Result {
        defer { withExtendedLifetime(self) {} }
        let result: Result
        do {
            let scope = ContainerScope(core, retaining: self)
            result = try await scope.run(isolation: isolation) { try await operation(self) }
        } catch {
            do { try await core.close(dueTo: error, by: call) } catch let closeError {
                printToStandardError("\(closeError)\n  before, the operation failed: \(error)")
            }
            throw error
        }
        try await core.close(dueTo: nil, by: call)
        return result
    }
}

// MARK: Waiting for builds, running handlers, and releasing the instances

extension ContainerCore {
    /// Closes the container, or waits for the result of another caller.
    ///
    /// - Parameters:
    ///   - failure: The error that ended the work, which is passed to the handlers.
    ///   - call: The call in the user's code.
    ///   - servesLateRequests: Whether the container resolves late requests like a released one, instead of refusing
    ///     them.
    @concurrent package func close(
        dueTo failure: (any Error)?, by call: CloseCall, servesLateRequests: Bool = false
    ) async throws {
        // The call would wait for itself.
        if AsyncStep.all.contains(where: { $0.core === self }) { throw CloseError([], call) }
        let action = transition { $0.beginClosing(by: call, servesLateRequests: servesLateRequests) }
        switch action {
        case .end(let result): return try result.get()
        case .wait:
            return try await withCheckedThrowingContinuation { continuation in
                if let result = lifecycle.withLock({ $0.waitForClosing(continuation) }) {
                    continuation.resume(with: result)
                }
            }
        case .close: break
        }
        var failures: [CloseError.Failure] = []
        // Because closing has begun, no further build can start.
        var isBuilding = true
        _ = tryExclusively { isBuilding = lifecycle.withLock { !$0.asyncBuilds.isEmpty } }
        if isBuilding || lifecycle.withLock({ !$0.closables.isEmpty }) {
            let task = Self.uncancelledTask { [self, isBuilding] in
                if isBuilding { await waitForBuilds(call) }
                return await runCloseHandlers(dueTo: failure, call)
            }
            failures = await task.value
        }
        if !tryExclusively(unlinkInstances) { await waitExclusively(unlinkInstances) }
        if isObserved {
            for instance in lifecycle.withLock({ $0.unreleased }).reversed() {
                report(.released, instance.entry.registration)
            }
        }
        ThreadRecord.waitForReaders()
        // A `deinit` may still request an instance that was built earlier.
        while lifecycle.withLock({ $0.takeLastUnreleased() }) != nil {}
        let error = failures.isEmpty ? nil : CloseError(failures, call)
        let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let waiters = transition { $0.endClosing(result) }
        report(.closed(error))
        for waiter in waiters { waiter.resume(with: result) }
        if let error { throw error }
    }

    /// Creates an unstructured task, which the caller's cancellation doesn't reach.
    ///
    /// Where available, the task starts synchronously on this thread (SE-0472), so that work that never suspends needs
    /// no other thread. The caller is on no actor.
    private static func uncancelledTask<Result: Sendable>(
        _ work: @escaping @concurrent @Sendable () async -> Result
    ) -> Task<Result, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
        return Task(operation: work)
    }

    // MARK: Builds in progress

    /// Waits for asynchronous builds, then for the build on the queue.
    private func waitForBuilds(_ call: CloseCall) async {
        let wait = LongWait.begin { [self] milliseconds in
            let builds = lifecycle.withLock { $0.asyncBuilds.map(\.value) }
            return """
                \(call) has waited \(milliseconds) ms for builds in progress:\(builds.lines())
                  fix: limit the time that the asynchronous factory waits
                """
        }
        await withCheckedContinuation { continuation in
            if !lifecycle.withLock({ $0.waitForAsyncBuilds(continuation) }) { continuation.resume() }
        }
        withExtendedLifetime(wait) {}
        if !tryExclusively({}) { await waitExclusively {} }
    }

    // MARK: Handlers

    /// Runs the handlers in reverse order of construction, one at a time.
    ///
    /// - Returns: The failures.
    private func runCloseHandlers(dueTo failure: (any Error)?, _ call: CloseCall) async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for closable in lifecycle.withLock({ $0.closables }).reversed() {
            let registration = closable.entry.registration
            for handler in registration.closeHandlers.reversed() {
                let errors = await run(handler, for: closable, dueTo: failure, call)
                failures += errors.map {
                    CloseError.Failure(registration: registration, error: $0, site: handler.site)
                }
            }
            lifecycle.withLock { $0.lastHandled = closable.id }
        }
        return failures
    }

    /// Runs a handler.
    ///
    /// - Returns: The errors of refused changes to this container, and the error that the handler threw.
    private func run(
        _ handler: CloseHandler, for closable: Instance, dueTo failure: (any Error)?, _ call: CloseCall
    ) async -> [any Error] {
        // It is retained strongly.
        guard let product = closable.box else { return [] }
        let registration = closable.entry.registration
        let wait = LongWait.begin {
            """
            \(call) has waited \($0) ms for the `onClose` handler of \(registration.id), written at \(handler.site).
              fix: limit the time that the handler waits
            """
        }
        defer { withExtendedLifetime(wait) {} }
        let step = AsyncStep(closing: registration, in: self, at: call.site)
        var errors: [any Error] = []
        do { try await step.run { try await handler.run(product, failure) } } catch { errors = [error] }
        return step.refusedChanges.withLock { $0 } + errors
    }
}
