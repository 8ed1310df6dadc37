import DependencyInjection
import Dispatch
import Synchronization

/// The build of one registration in a copy of its container, with a time limit and without stopping the program.
///
/// A failed plain request would stop the program. The probe observes the copy and receives the error before that
/// happens.
final class FactoryProbe: Sendable {
    struct Outcome: Sendable {
        /// The error. `nil` if the build succeeded or exceeded the time limit.
        var error: ResolutionError?
        /// Whether the factory hasn't returned, in which case its thread and its container must not be used again.
        var isAbandoned = false
        /// The asynchronous build that must run first.
        var missing: AsyncBuild?
    }

    private let registration: Registration
    private let copy: ContainerCopy
    private let limit: Duration
    /// The current container, whose observers receive the error if the program stops.
    private let enclosing = DIContainer.current
    /// The identity of the thread that may block permanently, or 0. All other threads belong to the shared thread pool.
    private let thread = Atomic<UInt>(0)
    private let (stream, outcomes) = AsyncStream.makeStream(of: Outcome.self)

    init(of registration: Registration, in copy: ContainerCopy, limit: Duration) {
        self.registration = registration
        self.copy = copy
        // Adding a longer time to the present overflows the clock.
        self.limit = min(limit, .seconds(1_000_000_000))
    }

    /// Builds on a dedicated queue. If a plain request fails, the queue's thread blocks permanently.
    func buildPlainly(
        _ build: @escaping @Sendable () -> ContainerCopy.PlainBuild
    ) async -> Outcome {
        DispatchQueue(label: "DependencyInjection.validation").async { [self] in
            thread.store(ThreadRecord.current.identity, ordering: .relaxed)
            let timer = startTimer()
            let end = observe()
            let result = build()
            end()
            outcomes.yield(Outcome(error: result.error, missing: result.missing))
            timer.cancel()
        }
        return await firstOutcome
    }

    /// Builds asynchronously, in the shared thread pool or on the main actor.
    func awaitBuild(
        onMainActor: Bool = false, _ build: @escaping @Sendable () async -> ResolutionError?
    ) async -> Outcome {
        if onMainActor { Task { @MainActor in await run(build) } } else { Task { await run(build) } }
        return await firstOutcome
    }

    private func run(_ build: @Sendable () async -> ResolutionError?) async {
        let timer = startTimer()
        let end = observe()
        let error = await build()
        end()
        outcomes.yield(Outcome(error: error))
        timer.cancel()
    }

    /// Starts the time limit of the build. Called when the build begins, so that waiting for a thread doesn't count.
    private func startTimer() -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: limit)
            outcomes.yield(Outcome(isAbandoned: true))
        }
    }

    private var firstOutcome: Outcome {
        get async {
            // In an unstructured task, because a canceled task would receive `nil` from the stream.
            await Task { [stream] in await stream.first { _ in true } }.value ?? Outcome(isAbandoned: true)
        }
    }

    // MARK: Errors that stop the program

    /// Observes the copy until the returned closure is called.
    private func observe() -> @Sendable () -> Void {
        copy.add(
            EventObserver(.onlyRefusals) { [self] event in
                if case .refused(let error, let site) = event.kind { handleRefusal(error, at: site) }
            })
    }

    private func handleRefusal(_ error: ResolutionError, at site: CallSite) {
        if thread.load(ordering: .relaxed) == ThreadRecord.current.identity {
            outcomes.yield(Outcome(error: error, isAbandoned: true))
            // Swift can't unwind the factory, so its thread blocks permanently.
            let never = DispatchSemaphore(value: 0)
            while true { never.wait() }
        }
        enclosing.core.reportRefusal(error, at: site)
        let step = registration.textWithPlace(error.typeNames)
        fatalError(
            "Validating \(step) stops here, because a plain request failed.\n\(error)", file: site.file, line: site.line
        )
    }
}
