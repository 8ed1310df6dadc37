import Benchmark
import DependencyInjection
import Measurement
import Workloads

/// Rows for the growth of the process. The time isn't measured. A sample of more than two seconds would have no
/// throughput, which the export requires.
let benchmarks: @Sendable () -> Void = {
    // The first iteration isn't measured. It creates metadata and lets caches grow.
    Benchmark.configure(metrics: [.peakMemoryResidentDelta], maxIterations: 1)

    Benchmark("memory of 1,000,000 resolves") { benchmark, container in
        repeating(1_000_000) { container.resolve((any Service).self) }
        benchmark.startMeasurement()
    } setup: {
        Subjects.makeContainerInUse()
    }

    // As a server does for requests: with a registration and a decorator of their own, and a `Scoped` of the parent.
    Benchmark("memory of 100,000 children") { benchmark, parent in
        repeating(100_000) {
            let child = parent.makeChild {
                Shared(1)
                Decorate(Int.self) { base, _ in base }
            }
            _ = child.resolve(Int.self)
            return child.resolve((any ScopedService).self)
        }
        benchmark.startMeasurement()
    } setup: {
        Subjects.makeContainerInUse()
    }

    Benchmark("memory of 200,000 registrations", configuration: .init(warmupIterations: 0)) { benchmark, first in
        let containers = (0..<20).map { _ in makeLargeContainer() }
        benchmark.startMeasurement()
        withExtendedLifetime((first, containers)) { benchmark.stopMeasurement() }
    } setup: {
        // Creates the metadata of the types.
        makeLargeContainer()
    }
}

@Sendable private func makeLargeContainer() -> DIContainer {
    DIContainer { for type in Fillers.all { type.registration() } }
}
