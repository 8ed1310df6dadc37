import DependencyInjection

/// Rows that check that many children, many instances or many threads don't slow a container down. These rows leave
/// much memory allocated, so they run last.
enum CrowdRows {
    static func make() -> [Row] { [oneChildMore, registeringAgain, oneDecoratedMore, afterManyThreads] }

    // MARK: Children

    /// A parent and its children, each of which caches an instance of the parent's `Scoped`.
    private struct Family {
        let parent = Subjects.makeContainerInUse()
        let children: [DIContainer]

        init(children count: Int) {
            children = (0..<count).map { [parent] _ in parent.makeChild() }
            resolveInAll()
        }

        func resolveInAll() {
            for child in children { _ = child.resolve((any ScopedService).self) }
        }

        /// A large family and a small one.
        static func pair(_ effort: Effort) -> [Family] {
            [min(10_000, effort.repetitionLimit), 1].map(Family.init)
        }
    }

    private static var oneChildMore: Row {
        Row("first Scoped of a child beside 10,000 others", .atMost(2, "× 1 other")) { effort in
            let families = Family.pair(effort)
            let workloads = families.map { ChildRows.firstScoped(ofChildrenOf: $0.parent) }
            return withExtendedLifetime(families) { comparison(effort.best(of: workloads), "1 other") }
        }
    }

    private static var registeringAgain: Row {
        Row("register a Scoped again that 10,000 children cache", .atMost(2, "× 1 child")) { effort in
            let families = Family.pair(effort)
            let workloads = families.map { family in
                Workload.timed("register") { repetitions, timer in
                    (0..<repetitions).reduce(0) { time, _ in
                        // Runs in both families before each of the two measurements, so that the processor's caches
                        // have the same content.
                        for family in families { family.resolveInAll() }
                        return time
                            + timer { family.parent.register(Scoped(ScopedServiceImpl() as any ScopedService)) }
                    }
                }
            }
            return comparison(onceARound(effort).best(of: workloads), "1 child")
        }
    }

    // MARK: Instances

    /// A row for the instances of a child's decorated registrations.
    private static var oneDecoratedMore: Row {
        Row("first decorated instance of a child, one of 2,000", .atMost(2, "× one of 100")) { effort in
            let counts = [2_000, 100].map { min($0, effort.repetitionLimit) }
            return comparison(onceARound(effort).best(of: counts.map(firstDecorated)), "one of 100")
        }
    }

    /// Returns a workload for the first request for each of many instances that a new child decorates, divided by their
    /// number.
    private static func firstDecorated(count: Int) -> Workload {
        let names = (0..<count).map { RegistrationName("decorated \($0)") }
        let parent = DIContainer()
        return Workload.timed("resolve") { repetitions, timer in
            (0..<repetitions).reduce(0) { time, _ in
                let child = parent.makeChild {
                    for name in names {
                        Shared(ServiceImpl() as any Service, name: name)
                        Decorate((any Service).self, name: name) { _, _ in ServiceImpl() }
                    }
                }
                return time
                    + timer { for name in names { _ = child.resolve((any Service).self, name: name) } }
                    / Double(count)
            }
        }
    }

    // MARK: Threads

    /// A row without alternating rounds, because the effect of earlier threads can't be reverted.
    private static var afterManyThreads: Row {
        Row("register a Shared and a New again after 800 threads", .atMost(4, "× before")) { effort in
            let container = Subjects.makeContainerInUse()
            let before = effort.best(of: [registering(container)])
            Threads.comeAndGo(min(800, effort.repetitionLimit)) { resolveBoth(container) }
            return comparison(effort.best(of: [registering(container)]) + before, "before")
        }
    }

    /// Returns a workload that replaces a resolved registration. Only the registration and the release of the old
    /// instance are timed.
    private static func registering(_ container: DIContainer) -> Workload {
        Workload.timed("register") { repetitions, timer in
            (0..<repetitions).reduce(0) { time, _ in
                resolveBoth(container)
                return time
                    + timer {
                        container.register(Shared(ServiceImpl() as any Service))
                        container.register(New(PlainProduct() as any Product))
                    }
            }
        }
    }

    private static func resolveBoth(_ container: DIContainer) {
        _ = container.resolve((any Service).self)
        _ = container.resolve((any Product).self)
    }

    /// Returns the effort for workloads whose preparation takes thousands of times as long as the timed part.
    private static func onceARound(_ effort: Effort) -> Effort {
        Effort(rounds: min(effort.rounds, 20), roundLength: 0, repetitionLimit: effort.repetitionLimit)
    }

    private static func comparison(_ times: [Double], _ baseline: String) -> Measurement {
        Measurement(times[0], .nanoseconds, baseline: times[1], baseline, score: times[0] / times[1], .ratio)
    }
}
