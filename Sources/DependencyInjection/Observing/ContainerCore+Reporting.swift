// What observers are told.

extension ContainerCore {
    /// Whether anybody wants to hear what happens.
    var isObserved: Bool { observers.load() != nil }

    func changeObservers(_ change: (inout [Observer]) -> Void) {
        Observer.queue.sync {
            var all = observers.load()?.object.value ?? []
            change(&all)
            observers.replace(with: all.isEmpty ? nil : Box(all))
        }
    }

    /// Tells the observers what happened, once this thread is inside no queue.
    ///
    /// - Parameter isStep: Whether the registration itself is being built.
    func report(_ kind: ContainerOccurrence.Kind, _ registration: Registration? = nil, isStep: Bool = false) {
        guard isObserved else { return }
        let thread = ThreadRecord.current
        if thread.isOutsideFactories { return }
        var path = thread.path
        // An asynchronous build is not yet a step of the path, or no longer one.
        if let registration, isStep, path.last !== registration { path.append(registration) }
        let occurrence = ContainerOccurrence(kind: kind, registration: registration, path: path)
        thread.runOutsideQueues { [self] in
            guard let observers = ThreadRecord.reading({ observers.load()?.object }) else { return }
            thread.runOutsideFactories {
                AsyncStep.runOutside { for observer in observers.value { observer.call(occurrence) } }
            }
        }
    }

    /// Tells that a factory is about to run; nil if nobody wants to hear how that ends.
    func reportBeginning(of registration: Registration) -> Stopwatch? {
        guard isObserved else { return nil }
        report(.building, registration, isStep: true)
        return Stopwatch()
    }

    /// Tells how it ended.
    func reportEnd(of registration: Registration, since beginning: Stopwatch?, _ error: (any Error)? = nil) {
        guard let elapsed = beginning?.elapsed else { return }
        report(error.map { .failed(after: elapsed, $0) } ?? .built(after: elapsed), registration, isStep: true)
    }
}
