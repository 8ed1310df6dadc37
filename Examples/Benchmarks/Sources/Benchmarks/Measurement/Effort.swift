/// The amount of time for a measurement.
struct Effort {
    let rounds: Int
    /// The nanoseconds that one workload should take in each round.
    let roundLength: Double
    /// The largest number of repetitions for a row that counts instead of timing.
    let repetitionLimit: Int

    static let normal = Effort(rounds: 60, roundLength: 3_000_000, repetitionLimit: .max)
    static let quick = Effort(rounds: 1, roundLength: 0, repetitionLimit: 200)

    /// Returns the nanoseconds per operation of each workload, from the best of several rounds. In each round, the
    /// workloads run in turn.
    ///
    /// Other processes only ever add time, so the shortest round is the most accurate. Because all workloads run in
    /// each round, they run under the same conditions.
    func best(of workloads: [Workload]) -> [Double] {
        rounds(of: workloads).map { $0.min() ?? .nan }
    }

    /// Like ``best(of:)``, but returns the median of the rounds, for threads that contend with each other. If the
    /// system runs them one after the other instead of in parallel, they don't contend and are fastest.
    func median(of workloads: [Workload]) -> [Double] {
        rounds(of: workloads).map { $0.sorted()[$0.count / 2] }
    }

    private func rounds(of workloads: [Workload]) -> [[Double]] {
        let repetitions = workloads.map(repetitions(of:))
        var times: [[Double]] = workloads.map { _ in [] }
        for _ in 0..<rounds {
            for (index, workload) in workloads.enumerated() {
                times[index].append(workload.run(repetitions[index]) / Double(repetitions[index]))
            }
        }
        return times
    }

    /// Returns the number of repetitions that last one round. The search also warms up caches and lazy state.
    private func repetitions(of workload: Workload) -> Int {
        var repetitions = 1
        while true {
            let time = workload.run(repetitions)
            if time >= roundLength { return repetitions }
            // At most tenfold, because the first runs are slower than later ones.
            let wanted = Double(repetitions) * roundLength / max(time, 1) * 1.1
            repetitions = Int(min(wanted, Double(repetitions) * 10).rounded(.up))
        }
    }
}
