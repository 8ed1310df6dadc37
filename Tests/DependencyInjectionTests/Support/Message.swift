import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// The parts of an error's text. A place in the test is written as its distance from a line: `+3`.
struct Message {
    let problem: String
    /// The container that the text names, such as `a child of the default container`. Empty if it names none.
    let container: String
    let similar: [String]
    let fixes: [String]

    init(_ text: String, from line: UInt) {
        let text = text.replacing(#/[\w/+]+\.swift:(\d+)/#) { "+\(Int($0.1)! - Int(line))" }
        let lines = text.components(separatedBy: "\n")
        problem = lines[0]
        let place = lines.first { $0.hasPrefix("  requested at ") } ?? ""
        container = place.firstRange(of: ", in ").map { String(place[$0.upperBound...]) } ?? ""
        let rest = lines.drop { $0 != "  similar registrations:" }.dropFirst()
        similar = rest.prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
        let fix = text.components(separatedBy: "\n  fix: ").dropFirst().joined()
        fixes = fix.isEmpty ? [] : fix.components(separatedBy: "\n   or: ")
    }

    /// Creates the parts of the text of the error that a request throws.
    init<T>(
        from line: UInt, sourceLocation: SourceLocation = #_sourceLocation, of request: () throws -> T
    ) throws {
        let error = try #require(failure { _ = try request() }, sourceLocation: sourceLocation)
        self.init(error.description, from: line)
    }
}

/// Returns the `ResolutionError` that the work throws, or nil.
func failure(_ work: () throws -> Void) -> ResolutionError? {
    do {
        try work()
        return nil
    } catch { return error as? ResolutionError }
}

extension ResolutionError {
    /// The reason as a word that tests can compare.
    var kind: String { reason.description }

    /// The similar registrations as the text shows them.
    var suggestions: [String] { suggestedRegistrations.map { $0.textWithPlace(typeNames) } }
}

/// The findings of a validation, errors and warnings.
func findings(_ container: DIContainer, allowing exceptions: [AllowedFinding] = []) -> [ValidationFinding] {
    do { return try container.validate(allowing: exceptions) } catch { return error.findings }
}

/// Returns the only finding of a validation, and fails the test if there isn't exactly one.
func only(
    _ container: DIContainer, _ location: SourceLocation = #_sourceLocation
) throws -> ValidationFinding {
    let found = findings(container)
    #expect(found.count == 1, "\(found)", sourceLocation: location)
    return try #require(found.first, sourceLocation: location)
}

extension DIContainer {
    /// Returns the error of a request, or nil if the request succeeds.
    func error<T>(of type: T.Type, name: RegistrationName? = nil) -> ResolutionError? {
        failure { _ = try resolve.orThrow(type, name: name) }
    }
}
