extension ContainerCore {
    // MARK: Observers

    /// Whether an observer receives an event for each change and each build.
    var isObserved: Bool { readGate.contains(.observedBuilds) }

    package func add(_ observer: EventObserver) { changeObservers { $0.append(observer) } }

    package func remove(_ observer: EventObserver) { changeObservers { all in all.removeAll { $0.id == observer.id } } }

    private func changeObservers(_ change: (inout [EventObserver]) -> Void) {
        observers.change(change) { all in
            let interests = all.reduce(into: EventObserver.Interests()) { $0.formUnion($1.interests) }
            set(.observedBuilds, to: interests.contains(.changesAndBuilds))
            set(.observedRequests, to: interests.contains(.requests))
        }
    }

    private func set(_ state: ReadGate.States, to isSet: Bool) {
        if isSet { readGate.insert(state) } else { readGate.remove(state) }
    }

    /// Replaces the observer of an enclosing test.
    package func setTestObserver(_ observer: EventObserver) {
        changeObservers { all in
            all.removeAll(where: \.isTest)
            all.append(observer)
        }
    }

    // MARK: Events

    /// Reports an event to the observers after this thread has left every queue.
    ///
    /// - Parameter isBuilding: Whether the registration itself is being built.
    func report(_ kind: ReportedEvent.Kind, _ registration: Registration? = nil, isBuilding: Bool = false) {
        if isObserved { report(kind, registration, isBuilding: isBuilding, to: .changesAndBuilds) }
    }

    private func report(
        _ kind: ReportedEvent.Kind, _ registration: Registration?, isBuilding: Bool = false,
        to interest: EventObserver.Interests, isReceiver: @escaping @Sendable (EventObserver) -> Bool = { _ in true }
    ) {
        let thread = ThreadRecord.current
        if thread.isOutsideFactories { return }
        var path = thread.path
        // When an asynchronous build begins or ends, it isn't a step of the path.
        if let registration, isBuilding, path.last !== registration { path.append(registration) }
        let event = ReportedEvent(kind: kind, registration: registration, path: path)
        thread.runOutsideQueues { [self] in
            send(event, to: observers.all.filter { $0.interests.contains(interest) && isReceiver($0) })
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
        let observed = ObservedRequest(
            dependency: DependencyID(request.type, request.key.name), site: request.site,
            registration: entry.registration,
            decorators: entry.decorators)
        let id = entry.id
        report(.requested(observed), entry.registration, to: .requests) { !$0.isInherited || id < $0.id }
    }

    /// Reports that a factory is about to run.
    ///
    /// - Returns: A stopwatch, or `nil` if no observer receives the end.
    func reportBeginning(of registration: Registration) -> Stopwatch? {
        guard isObserved else { return nil }
        report(.building, registration, isBuilding: true)
        return Stopwatch()
    }

    /// Reports the end of a factory.
    func reportEnd(of registration: Registration, since beginning: Stopwatch?, _ error: (any Error)? = nil) {
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
        for core in Array(selfAndParents) + thread.requests.reversed().compactMap(\.core) {
            for observer in core.observers.all
            where !observer.interests.isDisjoint(with: [.changesAndBuilds, .refusals]) {
                if !observers.contains(where: { $0.id == observer.id }) { observers.append(observer) }
            }
        }
        let event = ReportedEvent(kind: .refused(error, at: site), registration: nil, path: error.report.path)
        send(event, to: observers)
    }
}
