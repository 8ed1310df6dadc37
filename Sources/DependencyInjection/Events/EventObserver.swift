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
