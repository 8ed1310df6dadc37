internal import Dispatch

extension ContainerCore {
    // MARK: Observers

    /// Whether an observer receives an event for each change and each build.
    var isObserved: Bool { readGate.contains(.observedBuilds) }

    /// Adds an observer. The observer of a test replaces that of an enclosing test.
    package func add(_ observer: EventObserver) {
        changeObservers { all in
            if observer.isTest { all.removeAll { $0.isTest } }
            all.append(observer)
        }
    }

    package func remove(_ observer: EventObserver) { changeObservers { $0.removeAll { $0 === observer } } }

    private func changeObservers(_ change: (inout [EventObserver]) -> Void) {
        // The old list is released outside the lock.
        _ = observers.withLock { all in
            let old = all
            change(&all)
            readGate.set(.observedBuilds, to: all.contains { $0.interest == .changesAndBuilds })
            readGate.set(.observedRequests, to: all.contains { $0.interest == .requests })
            return old
        }
    }

    // MARK: Events

    /// Reports an event to the observers after this thread has left every queue.
    ///
    /// - Parameters:
    ///   - isBuilding: Whether the registration itself is being built.
    ///   - entry: The entry that resolves the request. `nil` if the event isn't a request.
    func report(
        _ kind: ReportedEvent.Kind, _ registration: Registration? = nil, isBuilding: Bool = false,
        resolvedBy entry: Entry? = nil
    ) {
        if entry == nil, !isObserved { return }
        let thread = ThreadRecord.current
        if thread.isOutsideFactories { return }
        var path = thread.path
        // When an asynchronous build begins or ends, it isn't a step of the path.
        if let registration, isBuilding, path.last !== registration { path.append(registration) }
        let event = ReportedEvent(kind: kind, registration: registration, path: path)
        thread.runOutsideQueues { [self] in
            let receivers = observers.withLock { $0 }.filter { observer in
                guard let entry else { return observer.interest == .changesAndBuilds }
                return observer.interest == .requests && entry.id < observer.id
            }
            send(event, to: receivers)
        }
    }

    private func send(_ event: ReportedEvent, to observers: [EventObserver]) {
        ThreadRecord.current.runOutsideFactories {
            AsyncStep.runOutside { for observer in observers { observer.receive(event) } }
        }
    }

    /// Reports a request that an entry of this container is going to resolve.
    func reportRequest(_ request: Request, resolvedBy entry: Entry) {
        guard readGate.contains(.observedRequests) else { return }
        let dependency = DependencyID(request.type, request.key.name)
        report(.requested(dependency, at: request.site, by: entry), entry.registration, resolvedBy: entry)
    }

    /// Reports that a factory is about to run.
    func reportBeginning(of registration: Registration) -> DispatchTime {
        report(.building, registration, isBuilding: true)
        return .now()
    }

    /// Reports the end of a factory, if an observer received its beginning.
    func reportEnd(of registration: Registration, since beginning: DispatchTime?, _ error: (any Error)? = nil) {
        guard let elapsed = beginning?.elapsed else { return }
        report(error.map { .failed(after: elapsed, $0) } ?? .built(after: elapsed), registration, isBuilding: true)
    }

    // MARK: Errors that stop the program

    /// Stops the program with the text of an error, after reporting the error to the observers.
    ///
    /// - Parameter site: The request or the change that failed.
    func stopProgram(_ error: ResolutionError, at site: CallSite) -> Never {
        reportRefusal(error, at: site)
        fatalError(error.description, file: site.file, line: site.line)
    }

    /// Reports an error to the observers of this container, of its parents, and of each container whose factory led to
    /// the request. They receive it immediately and on this thread.
    package func reportRefusal(_ error: ResolutionError, at site: CallSite) {
        let thread = ThreadRecord.current
        if thread.isOutsideFactories { return }
        var observers: [EventObserver] = []
        for core in selfAndParents + thread.requests.reversed().compactMap(\.core) {
            for observer in core.observers.withLock({ $0 }) {
                if !observers.contains(where: { $0 === observer }) { observers.append(observer) }
            }
        }
        let event = ReportedEvent(kind: .refused(error, at: site), registration: nil, path: error.report.path)
        send(event, to: observers)
    }
}
