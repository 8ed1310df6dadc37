@_exported public import DependencyInjectionDiagnostics
public import DependencyInjection
import Testing

/// Validates a container, and records an issue for each finding at the place of the registration.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
/// import Testing
///
/// @Test func everythingDeclaredIsThere() {
///     expectValid(app)
/// }
/// ```
///
/// It builds nothing: see ``DIContainer/validate(allowing:)`` for what it finds. Warnings are recorded as errors are; name
/// those that you intend, as in `allowing: .replaced, .sharedKeepsScoped(Logger.self)`. May be called on any thread.
/// It prints how many registrations are expressions or closures, whose dependencies show only when they run.
///
/// - Parameters:
///   - container: The container to validate.
///   - exceptions: The findings that are not recorded.
/// - Returns: All findings, those of the exceptions included.
@discardableResult
public func expectValid(_ container: DIContainer, allowing exceptions: AllowedFinding...) -> [ValidationFinding] {
    let findings: [ValidationFinding]
    do { findings = try container.validate() } catch { findings = error.findings }
    // Printed, because an issue would fail the test.
    if let summary = container.graph.opaqueSummary { print(summary) }
    for finding in findings where !exceptions.contains(where: { $0.covers(finding) }) {
        Issue.record(
            Comment(rawValue: finding.description), sourceLocation: SourceLocation(finding.file, finding.line))
    }
    return findings
}
