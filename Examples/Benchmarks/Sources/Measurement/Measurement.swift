package import Benchmark
import Foundation
package import Workloads

extension Benchmark {
    /// Sets the defaults of a target.
    ///
    /// If the environment has the variable `QUICK`, each operation runs once. The times are then meaningless.
    package static func configure(
        metrics: [BenchmarkMetric] = [.wallClock], scalingFactor: BenchmarkScalingFactor = .one,
        maxIterations: Int = 10_000
    ) {
        let isQuick = ProcessInfo.processInfo.environment["QUICK"] != nil
        // The export requires the throughput.
        defaultConfiguration = .init(
            metrics: metrics + [.throughput], warmupIterations: isQuick ? 0 : 1,
            scalingFactor: isQuick ? .one : scalingFactor, maxIterations: isQuick ? 1 : maxIterations)
    }

    /// Adds a row for a workload.
    package static func measure(_ workload: Workload) {
        _ = Benchmark(workload.name) { (benchmark: Benchmark, loop: Workload.Loop) async throws in
            switch loop {
            case .whole(let body):
                body(benchmark.scaledIterations.count)
            case .single(let body):
                // Each repetition is a sample.
                body(repetitionsOfSingles) { work in
                    benchmark.startMeasurement()
                    work()
                    benchmark.stopMeasurement()
                }
            case .task(let body):
                try await body(benchmark.scaledIterations.count)
            }
        } setup: {
            Subjects.register()
            return workload.makeLoop()
        }
    }

    /// So many that the processor's caches have the same content in most of them.
    private static let repetitionsOfSingles = 100
}
