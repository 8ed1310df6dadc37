public import DependencyInjection

/// An event in a container, reported by ``DependencyInjection/DIContainer/observe(_:)``.
public struct ContainerEvent: Sendable, CustomStringConvertible {
    /// The kind of an event. A `switch` over kinds needs a `default`, because later versions may add cases.
    public enum Kind: Sendable {
        /// A type without a registration was registered, or a type was decorated.
        case registered
        /// A registration replaced an earlier one, which is ``ContainerEvent/replaced``.
        case replaced
        /// A factory is about to run.
        case building
        /// A factory and all decorators have returned.
        case built
        /// A factory or a decorator has thrown an error.
        case failed
        /// The container has released an instance. A ``/DependencyInjection/Weak`` instance may have been deallocated
        /// earlier.
        case released
        /// All instances were released. If the call was `reset()`, all registrations were also removed.
        case reset
        /// The container became the current one for a scope, or the default container.
        case madeCurrent
        /// The container was closed. If an `onClose` handler failed, ``ContainerEvent/error`` is the `CloseError`.
        case closed
        /// A plain request or a change failed, and the program is about to stop. ``ContainerEvent/error`` is the
        /// `ResolutionError`.
        case refused
    }

    /// The kind of the event.
    public let kind: Kind
    /// The registration that the event is about. `nil` if the event concerns the container as a whole.
    public let registration: Registration?
    /// The registration that was replaced.
    public private(set) var replaced: Registration?
    /// The registrations being built on this thread or in this task, outermost first. If the event's own registration
    /// is being built, it is the last one.
    public let path: [Registration]
    /// The time that the factory ran, including the builds of its dependencies.
    public private(set) var duration: Duration?
    /// The error of a factory, of an `onClose` handler or of a request.
    public private(set) var error: (any Error)?

    /// Creates an event from a reported one. Returns `nil` for a request, which only test containers report.
    init?(_ event: ReportedEvent) {
        registration = event.registration
        path = event.path
        switch event.kind {
        case .registered: kind = .registered
        case .replaced(let registration): (kind, replaced) = (.replaced, registration)
        case .building: kind = .building
        case .built(let duration): (kind, self.duration) = (.built, duration)
        case .failed(let duration, let error): (kind, self.duration, self.error) = (.failed, duration, error)
        case .released: kind = .released
        case .reset: kind = .reset
        case .madeCurrent: kind = .madeCurrent
        case .closed(let error): (kind, self.error) = (.closed, error)
        case .refused(let error, at: _): (kind, self.error) = (.refused, error)
        case .requested: return nil
        }
    }

    /// The event on one line.
    public var description: String {
        let failure = error as? ResolutionError
        var text = kind == .madeCurrent ? "made current" : "\(kind)"
        if let registration { text += " \(registration.textWithPlace(failure?.typeNames ?? TypeNameFormatter()))" }
        if let replaced { text += " in place of the registration at \(replaced.file):\(replaced.line)" }
        if let error { text += ": \(failure?.problem ?? String(describing: error))" }
        return text
    }
}

/// An observation started by ``DependencyInjection/DIContainer/observe(_:)``.
public final class ContainerObservation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(endedBy end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation. The observer may still receive events that other threads are reporting during this call.
    public func cancel() { end() }
}

extension DIContainer {
    /// Calls a closure for every event in this container, such as registering, building, releasing or becoming current.
    ///
    /// ```swift
    /// let observation = container.observe { event in print(event) }
    /// observation.cancel()
    /// ```
    /// The closure receives the events of this container only, and none of its parent, children or forks. Resolving a
    /// cached instance isn't an event.
    ///
    /// The closure runs on the thread that caused the event, after that thread has left all container queues. It runs
    /// as if no factory were running on the thread. So the closure blocks no other thread and may use any container.
    /// Events that the closure causes aren't reported. Several threads may call the closure concurrently. The container
    /// retains the closure until the observation is canceled, so capture the container weakly.
    ///
    /// An event of kind ``/DependencyInjectionDiagnostics/ContainerEvent/Kind/refused`` differs in two ways, because
    /// the program is about to stop. The observers of the parents, and of each container whose factory led to the
    /// request, also receive the event. They receive it immediately, even if the thread holds a queue.
    ///
    /// Can be called on any thread. While a container is observed, each request for a `New` registration costs as much
    /// as a first build.
    @discardableResult
    public func observe(_ observer: @escaping @Sendable (ContainerEvent) -> Void) -> ContainerObservation {
        let observer = EventObserver(.changesAndBuilds) { ContainerEvent($0).map(observer) }
        core.add(observer)
        return ContainerObservation { [core] in core.remove(observer) }
    }
}

extension DependencyGraph {
    /// Returns the graph with the undeclared dependencies that an observer recorded.
    ///
    /// ```swift
    /// let events: [ContainerEvent] = []     // of an observer
    /// print(container.graph.adding(events))
    /// ```
    /// A dependency is recorded only when it is built. Resolving a cached instance reports no event.
    public func adding(_ events: [ContainerEvent]) -> DependencyGraph {
        func node(of registration: Registration) -> Int? { nodes.firstIndex { $0.registration === registration } }
        var graph = self
        for event in events where event.kind == .building {
            for (user, dependency) in zip(event.path, event.path.dropFirst()) {
                guard let from = node(of: user), let target = node(of: dependency),
                    !graph.outgoingEdges[from].contains(where: { $0.to == target })
                else { continue }
                graph.outgoingEdges[from].append(
                    Edge(kind: .observed, from: from, to: target, dependency: nodes[target].id))
            }
        }
        return graph
    }
}
