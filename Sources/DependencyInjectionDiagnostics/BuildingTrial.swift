import DependencyInjection
import Dispatch
import Synchronization

/// Builds one registration, to find out what goes wrong. It is told when a plain request is about to stop the program.
///
/// It runs its task on a queue of its own, whose thread may stop for good. The threads that run all other tasks must not.
final class BuildingTrial: TestObserver, TaskExecutor {
    struct Outcome: Sendable {
        /// What failed; nil if it was built, or took too long.
        var error: ResolutionError?
        /// Whether the factory never returned, so that its thread and its container must not be used any more.
        var isAbandoned = false
    }

    private let registration: Registration
    private let limit: Duration
    private let outer = CurrentTest.observer
    private let queue = DispatchQueue(label: "DependencyInjection.validation")
    /// The identity of the thread that is on the queue, or 0.
    private let thread = Atomic<UInt>(0)
    private let (stream, outcomes) = AsyncStream.makeStream(of: Outcome.self)

    init(of registration: Registration, limit: Duration) {
        self.registration = registration
        // The clock cannot add longer times to the present.
        self.limit = min(limit, .seconds(1_000_000_000))
    }

    /// Builds with all that is awaited, and waits for the end, but no longer than the limit allows. A plain request that fails is
    /// an outcome, and its thread stops for good.
    func run(onMainActor: Bool, _ build: @escaping @Sendable () async -> ResolutionError?) async -> Outcome {
        CurrentTest.$observer.withValue(self) {
            if onMainActor {
                Task { @MainActor in await runWithLimit(build) }
            } else {
                Task(executorPreference: self) { [self] in await runWithLimit(build) }
            }
        }
        // It is a task of its own, since this one may be cancelled and would then hear of nothing.
        return await Task { [stream] in await stream.first { _ in true } }.value ?? Outcome(isAbandoned: true)
    }

    private func runWithLimit(_ build: @Sendable () async -> ResolutionError?) async {
        // The time begins here, so that waiting for a thread does not count.
        let timer = Task {
            try await Task.sleep(for: limit)
            outcomes.yield(Outcome(isAbandoned: true))
        }
        outcomes.yield(Outcome(error: await build()))
        timer.cancel()
    }

    // MARK: TaskExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            thread.store(CurrentThread.identity, ordering: .relaxed)
            job.runSynchronously(on: asUnownedTaskExecutor())
            thread.store(0, ordering: .relaxed)
        }
    }

    // MARK: TestObserver

    func registration(_ registration: Registration, answers request: ResolutionError, file: StaticString) {
        outer?.registration(registration, answers: request, file: file)
    }

    func programStops(by error: ResolutionError, file: StaticString, line: UInt) {
        if thread.load(ordering: .relaxed) == CurrentThread.identity {
            outcomes.yield(Outcome(error: error, isAbandoned: true))
            // Nothing can unwind the factory, so the thread never goes on.
            let never = DispatchSemaphore(value: 0)
            while true { never.wait() }
        }
        outer?.programStops(by: error, file: file, line: line)
        let text = error.text
        let names = TypeNames([registration.type] + text.types)
        let step = names.step(registration)
        fatalError(
            "Validating \(step) stops here, because a plain request failed.\n\(text.named(by: names))", file: file,
            line: line)
    }
}
