/// An operation that can be timed in any number of repetitions.
struct Workload {
    let name: String
    /// Repeats the operation and returns how many nanoseconds that took.
    let run: (_ repetitions: Int) -> Double

    /// Makes a workload of a loop, which is timed as a whole.
    init(_ name: String, _ loop: @escaping (_ repetitions: Int) -> Void) {
        self.name = name
        run = { repetitions in nanoseconds { loop(repetitions) } }
    }

    private init(name: String, run: @escaping (_ repetitions: Int) -> Double) {
        self.name = name
        self.run = run
    }

    /// Makes a workload that times itself, since not all it does is to be timed.
    static func timed(_ name: String, _ run: @escaping (_ repetitions: Int) -> Double) -> Workload {
        Workload(name: name, run: run)
    }
}

/// The nanoseconds that some work takes.
func nanoseconds(_ work: () -> Void) -> Double {
    ContinuousClock().measure(work).nanoseconds
}

extension Duration {
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
