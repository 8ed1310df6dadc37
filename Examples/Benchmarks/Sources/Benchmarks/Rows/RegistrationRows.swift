import DependencyInjection

/// Rows for the time and memory of registration.
enum RegistrationRows {
    static func make() -> [Row] {
        [row(100), row(1_000), row(10_000), flatness, types, memory]
    }

    private static func row(_ count: Int) -> Row {
        Row("register \(Double(count).text()) keys", .atMost(1_000, "ns each")) { effort in
            Measurement(effort.best(of: [registering(count)])[0] / Double(count), .nanoseconds)
        }
    }

    private static var flatness: Row {
        Row("register 100 to 10,000 keys: most / least", .atMost(1.5, "× each")) { effort in
            let counts = [100, 1_000, 10_000]
            let times = zip(effort.best(of: counts.map(registering)), counts).map { $0 / Double($1) }.sorted()
            return Measurement(
                times[2], .nanoseconds, baseline: times[0], "least", score: times[2] / times[0], .ratio)
        }
    }

    private static var types: Row {
        Row("register 10,000 types without names", nil) { effort in
            let workload = Workload.timed("types") { repetitions, timer in
                elapsed(repetitions, timer) { container in
                    container.register { for type in Fillers.all { type.registration() } }
                }
            }
            return Measurement(effort.best(of: [workload])[0] / Double(Fillers.all.count), .nanoseconds)
        }
    }

    /// Returns a workload that registers a number of keys in a new container each time. The keys are a hundred types
    /// under as many names as necessary. (With thousands of types, the lookup of metadata at run time would dominate.)
    private static func registering(_ count: Int) -> Workload {
        let types = Fillers.all.prefix(100)
        let names = (0..<count / types.count).map { RegistrationName("name \($0)") }
        return Workload.timed("register") { repetitions, timer in
            elapsed(repetitions, timer) { container in
                container.register {
                    for name in names {
                        for type in types { type.registration(name) }
                    }
                }
            }
        }
    }

    /// Returns the time of the registration only, without creating and releasing the container.
    private static func elapsed(
        _ repetitions: Int, _ timer: Workload.Timer, _ register: @escaping (DIContainer) -> Void
    ) -> Double {
        (0..<repetitions).reduce(0) { time, _ in
            let container = DIContainer()
            return time + timer { register(container) }
        }
    }

    /// The heap that a container with 10,000 types uses, without the heap of their closures.
    private static var memory: Row {
        Row("memory of a registration among 10,000", .atMost(300, "B beyond its closure")) { _ in
            let types = Fillers.all
            func fill() -> DIContainer { DIContainer { for type in types { type.registration() } } }
            func makeFactories() { for type in types { type.makeFactory() } }
            // The first call is discarded, because the run time allocates metadata for each type on first use, for the
            // whole process.
            withExtendedLifetime(fill()) { makeFactories() }
            guard let before = Memory.heapBytes else { return nil }
            let container = fill()
            guard let after = withExtendedLifetime(container, { Memory.heapBytes }),
                let closures = Memory.allocatedBytes(makeFactories)
            else { return nil }
            let all = Double(after - before) / Double(types.count)
            let closure = Double(closures) / Double(types.count)
            return Measurement(all, .bytes, baseline: closure, "closure", score: all - closure, .bytes)
        }
    }
}
