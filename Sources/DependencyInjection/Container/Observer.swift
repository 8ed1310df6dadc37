/// An observer of a container, and those who began before it. It does not know what an event is.
final class Observer: Sendable {
    let call: @Sendable (AnyObject) -> Void
    let id: UInt
    let next: Observer?

    init(_ call: @escaping @Sendable (AnyObject) -> Void, _ id: UInt, _ next: Observer?) {
        (self.call, self.id, self.next) = (call, id, next)
    }

    /// The same observers without one.
    @_optimize(size) func without(_ id: UInt) -> Observer? {
        self.id == id ? next : Observer(call, self.id, next?.without(id))
    }

    /// Tells all of an event, who began first before the others.
    func tell(_ event: AnyObject) {
        next?.tell(event)
        call(event)
    }

    /// One for all containers: it is only held to exchange a reference.
    static let queue = ReentrantSerialQueue()
}
