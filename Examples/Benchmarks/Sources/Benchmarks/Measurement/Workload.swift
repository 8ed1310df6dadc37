import Dispatch
import Synchronization

/// An operation that can be timed in any number of repetitions.
struct Workload {
    /// A function that runs some work and returns the elapsed nanoseconds.
    typealias Timer = (_ work: () -> Void) -> Double

    let name: String
    private let body: (_ repetitions: Int, _ timer: Timer) -> Double

    /// Creates a workload from a loop, which is timed as a whole.
    init(_ name: String, _ loop: @escaping (_ repetitions: Int) -> Void) {
        self.init(name: name) { repetitions, timer in timer { loop(repetitions) } }
    }

    /// Creates a workload from an asynchronous loop, which is timed as a whole and runs in one task. Stops the program
    /// if the loop throws.
    ///
    /// The task reads the clock itself, so that starting and ending the task isn't timed.
    init(awaiting name: String, _ loop: @escaping @Sendable (_ repetitions: Int) async throws -> Void) {
        self.init(name: name) { repetitions, _ in
            let time = Mutex(Duration.zero)
            let ended = DispatchSemaphore(value: 0)
            Task {
                do {
                    let elapsed = try await ContinuousClock().measure { try await loop(repetitions) }
                    time.withLock { $0 = elapsed }
                } catch {
                    fatalError("\(name): \(error)")
                }
                ended.signal()
            }
            ended.wait()
            return time.withLock { $0.nanoseconds }
        }
    }

    private init(name: String, body: @escaping (_ repetitions: Int, _ timer: Timer) -> Double) {
        self.name = name
        self.body = body
    }

    /// Creates a workload that adds up the times of its parts, so that the rest isn't timed.
    static func timed(
        _ name: String, _ body: @escaping (_ repetitions: Int, _ timer: Timer) -> Double
    ) -> Workload {
        Workload(name: name, body: body)
    }

    /// Repeats the operation, and returns the elapsed nanoseconds.
    func run(_ repetitions: Int) -> Double { body(repetitions, nanoseconds) }

    /// Repeats the operation without reading a clock, including the parts that ``run(_:)`` doesn't time.
    func runUntimed(_ repetitions: Int) {
        _ = body(repetitions) { work in
            work()
            return 0
        }
    }
}

/// Returns the nanoseconds that some work takes.
func nanoseconds(_ work: () -> Void) -> Double {
    ContinuousClock().measure(work).nanoseconds
}

extension Duration {
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
