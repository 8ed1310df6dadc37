import DependencyInjection

/// A parent, and a child that has made instances of everything that the parent has.
struct Family {
    let parent: DIContainer
    let child: DIContainer

    init() {
        parent = DIContainer {
            Shared(Diesel(kind: "old"), as: (any Engine).self)
            Scoped(Ticket(number: 1))
            Shared("old")
        }
        child = parent.makeChild {
            Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
            Decorate(String.self) { base, _ in "decorated \(base)" }
        }
        _ = (child.resolve((any Engine).self), child.resolve(Ticket.self), child.resolve(String.self))
        _ = (parent.resolve((any Engine).self), parent.resolve(Ticket.self), parent.resolve(String.self))
    }
}
