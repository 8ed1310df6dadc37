/// Something that happened in a container, as its observers are told.
package struct ContainerOccurrence: Sendable {
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
    }

    package let kind: Kind
    /// What was registered, built or released; nil if it concerns the container as a whole.
    package let registration: Registration?
    /// What was being built, the outermost first.
    package let path: [Registration]
}

/// Hears of what happens in a container.
struct Observer: Sendable {
    let id = Serial.next()
    let call: @Sendable (ContainerOccurrence) -> Void

    /// One queue for all containers: it is held only to exchange a reference.
    static let queue = ReentrantSerialQueue()
}
