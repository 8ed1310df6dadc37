import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

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
        let diary = Diary(child)
        parent.register {
            Scoped(Diesel())
            Shared(Car(engine: Diesel()))
        }
        _ = child.resolve(Ticket.self)
        #expect(diary.events.map(\.kind) == [.building, .built])
        for type in [Diesel.self, Car.self] as [AnyObject.Type] {
            if type == Diesel.self { _ = child.resolve(Diesel.self) } else { _ = child.resolve(Car.self) }
            let events = diary.events
            #expect(events.map(\.kind) == [.building, .built, .released])
            #expect(events.allSatisfy { $0.registration?.type == type })
        }
    }

    @Test("tells of no path where something is replaced, since nothing is being built")
    func noPath() {
        let container = DIContainer { Shared(Diesel()) }
        _ = container.resolve(Diesel.self)
        let diary = Diary(container)
        container.register(Shared(Diesel()))
        let events = diary.events
        #expect(events.map(\.kind) == [.released, .replaced])
        #expect(events.allSatisfy { $0.path.isEmpty && $0.registration?.type == Diesel.self })
    }

    @Test("tells also of what decorators of an alias made of what is replaced")
    func decoratedAlias() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = container.resolve((any Engine).self) as? Diesel
        #expect(old != nil)
        let diary = Diary(container)
        container.register(Shared(Diesel()))
        #expect(old != nil)
        _ = container.resolve((any Engine).self)
        #expect(old == nil)
        let released = diary.events.filter { $0.kind == .released }
        #expect(released.compactMap { $0.registration.map { "\($0.type)" } } == ["Diesel", "Engine"])
    }
}
