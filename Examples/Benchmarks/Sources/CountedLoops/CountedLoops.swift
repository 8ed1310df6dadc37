import Foundation
import Workloads

/// Repeats an operation, so that its instructions can be counted.
///
/// Usage: CountedLoops [NAME ROUNDS [SHIFT]]
///
/// Runs the rounds twice, and marks both ends of the second time. Without arguments, it lists the names.
@main
enum CountedLoops {
    static func main() {
        let workloads = Workload.requests + Workload.firstBuilds
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first else { return print(workloads.map(\.name).joined(separator: "\n")) }
        guard let workload = workloads.first(where: { $0.name == name }) else {
            fatalError("There is no operation \"\(name)\".")
        }
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        shiftTypes(Spacer.self, by: numbers.count > 1 ? numbers[1] : 0)
        Subjects.register()
        run(workload.makeLoop(), rounds: numbers.first ?? 1)
    }

    private static func run(_ loop: Workload.Loop, rounds: Int) {
        switch loop {
        case .whole(let body):
            countSecond { body(rounds) }
        case .single(let body):
            countSecond { body(rounds) { work in work() } }
        case .task(let body):
            Task {
                try await body(rounds)
                markInstructions()
                try await body(rounds)
                markInstructions()
                exit(0)
            }
            RunLoop.main.run()
        }
    }

    /// Runs the rounds twice, because the first ones also create metadata and let caches grow.
    private static func countSecond(_ rounds: () -> Void) {
        rounds()
        markInstructions()
        rounds()
        markInstructions()
    }

    /// Marks the begin or the end of the rounds that `Scripts/count-instructions` counts.
    @inline(never) private static func markInstructions() {
        // Without a call of another library, the compiler could remove this function.
        _ = getppid()
    }

    /// Shifts the addresses of the metadata of later types, which the run time allocates in order of first use.
    private static func shiftTypes<T>(_ type: T.Type, by number: Int) {
        // Otherwise, the optimizer would remove the types.
        Sink.make(for: Any.Type.self)(type)
        if number > 0 { shiftTypes(Spaced<T>.self, by: number - 1) }
    }
}

private enum Spacer {}
private enum Spaced<T> {}
