import DependencyInjection
import DependencyInjectionTesting
import Dispatch
import Synchronization
import Testing

/// Rows for the time that the trait adds to a test.
///
/// A test only exists in a run of Swift Testing. So each round is such a run, of one test with many serial cases and
/// without console output. The time per case lasts from the body of one case to the body of the next. It includes the
/// work of Swift Testing between them and, with the trait, creating the container, entering and leaving its scope, and
/// releasing the container. The score is the difference between a test with the trait and one without.
enum TraitRows {
    static func make() -> [Row] {
        [
            row("a test with the trait, 10 registrations and an override", "fromFew"),
            row("a test with the trait, 1,000 registrations and an override", "fromMany"),
            row("a test with the strict trait, 1,000 registrations and an override", "strict"),
        ]
    }

    private static func row(_ name: String, _ test: String) -> Row {
        Row(name, .atMost(100_000, "ns more than without")) { effort in
            let times = effort.best(of: [cases(of: test), cases(of: "without")])
            return Measurement(
                times[0], .nanoseconds, baseline: times[1], "without", score: times[0] - times[1], .nanoseconds)
        }
    }

    private static func cases(of test: String) -> Workload {
        Workload.timed(test) { repetitions, _ in CaseTimes.run(test, repetitions: repetitions) }
    }
}

/// The tests that the rows run.
@Suite(.serialized)
private struct TraitCases {
    private static let few = DIContainer { Fillers.registrations(10) }
    private static let many = DIContainer { Fillers.registrations(1_000) }

    @Test(arguments: CaseTimes.cases)
    func without(_ number: Int) { CaseTimes.mark(number) }

    @Test(.dependencies(from: few) { Shared(1) }, arguments: CaseTimes.cases)
    func fromFew(_ number: Int) { CaseTimes.mark(number) }

    @Test(.dependencies(from: many) { Shared(1) }, arguments: CaseTimes.cases)
    func fromMany(_ number: Int) { CaseTimes.mark(number) }

    @Test(.dependencies(.strict(from: many)) { Shared(1) }, arguments: CaseTimes.cases)
    func strict(_ number: Int) { CaseTimes.mark(number) }
}

/// The times of the cases of the running test.
private enum CaseTimes {
    private static let repetitions = Atomic(0)
    private static let ends = Mutex((first: ContinuousClock.now, last: ContinuousClock.now))

    /// The arguments of the test. There is one more than repetitions, because a repetition is the time between two
    /// cases.
    static var cases: ClosedRange<Int> { 0...repetitions.load(ordering: .relaxed) }

    /// Records the time if the case is the first or the last one.
    static func mark(_ number: Int) {
        let now = ContinuousClock.now
        if number == 0 { ends.withLock { $0.first = now } }
        if number == cases.upperBound { ends.withLock { $0.last = now } }
    }

    /// Runs a test, and returns the nanoseconds from its first case to its last.
    static func run(_ test: String, repetitions: Int) -> Double {
        Self.repetitions.store(repetitions, ordering: .relaxed)
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            var arguments = __CommandLineArguments_v0()
            arguments.filter = ["TraitCases/\(test)"]
            // Less output than `quiet`, which would still print a line for each run.
            arguments.verbosity = .min
            let status: CInt = await __swiftPMEntryPoint(passing: arguments)
            precondition(status == 0, "Swift Testing could not run \(test).")
            ended.signal()
        }
        ended.wait()
        return ends.withLock { ($0.last - $0.first).nanoseconds }
    }
}
