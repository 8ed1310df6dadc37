// What observers are told.

extension ContainerCore {
    /// Whether anybody wants to hear what happens.
    var isObserved: Bool { observers.load() != nil }

    func changeObservers(_ change: (Observers?) -> Observers?) {
        Observers.queue.sync { observers.replace(with: change(observers.load()?.object)) }
    }

    /// Tells the observers what happened, once this thread is inside no queue.
    private func report(_ kind: ContainerOccurrence.Kind, _ registration: Registration? = nil) {
        guard isObserved else { return }
        let thread = ThreadRecord.current
        if thread.isOutsideFactories { return }
        var path = thread.path
        // An asynchronous build is not yet a step of the path, or no longer one.
        if let registration, kind.isStep, path.last !== registration { path.append(registration) }
        let occurrence = ContainerOccurrence(kind: kind, registration: registration, path: path)
        thread.runOutsideQueues { [self] in
            guard let observers = ThreadRecord.reading({ observers.load()?.object }) else { return }
            thread.runOutsideFactories { AsyncStep.runOutside { observers.tell(occurrence) } }
        }
    }

    // MARK: What is told

    func reportMadeCurrent() { report(.madeCurrent) }

    func reportClosed(_ error: (any Error)?) { report(.closed(error)) }

    func reportRegistration(_ registration: Registration, in old: Entry?) {
        if let old, !registration.isDecorator, !old.isDecoratorOnly, !old.registration.isSame(as: registration) {
            report(.replaced(old.registration), registration)
        } else {
            report(.registered, registration)
        }
    }

    /// Tells that a factory is about to run.
    func reportBeginning(of entry: Entry) -> Stopwatch {
        report(.building, entry.registration)
        return Stopwatch()
    }

    func reportSuccess(of entry: Entry, since beginning: Stopwatch) {
        report(.built(after: beginning.elapsed), entry.registration)
    }

    func reportFailure(of entry: Entry, since beginning: Stopwatch, _ error: any Error) {
        report(.failed(after: beginning.elapsed, error), entry.registration)
    }

    func reportRelease(_ instance: Instance) { report(.released, instance.entry.registration) }

    func reportReset() {
        for instance in isObserved ? keptInstances : [] { reportRelease(instance) }
        report(.reset)
    }
}

extension ContainerOccurrence.Kind {
    /// Whether the registration itself is being built.
    fileprivate var isStep: Bool {
        switch self {
        case .building, .built, .failed: true
        case .registered, .replaced, .released, .reset, .madeCurrent, .closed: false
        }
    }
}
