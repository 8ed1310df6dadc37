internal import Dispatch
internal import Synchronization

/// An event in a container, in the form that observers receive.
package struct ReportedEvent: Sendable {
    package enum Kind: Sendable {
        case registered
        case replaced(Registration)
        case building
        case built(after: Duration)
        case failed(after: Duration, any Error)
        case released
        case reset
        case madeCurrent
        case closed((any Error)?)
        case requested(ObservedRequest)
        case refused(ResolutionError, at: CallSite)
    }

    package let kind: Kind
    /// The registration that the event is about. `nil` if the event concerns the container as a whole.
    package let registration: Registration?
    /// The registrations whose factories were running, outermost first.
    package let path: [Registration]
}

/// A request that a registration is going to resolve.
package struct ObservedRequest: Sendable {
    /// The requested type and name.
    package let dependency: DependencyID
    package let site: CallSite
    package let registration: Registration
    package let decorators: [Registration]
}

/// A closure that receives the events of a container.
package struct EventObserver: Sendable {
    /// The events that an observer receives.
    package struct Interests: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// All events except requests.
        package static let changesAndBuilds = Interests(rawValue: 1)
        /// Requests. While a container has such an observer, all requests take the slow path.
        package static let requests = Interests(rawValue: 2)
        /// Errors that stop the program.
        package static let refusals = Interests(rawValue: 4)
    }

    let id = UniqueID.next()
    let interests: Interests
    /// Whether forks of the container inherit the observer. It then receives no requests that later registrations
    /// resolve.
    let isInherited: Bool
    /// Whether the observer belongs to a test.
    let isTest: Bool
    let receive: @Sendable (ReportedEvent) -> Void

    package init(
        _ interests: Interests, isInherited: Bool = false, isTest: Bool = false,
        receive: @escaping @Sendable (ReportedEvent) -> Void
    ) {
        self.interests = interests
        self.isInherited = isInherited
        self.isTest = isTest
        self.receive = receive
    }
}

// MARK: Observers

/// The observers of a container, in the order in which they were added. Reading the list takes no lock.
struct ObserverList: ~Copyable, Sendable {
    /// The boxed list. `nil` if there are no observers.
    private let observers = AtomicReference<Box<[EventObserver]>>()

    /// One queue for all containers. A thread holds it only to exchange a reference.
    private static let queue = ReentrantSerialQueue()

    var all: [EventObserver] { ThreadRecord.reading { observers.load()?.object }?.value ?? [] }

    /// Changes the list, then calls a function with the new list.
    ///
    /// - Parameter then: Runs before any other change.
    func change(_ change: (inout [EventObserver]) -> Void, then: ([EventObserver]) -> Void) {
        Self.queue.sync {
            var all = all
            change(&all)
            observers.replace(with: all.isEmpty ? nil : Box(all))
            then(all)
        }
    }
}

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

/// A build on the queue of a container, for the reports about waiting threads.
final class BuildInProgress: Sendable {
    /// The build that requested this one.
    let outer: BuildInProgress?
    private let thread: String
    private let path: [Registration]
    private let beginning = Stopwatch()

    init(_ path: [Registration], on thread: ThreadRecord, outer: BuildInProgress?) {
        self.outer = outer
        self.thread = thread.name
        self.path = path
    }

    var text: String {
        "thread \(thread) has been building for \(Int(beginning.elapsed / .milliseconds(1))) ms:\(path.lines(TypeNameFormatter(disambiguating: path.suffix(1).map(\.type))))"
    }
}

extension ContainerCore {
    /// Records a build on the queue, for the deadlock warnings of other threads. Returns `nil` if these are disabled.
    func pushBuild(of registration: Registration) -> BuildInProgress? {
        if LongWait.delay.load(ordering: .relaxed) == 0 { return nil }
        let thread = ThreadRecord.current
        let build = BuildInProgress(
            thread.path + [registration], on: thread, outer: currentBuild.load()?.object)
        currentBuild.replace(with: build)
        return build
    }

    /// Removes the record of a build, and restores the record of the outer one.
    func popBuild(_ build: BuildInProgress?) {
        if let build { currentBuild.replace(with: build.outer) }
    }

    /// Begins a wait for the queue. It ends when the result is released.
    func beginWait() -> LongWait? {
        let thread = ThreadRecord.current.name
        return LongWait { [self] milliseconds in
            let build = ThreadRecord.reading { currentBuild.load()?.object }
            return """
                Thread \(thread) has waited \(milliseconds) ms for a container\(build.map { ", in which \($0.text)" } ?? ".")
                  fix: resolve before the factory waits for another thread
                   or: register the factory with `async:`
                """
        }
    }
}

/// A stopwatch that occupies one word, unlike an instant of the standard library's clocks.
struct Stopwatch: Sendable {
    private let beginning = DispatchTime.now().uptimeNanoseconds

    var elapsed: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - beginning)) }
}
