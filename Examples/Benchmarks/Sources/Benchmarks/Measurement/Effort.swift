/// How much time is spent on a measurement.
struct Effort {
    let rounds: Int
    /// The nanoseconds that one workload should take in one round.
    let roundLength: Double
    /// The largest number of repetitions where a row counts instead of timing.
    let repetitionLimit: Int

    static let normal = Effort(rounds: 60, roundLength: 3_000_000, repetitionLimit: .max)
    static let quick = Effort(rounds: 1, roundLength: 0, repetitionLimit: 200)

    /// Nanoseconds per operation of each workload: the best of several rounds, in each of which all of them take their turn.
    ///
    /// Disturbances by other processes only ever add time, so the shortest round tells most about the code. Turns make
    /// sure that all workloads meet the same conditions.
    func best(of workloads: [Workload]) -> [Double] {
        let repetitions = workloads.map(repetitions(of:))
        var best = workloads.map { _ in Double.infinity }
        for _ in 0..<rounds {
            for (index, workload) in workloads.enumerated() {
                let time = workload.run(repetitions[index]) / Double(repetitions[index])
                best[index] = min(best[index], time)
            }
        }
        return best
    }

    /// How many repetitions last as long as a round. Finding out also warms up caches and whatever is set up lazily.
    private func repetitions(of workload: Workload) -> Int {
        var repetitions = 1
        while true {
            let time = workload.run(repetitions)
            if time >= roundLength { return repetitions }
            // At most tenfold, since the first runs are slower than what follows.
            let wanted = Double(repetitions) * roundLength / max(time, 1) * 1.1
            repetitions = Int(min(wanted, Double(repetitions) * 10).rounded(.up))
        }
    }
}
