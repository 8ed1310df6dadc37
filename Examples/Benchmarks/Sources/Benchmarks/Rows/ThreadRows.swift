import DependencyInjection

/// Two threads that resolve at the same time.
enum ThreadRows {
    static func make() -> [Row] {
        [
            Row("two threads, two instances", .atLeast(1.8, "× one thread")) { effort in
                throughput(effort.best(of: [twoInstances, oneThread]), "one thread", ofThreads: 1)
            },
            Row("two threads, one instance", .atLeast(0.8, "× retain and release")) { effort in
                throughput(effort.median(of: [oneInstance, retainAndRelease()]), "retain and release", ofThreads: 2)
            },
        ]
    }

    /// Compares the operations per second of two threads with those of a baseline. Times are those of one thread, all of
    /// which do the same work at once.
    private static func throughput(_ times: [Double], _ baseline: String, ofThreads threads: Double) -> Measurement {
        let score = (2 / times[0]) / (threads / times[1])
        return Measurement(times[0], .nanoseconds, baseline: times[1], baseline, score: score, .ratio)
    }

    private static var oneThread: Workload {
        Workload.timed("one thread") { repetitions in
            Threads.run(1) { _ in resolveService(repetitions) }
        }
    }

    private static var twoInstances: Workload {
        Workload.timed("two instances") { repetitions in
            Threads.run(2) { thread in
                if thread == 0 { resolveService(repetitions) } else { resolveOtherService(repetitions) }
            }
        }
    }

    private static var oneInstance: Workload {
        Workload.timed("one instance") { repetitions in
            Threads.run(2) { _ in resolveService(repetitions) }
        }
    }

    private static func retainAndRelease() -> Workload {
        let holder = Holder(ServiceImpl())
        return Workload.timed("retain and release") { repetitions in
            Threads.run(2) { _ in
                let sink = Sink.make(for: (any Service).self)
                for _ in 0..<repetitions { sink(holder.copy()) }
            }
        }
    }

    private static func resolveService(_ repetitions: Int) {
        let sink = Sink.make(for: (any Service).self)
        for _ in 0..<repetitions { sink(DIContainer.resolve((any Service).self)) }
    }

    private static func resolveOtherService(_ repetitions: Int) {
        let sink = Sink.make(for: (any OtherService).self)
        for _ in 0..<repetitions { sink(DIContainer.resolve((any OtherService).self)) }
    }

    private final class Holder: Sendable {
        private let service: any Service

        init(_ service: any Service) {
            self.service = service
        }

        /// Never inlined, since else nothing would be left to retain.
        @inline(never)
        func copy() -> any Service { service }
    }
}
