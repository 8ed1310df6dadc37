import Benchmark
import Measurement
import Workloads

/// Operations on a container in use. A sample repeats one of them a thousand times.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(scalingFactor: .kilo)
    for workload in Workload.requests + Workload.comparedRequests { Benchmark.measure(workload) }
}
