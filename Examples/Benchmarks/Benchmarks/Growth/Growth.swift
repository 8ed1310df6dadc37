import Benchmark
import Measurement
import Workloads

/// Operations whose time grows with the number of objects or registrations.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure()
    for workload in Workload.firstBuilds + Workload.growth { Benchmark.measure(workload) }
    for test in TraitTests.all {
        Benchmark(test.name) { _ in await test.run() }
    }
}
