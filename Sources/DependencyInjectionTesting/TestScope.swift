import DependencyInjection
import Testing

/// The scope of a test, with its overrides and the issues about its container. It is a task-local value.
final class TestScope: Sendable {
    /// The innermost scope in this task.
    // An object, because a task-local closure crashed in optimized code of Swift 6.3.
    @TaskLocal static var current: TestScope?

    /// The overrides of the enclosing scopes that apply to this test, followed by the test's own overrides.
    let overrides: [Registration]
    /// The call site of the trait that prepares the container of a test, if one does.
    let preparation: CallSite?
    private let recorder = IssueRecorder()

    init(overrides: [Registration], preparation: CallSite?) {
        self.overrides = overrides
        self.preparation = preparation
    }

    /// Creates the observer of the test's container.
    ///
    /// - Parameters:
    ///   - isStrict: Whether a request that resolves to a registration outside of the test is an issue.
    ///   - exceptions: The registrations and decorators that a strict test may use.
    func observer(isStrict: Bool, exceptions: Set<ObjectIdentifier>) -> EventObserver {
        EventObserver(isStrict ? .requests : .onlyRefusals, isTest: true) { [recorder] event in
            switch event.kind {
            case .requested(let dependency, let site, let entry):
                let registrations = [entry.registration] + entry.decorators
                if registrations.contains(where: { exceptions.contains(ObjectIdentifier($0)) }) { return }
                recorder.record(dependency, at: site, resolvedBy: entry.registration, path: event.path)
            case .refused(let error, let site): recorder.record(error, at: site)
            default: break
            }
        }
    }

    /// Closes the container of a test, and records an issue if closing fails. Late requests are resolved as by a released
    /// container.
    func close(_ container: DIContainer, dueTo failure: (any Error)? = nil) async {
        let call = CloseCall(function: "the end of the test", site: CallSite(file: #fileID, line: #line))
        do { try await container.core.close(dueTo: failure, by: call, servesLateRequests: true) } catch {
            recorder.record(error)
        }
        withExtendedLifetime(container) {}
    }

    func run<Result>(in container: DIContainer, _ operation: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self) {
            try DIContainer.withContainer(container, operation: operation)
        }
    }

    func run<Result>(
        in container: DIContainer, isolation: isolated (any Actor)?, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(
            self,
            operation: {
                try await DIContainer.withContainer(container, isolation: isolation, operation: operation)
            }, isolation: isolation)
    }
}
