import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

/// Gathers the events of a container.
private func events(of container: DIContainer) -> Locked<[ContainerEvent]> {
    let events = Locked<[ContainerEvent]>([])
    container.observe { event in events.withLock { $0.append(event) } }
    return events
}

@Suite("Observing what a container lets go of")
struct ReleasedEventTests {
    @Test(
        "tells at a child's next request for a type what it put another in the place of, for a parent's change")
    func atNextRequest() {
        let parent = DIContainer {
            Scoped(Diesel())
            Shared(Car(engine: Diesel()))
            New(Ticket(number: 1))
        }
        let child = parent.makeChild { Decorate(Car.self) { base, _ in Car(engine: base.engine) } }
        _ = (child.resolve(Diesel.self), child.resolve(Car.self))
        let events = events(of: child)
        parent.register {
            Scoped(Diesel())
            Shared(Car(engine: Diesel()))
        }
        _ = child.resolve(Ticket.self)
        #expect(events.withLock { $0.map(\.kind) } == [.building, .built])
        for type in [Diesel.self, Car.self] as [AnyObject.Type] {
            events.withLock { $0 = [] }
            if type == Diesel.self { _ = child.resolve(Diesel.self) } else { _ = child.resolve(Car.self) }
            #expect(events.withLock { $0.map(\.kind) } == [.building, .built, .released])
            #expect(events.withLock { $0.allSatisfy { $0.registration?.type == type } })
        }
    }

    @Test("tells of no path where something is replaced, since nothing is being built")
    func noPath() {
        let container = DIContainer { Shared(Diesel()) }
        _ = container.resolve(Diesel.self)
        let events = events(of: container)
        container.register(Shared(Diesel()))
        #expect(events.withLock { $0.map(\.kind) } == [.released, .replaced])
        #expect(events.withLock { $0.allSatisfy { $0.path.isEmpty && $0.registration?.type == Diesel.self } })
    }

    @Test("tells also of what decorators of an alias made of what is replaced")
    func decoratedAlias() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = container.resolve((any Engine).self) as? Diesel
        #expect(old != nil)
        let events = events(of: container)
        container.register(Shared(Diesel()))
        #expect(old != nil)
        _ = container.resolve((any Engine).self)
        #expect(old == nil)
        let released = events.withLock { $0.filter { $0.kind == .released } }
        #expect(released.compactMap { $0.registration.map { "\($0.type)" } } == ["Diesel", "Engine"])
    }
}
