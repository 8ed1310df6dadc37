import DependencyInjection
import Testing

@Suite("Races for the first resolution", .serialized, .mayHang, .ownThread)
struct FirstResolutionRaceTests {
    @Test("Rule 7: threads that race by type and by alias get one instance")
    func named() {
        for _ in 0..<raceRounds {
            let built = Counter()
            let container = DIContainer {
                Shared(name: "main", as: (any Engine).self) { _ in
                    built.increment()
                    return Diesel()
                }
            }
            let instances = onThreads(raceThreads) { index -> any Engine in
                index % 2 == 0 ? container.resolve(Diesel.self, name: "main") : container.resolve(name: "main")
            }
            let isOne = instances.allSatisfy { isSame($0, instances[0]) }
            #expect(isOne && built.count == 1)
        }
    }

    @Test("Rules 7, C2: threads that race for a nested graph get one instance")
    func graph() {
        for _ in 0..<raceRounds {
            let built = Counter()
            let container = DIContainer {
                Shared { resolve in
                    built.increment()
                    return Car(engine: resolve())
                }
                Shared(as: (any Engine).self, (any Starter).self) { _ in
                    built.increment()
                    return Diesel()
                }
            }
            let instances = onThreads(raceThreads) { index -> UncheckedBox<Any> in
                switch index % 4 {
                case 0: UncheckedBox(container.resolve(Car.self).engine)
                case 1: UncheckedBox(container.resolve((any Engine).self))
                case 2: UncheckedBox(container.resolve((any Starter)?.self)!)
                default: UncheckedBox(container.resolve(Provider<Diesel>.self)())
                }
            }
            let isOne = instances.allSatisfy { isSame($0.value, instances[0].value) }
            #expect(isOne && built.count == 2)
        }
    }

    @Test("Rule 7: a Shared whose factory throws at first is built once afterwards")
    func throwing() {
        for _ in 0..<raceRounds / 4 {
            let attempts = Counter()
            let container = DIContainer {
                Shared { _ -> Diesel in
                    if attempts.increment() <= 3 { throw Sabotage() }
                    return Diesel()
                }
            }
            let outcomes = onThreads(raceThreads) { _ in try? container.resolve.orThrow(Diesel.self) }
            let instances = outcomes.compactMap(\.self)
            #expect(instances.count == raceThreads - 3 && attempts.count == 4)
            #expect(instances.allSatisfy { $0 === instances[0] })
        }
    }
}
