import DependencyInjection
import Dispatch
import Synchronization

/// Builds one registration, to find out what goes wrong. It is told when a plain request is about to stop the program.
final class BuildingTrial: TestObserver {
    struct Outcome: Sendable {
        /// What failed; nil if it was built, or took too long.
        var error: ResolutionError?
        /// Whether the factory never returned, so that its thread and its container must not be used any more.
        var isAbandoned = false
    }

    private let registration: Registration
    private let limit: Duration
    private let outer = CurrentTest.observer
    /// The identity of the thread that may stop for good, or 0. Other threads belong to all tasks.
    private let thread = Atomic<UInt>(0)
    private let (stream, outcomes) = AsyncStream.makeStream(of: Outcome.self)

    init(of registration: Registration, limit: Duration) {
        self.registration = registration
        // The clock cannot add longer times to the present.
        self.limit = min(limit, .seconds(1_000_000_000))
    }

    /// Builds on a queue of its own. A plain request that fails is an outcome, and its thread stops for good.
    func buildPlainly(_ build: @escaping @Sendable () -> ResolutionError?) async -> Outcome {
        DispatchQueue(label: "DependencyInjection.validation").async { [self] in
            thread.store(CurrentThread.identity, ordering: .relaxed)
            let timer = startTimer()
            CurrentTest.$observer.withValue(self) { outcomes.yield(Outcome(error: build())) }
            timer.cancel()
        }
        return await firstOutcome
    }

    /// Builds with all that is awaited, on the threads of all tasks or on the main actor.
    func awaitBuild(
        onMainActor: Bool = false, _ build: @escaping @Sendable () async -> ResolutionError?
    ) async -> Outcome {
        CurrentTest.$observer.withValue(self) {
            if onMainActor { Task { @MainActor in await run(build) } } else { Task { await run(build) } }
        }
        return await firstOutcome
    }

    private func run(_ build: @Sendable () async -> ResolutionError?) async {
        let timer = startTimer()
        outcomes.yield(Outcome(error: await build()))
        timer.cancel()
    }

    /// Limits the time that a build may take. It is started when the build begins to run, so that waiting for a thread does
    /// not count.
    private func startTimer() -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: limit)
            outcomes.yield(Outcome(isAbandoned: true))
        }
    }

    private var firstOutcome: Outcome {
        get async {
            // It is a task of its own, since this one may be cancelled and would then hear of nothing.
            await Task { [stream] in await stream.first { _ in true } }.value ?? Outcome(isAbandoned: true)
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
        let step = registration.step(error.namesakes)
        fatalError(
            "Validating \(step) stops here, because a plain request failed.\n\(error)", file: file, line: line)
    }
}
