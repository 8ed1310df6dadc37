// The requests, builds and changes that the lifecycle of a container permits.

extension ContainerCore {
    /// Whether the container is closing or closed.
    var isClosingOrClosed: Bool { readGate.contains(.closing) }

    /// Whether this task or this thread takes part in a build that the container has admitted and caches.
    ///
    /// - Parameter isOnQueue: Whether the thread held the queue before.
    func isBuilding(isOnQueue: Bool) -> Bool {
        isOnQueue || AsyncStep.all.contains { $0.isBuilding(for: self) }
    }

    /// Throws if this container is closing or closed, unless the request is a part of a build that began before.
    func checkOpen(_ request: Request) throws(ResolutionError) {
        if isClosingOrClosed { _ = try admitBuild(isOnQueue: isHeldByCurrentThread, request) }
    }

    /// Throws if this container or a parent is closing or closed.
    func checkSelfAndParentsOpen(_ request: Request) throws(ResolutionError) {
        var next: ContainerCore? = self
        while let core = next {
            try core.checkOpen(request)
            next = core.parent
        }
    }

    /// Throws if a build must not begin.
    ///
    /// - Parameter isOnQueue: Whether the thread held the queue before.
    /// - Returns: Whether the container caches the instance.
    func admitBuild(isOnQueue: Bool, _ request: Request) throws(ResolutionError) -> Bool {
        // An open container closes after it has waited for the queue.
        if !readGate.contains([.closing, .released]) { return true }
        switch lifecycle.withLock({ $0.admission(isBuilding: isBuilding(isOnQueue: isOnQueue)) }) {
        case .cached: return true
        case .uncached: return false
        case .refused(let refusal): throw ResolutionError(request, refusedBy: refusal, in: self)
        }
    }

    /// Records an instance that a factory has returned, without decorators, for the `onClose` handlers.
    ///
    /// - Returns: The ID of the recorded instance.
    func recordClosable(_ product: any AnyBox, of entry: Entry) -> UInt {
        // Holding the lock, so that the list has the order of the IDs.
        lifecycle.withLock { lifecycle in
            let closable = Instance(product, of: entry, builtBy: self, isCached: false)
            lifecycle.record(closable)
            return closable.id
        }
    }

    /// Reports instances whose `onClose` handlers will never run, because no code retains the container any more.
    /// Does nothing in release builds.
    func reportUnclosedInstances() {
        #if DEBUG
            guard forkID == nil, !isClosingOrClosed else { return }
            let closables = lifecycle.withLock { $0.closables }
            if closables.isEmpty { return }
            printToStandardError(
                """
                A container was released without being closed. `onClose` handlers did not run for:\
                \(closables.map(\.entry.registration).lines())
                  fix: call `try await container.close()`
                   or: use `withChild { … } operation: { … }`
                """)
        #endif
    }
}

extension ResolutionError {
    /// Creates the error of a request that the lifecycle of a container refuses.
    init(_ request: Request, refusedBy refusal: Lifecycle.Refusal, in core: ContainerCore) {
        switch refusal {
        case .sealed(let site): self.init(request, Cause.sealed(at: site), in: nil)
        case .closed(let call, let isOver): self.init(request, Cause.closed(by: call, isOver: isOver), in: core)
        }
    }
}
