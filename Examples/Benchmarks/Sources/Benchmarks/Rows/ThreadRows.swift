import DependencyInjection

/// Rows in which two threads resolve at the same time.
enum ThreadRows {
    static func make() -> [Row] {
        let container = Subjects.makeContainerInUse()
        let containers = [container, Subjects.makeContainerInUse()]
        let resolver: Resolver = container.resolve
        let mutex = Subjects.makeMutexLocator()
        return [
            Row("two threads, two instances", .atLeast(1.8, "× one thread")) { effort in
                speedup(effort.best(of: twoAndOne(readStatic)))
            },
            Row("two threads, two instances / mutex locator", nil) { effort in
                let ours = twoAndOne(readStatic)[0]
                let locked = twoAndOne { read(mutex, $0, $1) }[0]
                return throughput(effort.median(of: [ours, locked]), "mutex locator", ofThreads: 2)
            },
            Row("two threads, arithmetic alone", nil) { effort in
                speedup(effort.best(of: twoAndOne { compute($1) }))
            },
            Row("two threads, one instance", .atLeast(0.8, "× retain and release")) { effort in
                throughput(effort.median(of: [oneInstance, retainAndRelease()]), "retain and release", ofThreads: 2)
            },
            Row("two threads, one container", .atLeast(1.8, "× one thread")) { effort in
                speedup(effort.best(of: twoAndOne { read(container, $0, $1) }))
            },
            Row("two threads, one resolver", .atLeast(1.8, "× one thread")) { effort in
                speedup(effort.best(of: twoAndOne { read(resolver, $0, $1) }))
            },
            Row("two threads, each inside withContainer", .atLeast(1.8, "× one thread")) { effort in
                let inside = twoAndOne { thread, repetitions in
                    DIContainer.withContainer(container) { readStatic(thread, repetitions) }
                }
                return speedup(effort.best(of: inside))
            },
            Row("two threads, DIContainer.shared", nil) { effort in
                speedup(effort.median(of: twoAndOne(readDefault)))
            },
            Row("two threads, New from one container", .atLeast(0.5, "× one thread")) { effort in
                speedup(effort.median(of: twoAndOne { build(from: container, $1) }))
            },
            Row("two threads, New from a container each", .atLeast(1.8, "× one thread")) { effort in
                speedup(effort.best(of: twoAndOne { build(from: containers[$0], $1) }))
            },
        ]
    }

    // MARK: Comparing

    /// Compares the operations per second of two threads with those of a baseline. Each time is that of one thread
    /// while all threads do the same work.
    private static func throughput(_ times: [Double], _ baseline: String, ofThreads threads: Double) -> Measurement {
        let score = (2 / times[0]) / (threads / times[1])
        return Measurement(times[0], .nanoseconds, baseline: times[1], baseline, score: score, .ratio)
    }

    private static func speedup(_ times: [Double]) -> Measurement {
        throughput(times, "one thread", ofThreads: 1)
    }

    /// Returns workloads for some work on two threads, and on the first of them alone.
    private static func twoAndOne(
        _ work: @escaping @Sendable (_ thread: Int, _ repetitions: Int) -> Void
    ) -> [Workload] {
        [2, 1].map { count in
            Workload.timed("threads") { repetitions, _ in Threads.run(count) { work($0, repetitions) } }
        }
    }

    // MARK: Two instances

    @Sendable
    private static func readStatic(_ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { DIContainer.resolve((any Service).self) }
        } else {
            repeating(repetitions) { DIContainer.resolve((any OtherService).self) }
        }
    }

    @Sendable
    private static func readDefault(_ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { DIContainer.shared.resolve((any Service).self) }
        } else {
            repeating(repetitions) { DIContainer.shared.resolve((any OtherService).self) }
        }
    }

    private static func read(_ container: DIContainer, _ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { container.resolve((any Service).self) }
        } else {
            repeating(repetitions) { container.resolve((any OtherService).self) }
        }
    }

    private static func read(_ resolve: Resolver, _ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { resolve((any Service).self) }
        } else {
            repeating(repetitions) { resolve((any OtherService).self) }
        }
    }

    private static func read(_ locator: MutexLocator, _ thread: Int, _ repetitions: Int) {
        if thread == 0 {
            repeating(repetitions) { locator.resolve((any Service).self) }
        } else {
            repeating(repetitions) { locator.resolve((any OtherService).self) }
        }
    }

    /// Uses a core without accessing memory. This is the maximum gain of two threads on the machine.
    private static func compute(_ repetitions: Int) {
        var chains = (1, 2, 3, 4) as (UInt, UInt, UInt, UInt)
        for index in 0..<UInt(repetitions) * 16 {
            chains.0 = (chains.0 &+ index) ^ chains.1
            chains.1 = (chains.1 &+ index) ^ chains.2
            chains.2 = (chains.2 &+ index) ^ chains.3
            chains.3 = (chains.3 &+ index) ^ chains.0
        }
        Sink.make(for: UInt.self)(chains.0)
    }

    private static func build(from container: DIContainer, _ repetitions: Int) {
        repeating(repetitions) { container.resolve((any Product).self) }
    }

    /// Inlined, so that it becomes a plain loop in its caller.
    @inline(__always)
    private static func repeating<Value>(_ repetitions: Int, _ resolve: () -> Value) {
        let sink = Sink.make(for: Value.self)
        for _ in 0..<repetitions { sink(resolve()) }
    }

    // MARK: One instance

    private static var oneInstance: Workload {
        Workload.timed("one instance") { repetitions, _ in
            Threads.run(2) { _ in readStatic(0, repetitions) }
        }
    }

    private static func retainAndRelease() -> Workload {
        let holder = Holder(ServiceImpl())
        return Workload.timed("retain and release") { repetitions, _ in
            Threads.run(2) { _ in repeating(repetitions) { holder.copy() } }
        }
    }

    private final class Holder: Sendable {
        private let service: any Service

        init(_ service: any Service) {
            self.service = service
        }

        /// Never inlined, because otherwise nothing would have to be retained.
        @inline(never)
        func copy() -> any Service { service }
    }
}
