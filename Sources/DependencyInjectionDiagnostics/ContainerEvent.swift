public import DependencyInjection

/// Describes something that happened in a container, for ``DependencyInjection/DIContainer/observe(_:)``.
public struct ContainerEvent: Sendable, CustomStringConvertible {
    /// What happened. More kinds may come: a `switch` over them has a `default`.
    public enum Kind: Sendable {
        /// A type that had no registration was registered, or a type was decorated.
        case registered
        /// A registration took the place of ``ContainerEvent/replaced``.
        case replaced
        /// A factory is about to run.
        case building
        /// A factory has returned, and the decorators too.
        case built
        /// A factory has thrown, or a decorator.
        case failed
        /// The container has let go of an instance; a ``/DependencyInjection/Weak`` one may be gone already.
        case released
        /// All instances were released, and by `reset()` the registrations, too.
        case reset
        /// The container became the current one for a scope, or the default.
        case madeCurrent
        /// The container was closed; ``ContainerEvent/error`` is the `CloseError` if an `onClose` failed.
        case closed
        /// A plain request or a change failed, and the program is going to stop. ``ContainerEvent/error`` is the
        /// `ResolutionError`.
        case refused
    }

    /// What happened.
    public let kind: Kind
    /// What was registered, built or released; nil if the event concerns the container as a whole.
    public let registration: Registration?
    /// What was registered before.
    public private(set) var replaced: Registration?
    /// What was being built on this thread or in this task, the outermost first. The last is the event's own
    /// registration, if that is being built.
    public let path: [Registration]
    /// How long the factory ran, with all that it asked for.
    public private(set) var duration: Duration?
    /// The error of a factory, of closing or of a request.
    public private(set) var error: (any Error)?

    /// Creates an event; nil for a request, which only tests observe.
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
        if let registration { text += " \(registration.step(failure?.namesakes ?? Namesakes()))" }
        if let replaced { text += " in the place of the one at \(replaced.file):\(replaced.line)" }
        if let error { text += ": \(failure?.problem ?? String(describing: error))" }
        return text
    }
}

/// Ends an observation that ``DependencyInjection/DIContainer/observe(_:)`` began.
public final class ContainerObservation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(endedBy end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation; the observer may still be told of a last event, if others are being told of it now.
    public func cancel() { end() }
}

extension DIContainer {
    /// Calls a closure for all that happens in this container: registering, building, releasing, becoming current.
    ///
    /// ```swift
    /// let observation = container.observe { event in print(event) }
    /// observation.cancel()
    /// ```
    /// The closure hears of this container alone, and not of its parent, children and forks. Reading what is built is
    /// no event. The closure runs on the thread on which the event came about, once that thread is on no container's
    /// queue, as if outside of every factory. So it delays nobody else and may use any container, but nobody hears of
    /// the events that it causes. It may be called on several threads at once. The container keeps the closure until
    /// the observation is cancelled, so let it capture the container weakly.
    ///
    /// May be called on any thread. As long as a container is observed, each `New` takes the time of a first build.
    @discardableResult
    public func observe(_ observer: @escaping @Sendable (ContainerEvent) -> Void) -> ContainerObservation {
        let end = add(EventObserver(.changesAndBuilds) { ContainerEvent($0).map(observer) })
        return ContainerObservation(endedBy: end)
    }
}

extension DependencyGraph {
    /// Adds what an observer saw factories ask for, if it is not declared.
    ///
    /// ```swift
    /// let events: [ContainerEvent] = []     // of an observer
    /// print(container.graph.adding(events))
    /// ```
    /// A need shows only when it is built: if what a factory asks for is built already, there is no event.
    public func adding(_ events: [ContainerEvent]) -> DependencyGraph {
        func node(of registration: Registration) -> Int? { nodes.firstIndex { $0.registration === registration } }
        var graph = self
        for event in events where event.kind == .building {
            for (user, need) in zip(event.path, event.path.dropFirst()) {
                guard let from = node(of: user), let target = node(of: need),
                    !graph.needs[from].contains(where: { $0.to == target })
                else { continue }
                graph.needs[from].append(Edge(kind: .observed, from: from, to: target, label: nodes[target].label))
            }
        }
        return graph
    }
}
