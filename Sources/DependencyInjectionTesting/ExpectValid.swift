@_exported public import DependencyInjectionDiagnostics
public import DependencyInjection
import Testing

/// Validates a container, and records each finding as an issue of its own at the place of the registration.
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
/// It builds nothing: see ``DIContainer/validate()`` for what it finds. Warnings are recorded as errors are; name the
/// kinds that you intend. May be called on any thread.
///
/// - Parameters:
///   - container: The container to validate.
///   - exceptions: The kinds of findings that are not recorded.
/// - Returns: All findings, those of the exceptions included.
@discardableResult
public func expectValid(_ container: DIContainer, allowing exceptions: ValidationFinding.Kind...) -> [ValidationFinding]
{
    let findings: [ValidationFinding]
    do { findings = try container.validate() } catch { findings = error.findings }
    for finding in findings where !exceptions.contains(finding.kind) {
        Issue.record(
            Comment(rawValue: finding.description), sourceLocation: SourceLocation(finding.file, finding.line))
    }
    return findings
}
