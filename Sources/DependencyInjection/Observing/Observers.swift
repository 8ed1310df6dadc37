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

/// The observers of a container, those that began first before the others. It never changes.
final class Observers: Sendable {
    typealias Call = @Sendable (ContainerOccurrence) -> Void

    private struct Observer {
        let id: UInt
        let call: Call
    }

    private let all: [Observer]

    private init(_ all: [Observer]) { self.all = all }

    /// No observers.
    convenience init() { self.init([]) }

    /// One queue for all containers: it is held only to exchange a reference.
    static let queue = ReentrantSerialQueue()

    func adding(_ call: @escaping Call, _ id: UInt) -> Observers { Observers(all + [Observer(id: id, call: call)]) }

    /// The same observers without one of them; nil if none is left.
    func removing(_ id: UInt) -> Observers? {
        let rest = all.filter { $0.id != id }
        return rest.isEmpty ? nil : Observers(rest)
    }

    func tell(_ occurrence: ContainerOccurrence) {
        for observer in all { observer.call(occurrence) }
    }
}
