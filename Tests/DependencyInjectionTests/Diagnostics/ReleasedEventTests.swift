import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Events about released instances")
struct ReleasedEventTests {
    @Test("After a parent's change, a child reports the release at its next request")
    func atNextRequest() throws {
        let parent = DIContainer {
            Scoped(Diesel())
            Scoped(Car(engine: Diesel()))
            New(Ticket(number: 1))
        }
        let child = parent.makeChild()
        _ = try (child.resolve.orThrow(Diesel.self), child.resolve.orThrow(Car.self))
        let log = EventLog(child)
        parent.register {
            Scoped(Diesel())
            Scoped(Car(engine: Diesel()))
        }
        _ = try child.resolve.orThrow(Ticket.self)
        #expect(log.events.map(\.kind) == [.building, .built])
        for type in [Diesel.self, Car.self] as [AnyObject.Type] {
            if type == Diesel.self { _ = child.resolve(Diesel.self) } else { _ = child.resolve(Car.self) }
            let events = log.events
            #expect(events.map(\.kind) == [.building, .built, .released])
            #expect(events.allSatisfy { $0.registration?.type == type })
        }
    }

    @Test("reports no path for a replacement, because no build is running")
    func noPath() throws {
        let container = DIContainer { Shared(Diesel()) }
        _ = try container.resolve.orThrow(Diesel.self)
        let log = EventLog(container)
        container.register(Shared(Diesel()))
        let events = log.events
        #expect(events.map(\.kind) == [.released, .replaced])
        #expect(events.allSatisfy { $0.path.isEmpty && $0.registration?.type == Diesel.self })
    }

    @Test("The instance of a decorated alias is released with its target, in one event")
    func decoratedAlias() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = try container.resolve.orThrow((any Engine).self) as? Diesel
        #expect(old != nil)
        let log = EventLog(container)
        container.register(Shared(Diesel()))
        #expect(old == nil)
        let released = log.events.filter { $0.kind == .released }
        #expect(released.compactMap { $0.registration.map { "\($0.type)" } } == ["Diesel"])
    }
}
