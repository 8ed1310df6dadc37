import Dispatch
import Foundation
import Testing

/// The random programs that a suite checks. Each program has a seed.
struct RandomPrograms {
    private let seeds: Range<UInt64>

    /// Creates the programs. The variable with the given name sets their number, and `METAMORPHIC_FROM` the first seed.
    init(countedBy variable: String, default count: UInt64) {
        func value(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) }
        let first = value("METAMORPHIC_FROM") ?? 0
        seeds = first..<first + (value(variable) ?? count)
    }

    /// Checks the programs of one of several parts, and records the first report of a mistake as an issue.
    ///
    /// The programs run on a thread of their own, so that they leave the threads of all tasks to the tests beside them.
    func check(part: UInt64, of parts: Int, _ report: (_ seed: UInt64) async -> String?) async {
        await withTaskExecutorPreference(OwnThread.shared) {
            for seed in stride(from: seeds.lowerBound + part, to: seeds.upperBound, by: parts) {
                guard let report = await report(seed) else { continue }
                Issue.record("\(report)")
                return
            }
        }
    }
}

/// Runs the tasks that prefer it on one thread, beside the threads of all tasks.
private final class OwnThread: TaskExecutor {
    static let shared = OwnThread()
    private let queue = DispatchQueue(label: "metamorphic")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
