import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

/// The findings of a validation, errors and warnings.
func findings(_ container: DIContainer) -> [ValidationFinding] {
    do { return try container.validate() } catch { return error.findings }
}

/// Returns the only finding of a validation, and fails the test if there isn't exactly one.
func only(
    _ container: DIContainer, _ location: SourceLocation = #_sourceLocation
) throws -> ValidationFinding {
    let found = findings(container)
    #expect(found.count == 1, "\(found)", sourceLocation: location)
    return try #require(found.first, sourceLocation: location)
}
