import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

/// What validation finds, errors and warnings.
func findings(_ container: DIContainer) -> [ValidationFinding] {
    do { return try container.validate() } catch { return error.findings }
}

/// What validation finds if there is exactly one finding.
func only(
    _ container: DIContainer, _ location: SourceLocation = #_sourceLocation
) throws -> ValidationFinding {
    let found = findings(container)
    #expect(found.count == 1, "\(found)", sourceLocation: location)
    return try #require(found.first, sourceLocation: location)
}
