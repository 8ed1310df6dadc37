import DependencyInjection
import Testing

/// Knows what was overridden for a test, and hears of its requests. It is a task-local value.
final class TestScope: TestObserver {
    /// What was registered for this test and by the enclosing scopes that count for it.
    let overrides: [Registration]
    private let recorder = IssueRecorder()

    init(overrides: [Registration]) { self.overrides = overrides }

    /// The innermost scope in this task.
    static var current: TestScope? {
        let observer = CurrentTest.observer
        return observer as? TestScope ?? (observer as? ResolvingExpectation)?.scope
    }

    func registration(_ registration: Registration, answers request: ResolutionError, file: StaticString) {
        recorder.record(request, answeredBy: registration, file)
    }

    func programStops(by error: ResolutionError, file: StaticString, line: UInt) {
        recorder.record(error, file, line)
    }

    /// Closes the container of a test; a failure is an issue.
    func close(_ container: DIContainer, after failure: (any Error)? = nil) async {
        do { try await container.close(after: failure) } catch { Issue.record(error) }
    }

    func run<Result>(in container: DIContainer, _ operation: () throws -> Result) rethrows -> Result {
        try CurrentTest.$observer.withValue(self) {
            try DIContainer.withContainer(container, operation: operation)
        }
    }

    func run<Result>(
        in container: DIContainer, isolation: isolated (any Actor)?, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await CurrentTest.$observer.withValue(
            self,
            operation: {
                try await DIContainer.withContainer(container, isolation: isolation, operation: operation)
            }, isolation: isolation)
    }
}
