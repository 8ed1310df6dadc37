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
        rounds(of: workloads).map { $0.min() ?? .nan }
    }

    /// As ``best(of:)``, but the median of the rounds: for threads that get into each other's way. Where the system runs
    /// one after the other instead of both at once, they do not, and are quickest.
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
