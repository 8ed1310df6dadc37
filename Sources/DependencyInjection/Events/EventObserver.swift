/// An event in a container, in the form that observers receive.
package final class ReportedEvent: Sendable {
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

    init(_ kind: Kind, _ registration: Registration?, path: [Registration]) {
        self.kind = kind
        self.registration = registration
        self.path = path
    }
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
package final class EventObserver: Sendable {
    /// The events that an observer receives, in addition to errors that stop the program.
    package enum Interest: Sendable {
        /// All events except requests.
        case changesAndBuilds
        /// Requests. While a container has such an observer, all requests take the slow path.
        case requests
        /// No other events.
        case onlyRefusals
    }

    let id = UniqueID.next()
    let interest: Interest
    /// Whether forks of the container inherit the observer. It then receives no requests that later registrations
    /// resolve.
    let isInherited: Bool
    /// Whether the observer belongs to a test.
    let isTest: Bool
    let receive: @Sendable (ReportedEvent) -> Void

    package init(
        _ interest: Interest, isInherited: Bool = false, isTest: Bool = false,
        receive: @escaping @Sendable (ReportedEvent) -> Void
    ) {
        self.interest = interest
        self.isInherited = isInherited
        self.isTest = isTest
        self.receive = receive
    }
}
