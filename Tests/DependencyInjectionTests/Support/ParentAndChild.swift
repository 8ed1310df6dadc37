import DependencyInjection

/// A parent and a child. The child has resolved the registrations of both.
struct ParentAndChild {
    let parent: DIContainer
    let child: DIContainer

    init() {
        parent = DIContainer {
            Shared(Diesel(kind: "old"), as: (any Engine).self)
            Scoped(Ticket(number: 1))
            Shared("old")
        }
        child = parent.makeChild {
            Shared(1.5)
            Decorate(Double.self) { base, _ in base * 2 }
        }
        _ = (child.resolve((any Engine).self), child.resolve(Ticket.self), child.resolve(String.self))
        _ = (parent.resolve((any Engine).self), parent.resolve(Ticket.self), parent.resolve(String.self))
        _ = child.resolve(Double.self)
    }
}
