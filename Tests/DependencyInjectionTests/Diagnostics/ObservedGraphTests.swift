import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 19: observing a container while it builds a graph")
struct ObservedGraphTests {
    @Test("an observer resolves outside of the reported asynchronous graph")
    func outsideOfGraph() async throws {
        let container = DIContainer {
            Graph { _ in Vehicle() }
            Shared(async: { resolve in
                _ = resolve(Vehicle.self)
                _ = resolve(Car.self)
                return Diesel() as any Engine
            })
            New { resolve in
                _ = resolve(Vehicle.self)
                return Car(engine: Diesel())
            }
        }
        let vehicles = Locked<[Vehicle]>([])
        container.observe { [weak container] event in
            guard event.kind == .built, let container else { return }
            if let vehicle = try? container.resolve.orThrow(Vehicle.self) { vehicles.withLock { $0.append(vehicle) } }
        }
        _ = try await container.resolve.async((any Engine).self)
        let all = vehicles.withLock { $0 }
        #expect(all.count == 3 && Set(all.map(ObjectIdentifier.init)).count == 3)
    }

    @Test("an observer resolves outside of the reported graph and leaves it unchanged")
    func graphStays() throws {
        let container = DIContainer {
            Graph(Diesel(), as: (any Engine).self)
            New(autowiring: Car.init)
            New { resolve in [resolve(Diesel.self), resolve(Car.self).engine as! Diesel, resolve(Diesel.self)] }
        }
        let heard = Locked<[Diesel]>([])
        container.observe { [weak container] event in
            guard event.kind == .built, event.registration?.type == Car.self, let container else { return }
            let engine = container.resolve(Diesel.self)
            heard.withLock { $0.append(engine) }
        }
        let engines = try container.resolve.orThrow([Diesel].self)
        let others = heard.withLock { $0 }
        #expect(engines.allSatisfy { $0 === engines[0] })
        #expect(others.count == 1 && others.allSatisfy { $0 !== engines[0] })
    }

    @Test("adds each observed dependency to the graph once, even for repeated events")
    func addedTwice() throws {
        let container = DIContainer {
            New { _ in Diesel() as any Engine }
            New { resolve in Car(engine: resolve()) }
        }
        let log = EventLog(container)
        _ = try (container.resolve.orThrow(Car.self), container.resolve.orThrow(Car.self))
        let all = log.events
        let once = container.graph.adding(all)
        #expect(once.edges.count == 1)
        #expect(once.adding(all).edges.count == 1)
    }
}
