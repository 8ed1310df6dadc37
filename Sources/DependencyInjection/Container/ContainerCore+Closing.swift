// Closing a container: refusing requests, waiting for builds, and closing what these have opened.

internal import Dispatch
internal import Synchronization

extension ContainerCore {
    // MARK: What may still be asked

    /// Whether the container is closed, or is being closed.
    var isClosing: Bool { closing.load() != nil }

    /// Whether this task or, if it is on the queue, this thread builds something that this container keeps.
    func isBuilding(isOnQueue: Bool) -> Bool { isOnQueue || AsyncStep.all.contains { $0.isBuilding(for: self) } }

    /// Throws if this container is closed, unless what asks is a build that began before.
    func checkOpen(_ request: borrowing Request) throws(ResolutionError) {
        try checkOpen(request, upTo: Borrowed(self))
    }

    /// Throws if this container is closed, or a parent up to the last one; nil for all of them.
    func checkOpen(_ request: borrowing Request, upTo last: Borrowed<ContainerCore>?) throws(ResolutionError) {
        let closed = nearest(upTo: last) { core in
            core.with { $0.isClosing && !$0.isBuilding(isOnQueue: $0.isHeldByCurrentThread) ? $0 : nil }
        }
        if let closed { throw ResolutionError(request, closed.closedCause, in: closed) }
    }

    /// Throws if this container is closed and this is not part of a build that began before. Runs on the queue, before
    /// something is built that is kept.
    ///
    /// - Parameter isNested: Whether the thread was on the queue before.
    func checkMayKeep(_ request: borrowing Request, isNested: Bool) throws(ResolutionError) {
        if isClosing, isDrained || !isBuilding(isOnQueue: isNested) {
            throw ResolutionError(request, closedCause, in: self)
        }
    }

    /// Why this container, which is closed, refuses requests.
    var closedCause: ResolutionError.Cause {
        guard let closing = closing.load() else { preconditionFailure("An open container answers.") }
        return closing.with { .closed(at: $0.site, isOver: $0.isOver) }
    }

    // MARK: What has to be closed

    /// Adds what a factory has made to what has to be closed, if its registration says how. A container that nobody holds closes
    /// nothing.
    func noteOpened(_ product: any AnyBox, by registration: Registration) {
        if registration.closers.isEmpty { return }
        exclusively {
            if isAbandoned { return }
            opened.append(Opened(product: product, registration: registration, serial: Serial.next()))
        }
    }

    /// Says what is not closed, because nobody holds the container any more.
    func complainOfOpened() {
        let isReported = _isDebugAssertConfiguration() && !isCopy
        if !isReported || isClosing || opened.isEmpty { return }
        let lines = opened.map(\.registration).lines()
        StandardError.print(
            """
            A container went without being closed, and so did what it had opened:\(lines)
              fix: call `try await container.close()`, or use `withChild { … } operation: { … }`.
            """)
    }

    // MARK: Closing

    /// Closes the container, or waits until whoever closes it is done.
    @concurrent func close(after failure: (any Error)?, at site: CallSite) async throws {
        // It would wait for itself.
        if AsyncStep.all.contains(where: { $0.core === self }) { throw CloseError([], at: site) }
        let closing = Closing(at: site)
        guard self.closing.setIfEmpty(closing) else {
            try await self.closing.load()?.object.wait()
            return
        }
        var failures: [CloseError.Failure] = []
        if !isAtRest() {
            let task = Self.uncancelledTask { [self] in
                await waitForBuilds(toCloseAt: site)
                return await closeOpened(after: failure, at: site)
            }
            failures = await task.value
        }
        exclusively {
            for instance in isObserved ? keptInstances.reversed() : [] {
                report(.released, instance.entry.registration)
            }
            var retired = Retirement()
            for object in takeAll() { retired.add(object) }
        }
        let error = failures.isEmpty ? nil : CloseError(failures, at: site)
        report(.closed(error))
        closing.end(error.map { .failure($0) } ?? .success(()))
        if let error { throw error }
    }

    /// Whether nothing is being built, and nothing has to be closed. As closing has begun, nothing can be built any more then.
    private func isAtRest() -> Bool {
        if hasAsyncBuilds.load(ordering: .sequentiallyConsistent) { return false }
        var isAtRest = false
        _ = tryExclusively { isAtRest = opened.isEmpty }
        return isAtRest
    }

    /// Makes a task that nobody else knows, and so nobody cancels. Where the system can, it begins on this thread, so that work which
    /// waits for nothing needs no other (SE-0472). The caller is on no actor.
    private static func uncancelledTask<Result: Sendable>(
        _ work: @escaping @concurrent @Sendable () async -> Result
    ) -> Task<Result, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
        return Task(operation: work)
    }

    /// Waits for the builds under way, and lets none begin any more.
    private func waitForBuilds(toCloseAt site: CallSite) async {
        await waitForAsyncBuilds(toCloseAt: site)
        if tryExclusively({ isDrained = true }) { return }
        // A thread that waits for the queue must not be one of those that run tasks.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                exclusively { isDrained = true }
                continuation.resume()
            }
        }
    }

    /// Closes what was opened, the last first and one after the other, and returns what failed. It is kept until the end.
    func closeOpened(after failure: (any Error)?, at site: CallSite) async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for opened in exclusively({ opened }).reversed() {
            for closer in opened.registration.closers.reversed() {
                do { try await run(closer, about: opened, after: failure, at: site) } catch {
                    failures.append(.init(registration: opened.registration, error: error, site: closer.site))
                }
            }
        }
        return failures
    }

    private func run(
        _ closer: Closer, about opened: Opened, after failure: (any Error)?, at site: CallSite
    ) async throws {
        let registration = opened.registration
        let wait = LongWait {
            """
            `close()` at \(site) has waited \($0) ms for the `onClose` of \(registration.label), written at \(closer.site).
              fix: let no `onClose` wait without end; give what it awaits a timeout.
            """
        }
        defer { withExtendedLifetime(wait) {} }
        try await AsyncStep(.closing(registration), in: self, at: site).run {
            try await closer.run(opened.product, failure)
        }
    }
}
