/// Describes something that happened in a container, for ``DIContainer/observe(_:)``.
public final class ContainerEvent: Sendable, CustomStringConvertible {
    /// What happened. Kinds may be added.
    public typealias Kind = KindOf<ContainerEvent>

    /// What happened.
    public let kind: Kind
    /// What was registered, built or released; nil if the event concerns the container as a whole.
    public let registration: Registration?
    /// What was registered before.
    public let replaced: Registration?
    /// What was being built on this thread or in this task, the outermost first. The last is the event's own
    /// registration, if that is being built.
    public let path: [Registration]
    /// How long the factory ran, with all that it asked for.
    public let duration: Duration?
    /// What the factory threw.
    public let error: (any Error)?

    fileprivate init(
        _ kind: Kind, _ registration: Registration?, replacing replaced: Registration?, _ path: [Registration],
        _ duration: Duration?, _ error: (any Error)?
    ) {
        (self.kind, self.registration, self.replaced, self.path) = (kind, registration, replaced, path)
        (self.duration, self.error) = (duration, error)
    }

    /// The event on one line.
    @_optimize(size) public var description: String {
        let names = ["registered", "replaced", "building", "built", "failed", "released", "reset", "made current"]
        var text = names[Int(kind.code)]
        if let registration { text += " " + ResolutionError.Step(registration: registration).description }
        if let replaced { text += " in the place of the one at " + replaced.site.description }
        return error.map { text + ": " + (($0 as? ResolutionError)?.text().problem ?? "\($0)") } ?? text
    }
}

extension KindOf where Subject == ContainerEvent {
    /// A type that had no registration was registered, or a type was decorated.
    @_alwaysEmitIntoClient public static var registered: Self { Self(code: 0) }
    /// A registration took the place of ``ContainerEvent/replaced``.
    @_alwaysEmitIntoClient public static var replaced: Self { Self(code: 1) }
    /// A factory is about to run.
    @_alwaysEmitIntoClient public static var building: Self { Self(code: 2) }
    /// A factory has returned, and the decorators too.
    @_alwaysEmitIntoClient public static var built: Self { Self(code: 3) }
    /// A factory has thrown, or a decorator.
    @_alwaysEmitIntoClient public static var failed: Self { Self(code: 4) }
    /// The container has let go of an instance; a ``Weak`` one may be gone already.
    @_alwaysEmitIntoClient public static var released: Self { Self(code: 5) }
    /// All instances were released, and by `reset()` the registrations, too.
    @_alwaysEmitIntoClient public static var reset: Self { Self(code: 6) }
    /// The container became the current one for a scope, or the default.
    @_alwaysEmitIntoClient public static var madeCurrent: Self { Self(code: 7) }
}

extension DependencyGraph {
    /// Adds what an observer saw factories ask for, if it is not declared.
    ///
    /// ```swift
    /// let events: [ContainerEvent] = []     // of an observer
    /// print(container.graph.adding(events))
    /// ```
    /// A need shows only when it is built: if what a factory asks for is built already, there is no event.
    @_alwaysEmitIntoClient public func adding(_ events: [ContainerEvent]) -> DependencyGraph {
        var needs = needs
        for event in events where event.kind == .building {
            for (user, need) in zip(event.path, event.path.dropFirst()) {
                guard let from = nodes.firstIndex(where: { $0.entry.subject === user }),
                    let target = nodes.firstIndex(where: { $0.entry.subject === need }),
                    !needs[from].contains(where: { $0.to == target })
                else { continue }
                needs[from].append(Edge(.observed, from: from, to: target, need.type, need.name, nil))
            }
        }
        return DependencyGraph(nodes, visibleCount: visibleCount, needs) { $0.tree() }
    }
}

/// Ends an observation that ``DIContainer/observe(_:)`` began.
public final class ContainerObservation: Sendable {
    private let core: ContainerCore
    fileprivate let id = Serial.next()

    fileprivate init(_ core: ContainerCore) { self.core = core }

    /// Ends the observation; the observer may still be told of a last event, if others are being told of it now.
    public func cancel() { core.changeObservers(id) }
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
        let observation = ContainerObservation(core)
        core.changeObservers(observation.id) { if let event = $0 as? ContainerEvent { observer(event) } }
        return observation
    }
}

extension ContainerCore {
    /// Whether anybody wants to hear of events.
    @inline(__always) var isObserved: Bool { observers.load() != nil }

    /// Puts an observer into the list, or takes the one with the number out.
    @inline(never) @_optimize(size) fileprivate func changeObservers(
        _ id: UInt, adding call: (@Sendable (AnyObject) -> Void)? = nil
    ) {
        Observer.queue.sync {
            let all = observers.load()?.object
            let new = if let call { Observer(call, id, all) } else { all?.without(id) }
            observers.replace(with: new)
        }
    }

    /// Tells the observers of an event, once this thread is inside no queue.
    @inline(never) @_optimize(size) private func report(
        _ kind: ContainerEvent.Kind, _ registration: Registration? = nil, replacing replaced: Registration? = nil,
        after duration: Duration? = nil, _ error: (any Error)? = nil
    ) {
        let thread = ThreadRecord.current
        if !isObserved || thread.isAside { return }
        var path = thread.path
        // An asynchronous build is not yet a step of the path, or no longer one.
        let isStep = kind == .building || kind == .built || kind == .failed
        if let registration, isStep, path.last !== registration { path.append(registration) }
        let event = ContainerEvent(kind, registration, replacing: replaced, path, duration, error)
        thread.whenFree { [self] in
            guard let observer = ThreadRecord.reading({ observers.load()?.object }) else { return }
            thread.runAside { AsyncStep.runOutside { observer.tell(event) } }
        }
    }

    // MARK: What is told

    @inline(never) func reportMadeCurrent() { report(.madeCurrent) }

    @inline(never) func reportRegistration(_ registration: Registration, in old: Entry?) {
        let known = registration.isDecorator ? nil : old?.registration
        let replaced = known?.isSame(as: registration) == true ? nil : known
        report(replaced == nil ? .registered : .replaced, registration, replacing: replaced)
    }

    /// Tells that a factory is about to run.
    @inline(never) func reportBuilding(_ entry: Entry) -> Stopwatch {
        report(.building, entry.subject)
        return Stopwatch()
    }

    @inline(never) func reportEnd(of entry: Entry, since beginning: Stopwatch?, _ failure: (any Error)? = nil) {
        guard let beginning else { return }
        report(failure == nil ? .built : .failed, entry.subject, after: beginning.elapsed, failure)
    }

    func reportRelease(_ instance: Instance?) { if let instance { report(.released, instance.entry.subject) } }

    @inline(never) func reportReset() {
        for instance in isObserved ? instances.elements : [] { reportRelease(instance) }
        report(.reset)
    }
}
