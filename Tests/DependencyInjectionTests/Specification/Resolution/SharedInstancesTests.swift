import DependencyInjection
import Testing

@Suite("Rule 7: A shared instance is built once", .serialized, .mayHang, .ownThread)
struct SharedTests {
    @Test("A Shared is built lazily and once, a New at every request")
    func lifetimes() throws {
        let built = Counter()
        let container = DIContainer {
            Shared { _ in built.counting(Diesel()) }
            New { _ in built.counting(Car(engine: Diesel())) }
        }
        #expect(built.count == 0)
        #expect(try isSame(container.resolve.orThrow(Diesel.self), container.resolve.orThrow(Diesel.self)))
        #expect(built.count == 1)
        #expect(try !isSame(container.resolve.orThrow(Car.self), container.resolve.orThrow(Car.self)))
        #expect(built.count == 3)
    }

    @Test("Autowiring resolves each parameter by its type, Optionals and providers included")
    func autowiring() throws {
        let container = DIContainer {
            New { _, kind in Diesel(kind: kind) as any Engine }
            Shared { _ in Diesel() }
            Shared(autowiring: { (engine: Diesel) in Car(engine: engine) })
            Shared(Ticket(number: 5))
            New(autowiring: { (car: Car, ticket: Ticket?, missing: Int?, engines: Provider<any Engine, String>) in
                #expect(ticket?.number == 5 && missing == nil)
                return Tuned(car.engine, engines("steam").kind)
            })
        }
        let tuned = try container.resolve.orThrow(Tuned.self)
        #expect(try isSame(tuned.base, container.resolve.orThrow(Car.self).engine))
        #expect(tuned.kind == "steam diesel")
    }

    // MARK: Races for the first resolution

    @Test("Rules 7, C2: threads that race for a nested graph get one instance")
    func graph() {
        for round in 0..<raceRounds {
            let built = Counter()
            let container = DIContainer {
                Shared { resolve in built.counting(Car(engine: resolve(name: "main"))) }
                Shared(name: "main", as: (any Engine).self, (any Starter).self) { _ in built.counting(Diesel()) }
            }
            let instances = onThreads(raceThreads) { index -> any Sendable in
                switch index % 4 {
                case 0: container.resolve(Car.self).engine
                case 1: container.resolve((any Engine).self, name: "main")
                case 2: container.resolve((any Starter)?.self, name: "main")!
                default: container.resolve(Provider<Diesel>.self, name: "main")()
                }
            }
            let isOne = instances.allSatisfy { isSame($0, instances[0]) }
            #expect(isOne && built.count == 2, "round \(round)")
        }
    }

    @Test("A factory that throws caches nothing, and is run again, until its instance is built once")
    func throwing() {
        for round in 0..<raceRounds / 4 {
            let attempts = Counter()
            let container = DIContainer {
                Shared { _ -> Diesel in
                    if attempts.increment() <= 3 { throw Sabotage() }
                    return Diesel()
                }
            }
            let outcomes = onThreads(raceThreads) { _ in Result { try container.resolve.orThrow(Diesel.self) } }
            let errors = outcomes.compactMap { outcome in failure { _ = try outcome.get() } }
            let causes = errors.map { $0.reason.underlyingError as? Sabotage }
            #expect(causes == [Sabotage(), Sabotage(), Sabotage()] && attempts.count == 4, "round \(round)")
            let instances = outcomes.compactMap { try? $0.get() }
            #expect(instances.count == raceThreads - 3, "round \(round)")
            #expect(instances.allSatisfy { $0 === instances[0] }, "round \(round)")
        }
    }
}
