import DependencyInjection

/// Rows for the cost of a fork, which each test with overrides creates.
enum ForkRows {
    static func make() -> [Row] {
        [
            row("fork of 1,000 registrations") { $0.fork() },
            row("fork of 1,000 registrations, and an override") { container in
                container.fork { Shared(1) }
            },
        ]
    }

    private static func row(_ name: String, _ fork: @escaping (DIContainer) -> DIContainer) -> Row {
        Row(name, .atMost(20_000, "ns")) { effort in
            let container = DIContainer { Fillers.registrations(1_000) }
            let forking = Workload("fork") { repetitions in
                for _ in 0..<repetitions { _ = fork(container) }
            }
            return Measurement(effort.best(of: [forking])[0], .nanoseconds)
        }
    }
}
