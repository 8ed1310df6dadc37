import DependencyInjection
import Testing

@Suite("Races for the first resolution", .serialized)
struct FirstResolutionRaceTests {
    private func race<T>(
        _ type: T.Type, name: RegistrationName? = nil, _ container: (Counter) -> DIContainer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for _ in 0..<raceRounds {
            let built = Counter()
            let container = container(built)
            let instances = onThreads(raceThreads) { _ in UncheckedBox(container.resolve(T.self, name: name)) }
            let isOne = instances.allSatisfy { isSame($0.value, instances[0].value) }
            #expect(isOne && built.count == 1, sourceLocation: sourceLocation)
        }
    }

    @Test("Rule 7: a direct key")
    func direct() {
        race((any Engine).self) { built in
            DIContainer {
                Shared { _ in
                    built.increment()
                    return Diesel() as any Engine
                }
            }
        }
    }

    @Test("Rule 7: an alias, by name")
    func alias() {
        race((any Engine).self, name: "main") { built in
            DIContainer {
                Shared(name: "main", as: (any Engine).self) { _ in
                    built.increment()
                    return Diesel()
                }
            }
        }
    }

    @Test("Rules 7, C2: a nested graph")
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

    @Test("Rule 7: a factory that throws at first is built once after")
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
