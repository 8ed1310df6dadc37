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

/// Runs each test on threads of its own, because the test blocks its thread or computes for long.
///
/// The threads of the pool, of which there is one for each core, stay free for the tasks that other tests wait for.
struct OwnThreadTrait: TestTrait, SuiteTrait, TestScoping {
    /// Tests that run at the same time. With more of them, each gets so little time that waits end without success.
    private static let turns = Turns(4)

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.turns.run {
            try await withTaskExecutorPreference(Threads()) { try await function() }
        }
    }
}

extension Trait where Self == OwnThreadTrait {
    /// The trait of a test that blocks its thread.
    static var ownThread: Self { Self() }
}

/// Runs one test at a time in which the library blocks a thread of the pool, which may have only two.
struct PoolThreadTrait: TestTrait, TestScoping {
    private static let turns = Turns(1)

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws { try await Self.turns.run { try await function() } }
}

extension Trait where Self == PoolThreadTrait {
    /// The trait of a test in which a task of the library blocks its thread.
    static var blocksPool: Self { Self() }
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
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func run(_ work: () async throws -> Void) async throws {
        await begin()
        do { try await work() } catch {
            await end()
            throw error
        }
        await end()
    }

    private func begin() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
