import Foundation
import Testing

/// The parent of all tests that run in a process of their own, because they stop the program or change something global.
///
/// They run one after the other. Dozens of processes at once would take the time of all other tests.
@Suite("Tests in processes of their own", .serialized, .mayHang)
enum ExitTests {}

extension Trait where Self == TimeLimitTrait {
    /// The limit for a test that waits for threads or tasks, and that a fault of the library could block.
    ///
    /// Tests run in parallel, so the limit includes the time that a test waits for its turn. Each wait of a test ends long
    /// before, with an issue that says what did not happen.
    static var mayHang: Self { .timeLimit(.minutes(10)) }
}

/// Limits the number of tests that run at the same time, because each of them blocks threads or computes for long.
///
/// Apply each trait to a suite or to its tests, but not to both: a test would wait for itself.
struct TurnsTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let turns: Turns
    /// Whether each test has threads of its own. The threads of the pool, of which there is one for each core, stay free
    /// for the tasks that other tests wait for.
    fileprivate let hasOwnThreads: Bool

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await turns.run {
            try await withTaskExecutorPreference(hasOwnThreads ? Threads() : nil) { try await function() }
        }
    }
}

extension Trait where Self == TurnsTrait {
    /// The trait of a test that blocks its thread.
    ///
    /// Four such tests run at the same time. With more of them, each gets so little time that waits end without success.
    static var ownThread: Self { Self(turns: .ofOwnThreads, hasOwnThreads: true) }

    /// The trait of a test in which a task of the library blocks its thread of the pool, which may have only two.
    static var blocksPool: Self { Self(turns: .ofPool, hasOwnThreads: false) }
}

/// Runs each job on a thread of its own, for tasks that block their thread.
final class Threads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Lets a limited number of tasks run their work at the same time, in the order of their arrival.
private actor Turns {
    static let ofOwnThreads = Turns(4)
    static let ofPool = Turns(1)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func run(_ work: @concurrent @Sendable () async throws -> Void) async throws {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        try await work()
    }
}
