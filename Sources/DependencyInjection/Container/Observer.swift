/// An observer of a container, linked to those that began before it. It does not know what an event is.
final class Observer: Sendable {
    let call: @Sendable (AnyObject) -> Void
    let id: UInt
    let next: Observer?

    init(_ call: @escaping @Sendable (AnyObject) -> Void, _ id: UInt, _ next: Observer?) {
        (self.call, self.id, self.next) = (call, id, next)
    }

    /// Returns the same observers without one of them.
    @_optimize(size) func without(_ id: UInt) -> Observer? {
        self.id == id ? next : Observer(call, self.id, next?.without(id))
    }

    /// Tells all observers of an event, those that began first before the others.
    func tell(_ event: AnyObject) {
        next?.tell(event)
        call(event)
    }

    /// One queue for all containers: it is held only to exchange a reference.
    static let queue = ReentrantSerialQueue()
}
