// Closing a container: waiting for builds, running handlers, and releasing the instances.

internal import Dispatch

extension ContainerCore {
    /// Closes the container, or waits for the result of another caller.
    ///
    /// - Parameters:
    ///   - failure: The error that ended the work, which is passed to the handlers.
    ///   - call: The call in the user's code.
    ///   - servesLateRequests: Whether the container resolves late requests like a released one, instead of refusing
    ///     them.
    @concurrent func close(
        dueTo failure: (any Error)?, by call: CloseCall, servesLateRequests: Bool = false
    ) async throws {
        // The call would wait for itself.
        if AsyncStep.all.contains(where: { $0.core === self }) { throw CloseError([], call) }
        // Set before the lifecycle changes, because a build that observes a closing lifecycle must also observe this
        // state.
        readGate.insert(.closing)
        let action = lifecycle.withLock { $0.beginClosing(by: call, servesLateRequests: servesLateRequests) }
        switch action {
        case .end(let result): return try result.get()
        case .wait: return try await waitForClosing()
        case .close: break
        }
        var failures: [CloseError.Failure] = []
        if !isIdle() {
            let task = Self.uncancelledTask { [self] in
                await waitForBuilds(call)
                return await runCloseHandlers(dueTo: failure, call)
            }
            failures = await task.value
        }
        releaseInstances()
        let error = failures.isEmpty ? nil : CloseError(failures, call)
        let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let waiters = lifecycle.withLock { $0.endClosing(result) }
        if servesLateRequests {
            readGate.insert(.released)
            readGate.remove(.closing)
        }
        report(.closed(error))
        for waiter in waiters { waiter.resume(with: result) }
        if let error { throw error }
    }

    private func waitForClosing() async throws {
        try await withCheckedThrowingContinuation { continuation in
            if let result = lifecycle.withLock({ $0.waitForClosing(continuation) }) {
                continuation.resume(with: result)
            }
        }
    }

    /// Whether no build is in progress and no handler is pending. Because closing has begun, no build can start.
    private func isIdle() -> Bool {
        var isIdle = false
        _ = tryExclusively { isIdle = lifecycle.withLock { $0.firstActivity == nil && $0.closables.isEmpty } }
        return isIdle
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
        while let activity = lifecycle.withLock({ $0.firstActivity }) {
            let wait = LongWait {
                """
                \(call) has waited \($0) ms for a build in progress: \(activity.registration.textWithPlace())
                  fix: limit the time that the asynchronous factory waits
                """
            }
            defer { withExtendedLifetime(wait) {} }
            await withCheckedContinuation { continuation in
                if !lifecycle.withLock({ $0.wait(for: activity.id, continuation) }) { continuation.resume() }
            }
        }
        if tryExclusively({}) { return }
        // A thread of the cooperative pool must not block.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                exclusively {}
                continuation.resume()
            }
        }
    }

    // MARK: Handlers

    /// Runs the handlers in reverse order of construction, one at a time.
    ///
    /// - Returns: The failures.
    private func runCloseHandlers(dueTo failure: (any Error)?, _ call: CloseCall) async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for closable in lifecycle.withLock({ $0.closables }).reversed() {
            for handler in closable.registration.closeHandlers.reversed() {
                let errors = await run(handler, for: closable, dueTo: failure, call)
                failures += errors.map {
                    CloseError.Failure(registration: closable.registration, error: $0, site: handler.site)
                }
            }
            lifecycle.withLock { $0.markHandled(closable.id) }
        }
        return failures
    }

    /// Runs a handler.
    ///
    /// - Returns: The errors of refused changes to this container, and the error that the handler threw.
    private func run(
        _ handler: CloseHandler, for closable: ClosableInstance, dueTo failure: (any Error)?, _ call: CloseCall
    ) async -> [any Error] {
        let registration = closable.registration
        let wait = LongWait {
            """
            \(call) has waited \($0) ms for the `onClose` handler of \(registration.id), written at \(handler.site).
              fix: limit the time that the handler waits
            """
        }
        defer { withExtendedLifetime(wait) {} }
        let step = AsyncStep(.closing(registration), in: self, at: call.site)
        do {
            try await step.run { try await handler.run(closable.product, failure) }
            return step.takeRefusedChanges()
        } catch { return step.takeRefusedChanges() + [error] }
    }

    // MARK: Instances

    /// Releases all instances that the container retains, in reverse order of construction. A `deinit` may still
    /// request an instance that was built earlier.
    private func releaseInstances() {
        if isObserved {
            for instance in ThreadRecord.reading({ cachedInstances }).reversed() {
                report(.released, instance.entry.registration)
            }
        }
        var instances = ThreadRecord.reading { cachedInstances }
        var closables = lifecycle.withLock { $0.takeClosables() }
        while !instances.isEmpty || !closables.isEmpty {
            if let closable = closables.last, closable.id > instances.last?.id ?? 0 {
                closables.removeLast()
            } else {
                removeFromCache(instances.removeLast())
            }
        }
    }

    private func removeFromCache(_ instance: consuming Instance) {
        let instance = instance
        var retired = DeferredRelease()
        exclusively {
            guard isCached(instance) else { return }
            let key = instance.entry.key
            let old = table.put(instance: nil, at: key.word, where: { key.isKey(of: $0) }, retiring: &retired)
            if let old { retired.add(old) }
        }
    }
}

extension CloseCall: CustomStringConvertible {
    /// The call and its source location, such as "`close()` at App/Server.swift:42".
    var description: String { "`\(function)` at \(site)" }
}
