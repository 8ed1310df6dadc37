@_exported public import DependencyInjectionDiagnostics
public import DependencyInjection
import Testing

/// Validates a container, and records an issue for each finding at the source location of the registration.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
/// import Testing
///
/// @Test func containerIsValid() {
///     expectValid(app)
/// }
/// ```
///
/// Builds nothing. See ``/DependencyInjection/DIContainer/validate(allowing:)`` for the findings. Warnings are recorded
/// in the same way as errors. List intended ones, as in `allowing: [.replaced, .captiveDependency(Logger.self)]`. Can be
/// called on any thread. Prints the number of registrations that are expressions or closures, whose dependencies are
/// only known when they run.
///
/// - Parameters:
///   - container: The container to validate.
///   - exceptions: The intended findings, which aren't recorded.
/// - Returns: All findings, including the intended ones.
@discardableResult
public func expectValid(_ container: DIContainer, allowing exceptions: [AllowedFinding] = []) -> [ValidationFinding] {
    let findings: [ValidationFinding]
    do { findings = try container.validate() } catch { findings = error.findings }
    // Printed, because an issue would fail the test.
    if let summary = container.graph.uncheckedSummary { print(summary) }
    for finding in findings where !exceptions.contains(where: { $0.covers(finding) }) {
        Issue.record(
            Comment(rawValue: finding.description), sourceLocation: SourceLocation(finding.file, finding.line))
    }
    return findings
}
