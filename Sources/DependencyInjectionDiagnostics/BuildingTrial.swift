import DependencyInjection
import Dispatch
import Synchronization

/// Builds one registration in a copy of a container, to find out what goes wrong.
struct BuildingTrial: Sendable {
    enum Outcome: Sendable {
        case built
        case failed(ResolutionError)
        /// The factory never returned, so its thread and the copy must not be used any more. Without an error, it took too long.
        case abandoned(ResolutionError?)

        init(_ failure: ResolutionError?) { self = failure.map { .failed($0) } ?? .built }
    }

    private let registration: Registration
    private let arguments: [any Sendable]
    private let limit: Duration

    init(of registration: Registration, _ arguments: [any Sendable], limit: Duration) {
        self.registration = registration
        self.arguments = arguments
        // The clock cannot add longer times to the present.
        self.limit = min(limit, .seconds(1_000_000_000))
    }

    /// Builds on a queue of its own. A plain request that fails is an outcome, and its thread stops for good.
    func buildPlainly(in copy: DIContainer) async -> Outcome {
        await outcome { report in
            let observer = PlainFaultObserver(of: registration) { report(.abandoned($0)) }
            DispatchQueue(label: "DependencyInjection.validation").async {
                let timer = startTimer(report)
                observer.run { report(Outcome(copy.buildFailure(of: registration, arguments))) }
                timer.cancel()
            }
        }
    }

    /// Builds with all that is awaited, on the threads of all tasks or on the main actor.
    func await(in copy: DIContainer, isMainActor: Bool) async -> Outcome {
        await outcomeOfTask(isMainActor: isMainActor) { await copy.awaitedBuildFailure(of: registration, arguments) }
    }

    /// Awaits the asynchronous build that an error asks for.
    func prepare(_ error: ResolutionError) async -> Outcome {
        await outcomeOfTask(isMainActor: false) { await error.failureOfNeededBuild() }
    }

    private func outcomeOfTask(
        isMainActor: Bool, _ failure: @escaping @Sendable () async -> ResolutionError?
    ) async -> Outcome {
        await outcome { report in
            let build: @Sendable () async -> Void = {
                let timer = startTimer(report)
                report(Outcome(await failure()))
                timer.cancel()
            }
            PlainFaultObserver(of: registration).run {
                if isMainActor { Task { @MainActor in await build() } } else { Task { await build() } }
            }
        }
    }

    /// Returns the first report.
    private func outcome(_ begin: (_ report: @escaping @Sendable (Outcome) -> Void) -> Void) async -> Outcome {
        let (outcomes, reports) = AsyncStream.makeStream(of: Outcome.self)
        begin { reports.yield($0) }
        // It is a task of its own, since this one may be cancelled and would then hear of nothing.
        return await Task { await outcomes.first { _ in true } }.value ?? .abandoned(nil)
    }

    /// Reports after the time that a build may take. It is started when the build begins to run, so that waiting for a thread
    /// does not count.
    private func startTimer(_ report: @escaping @Sendable (Outcome) -> Void) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: limit)
            report(.abandoned(nil))
        }
    }
}

/// Is told when a plain request is about to stop the program.
private final class PlainFaultObserver: TestObserver {
    private let registration: Registration
    private let outer = CurrentTest.observer
    private let abandon: (@Sendable (ResolutionError) -> Void)?
    /// The identity of the thread that may stop, or 0.
    private let thread = Atomic<UInt>(0)

    /// - Parameter abandon: Takes the error if the thread that asks is free to stop for good. Others belong to all tasks.
    init(of registration: Registration, _ abandon: (@Sendable (ResolutionError) -> Void)? = nil) {
        self.registration = registration
        self.abandon = abandon
    }

    /// Runs work, and is told of faults in it and in the tasks that it makes.
    func run(_ work: () -> Void) {
        if abandon != nil { thread.store(CurrentThread.identity, ordering: .relaxed) }
        CurrentTest.$observer.withValue(self, operation: work)
    }

    func registration(_ registration: Registration, answers request: ResolutionError, file: StaticString) {
        outer?.registration(registration, answers: request, file: file)
    }

    func programStops(by error: ResolutionError, file: StaticString, line: UInt) {
        if let abandon, thread.load(ordering: .relaxed) == CurrentThread.identity {
            abandon(error)
            // Nothing can unwind the factory, so the thread never goes on.
            let never = DispatchSemaphore(value: 0)
            while true { never.wait() }
        }
        outer?.programStops(by: error, file: file, line: line)
        let message: Message =
            "Validating \(step: registration) stops here, because a plain request failed.\n\(error.message)"
        fatalError(message.description, file: file, line: line)
    }
}
