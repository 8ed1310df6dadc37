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
        /// A request that the registration of an entry is going to resolve.
        case requested(DependencyID, at: CallSite, by: Entry)
        case refused(ResolutionError, at: CallSite)
    }

    package let kind: Kind
    /// The registration that the event is about. `nil` if the event concerns the container as a whole.
    package let registration: Registration?
    /// The registrations whose factories were running, outermost first.
    package let path: [Registration]
}

/// A closure that receives the events of a container.
package final class EventObserver: Sendable {
    /// The events that an observer receives, in addition to errors that stop the program.
    package enum Interest: Sendable {
        /// All events except requests.
        case changesAndBuilds
        /// Requests that registrations before the observer resolve. Later ones belong to the test. While a container has
        /// such an observer, all requests take the slow path.
        case requests
        /// No other events.
        case onlyRefusals
    }

    let id = UniqueID.next()
    let interest: Interest
    /// Whether the observer belongs to a test. A container has at most one such observer, which its forks inherit.
    let isTest: Bool
    let receive: @Sendable (ReportedEvent) -> Void

    package init(
        _ interest: Interest, isTest: Bool = false, receive: @escaping @Sendable (ReportedEvent) -> Void
    ) {
        self.interest = interest
        self.isTest = isTest
        self.receive = receive
    }
}
