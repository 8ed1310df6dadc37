import Benchmark
import Foundation
import Measurement
import Workloads

/// Rows for threads. On each of them, a sample repeats the operation a million times, so that starting the threads takes
/// no noticeable part of the time.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(scalingFactor: .mega)
    Subjects.register()
    for workload in ThreadWorkload.all {
        Benchmark(workload.name) { benchmark in
            let repetitions = benchmark.scaledIterations.count
            let group = DispatchGroup()
            for thread in 0..<workload.threads {
                group.enter()
                Thread.detachNewThread {
                    workload.work(thread, repetitions)
                    group.leave()
                }
            }
            group.wait()
        }
    }
}
