import DependencyInjection
import DependencyInjectionTesting
import Foundation
import InjectionFixtures
import Testing

/// The parent of all tests that start processes. They run one after the other.
@Suite("Tests in processes of their own", .serialized, .timeLimit(.minutes(10)))
enum ExitTests {}

/// A collection of the issues that a test expects.
///
/// The suite needs the trait `.collectsExpectedIssues`.
final class Issues: Sendable {
    /// A function that records an expected issue, and returns false for any other issue.
    ///
    /// It is an object, because Swift 6.3 crashes in release if a task-local value of asynchronous work is a closure.
    fileprivate final class Filter: Sendable {
        let record: @Sendable (Issue) -> Bool
        init(_ record: @escaping @Sendable (Issue) -> Bool) { self.record = record }
    }

    /// The filter of the current task.
    @TaskLocal fileprivate static var filter: Filter?

    private let collected = Locked<[(text: String, line: Int?, file: String?)]>([])

    var texts: [String] { collected.current.map(\.text) }
    var lines: [Int?] { collected.current.map(\.line) }
    var files: [String?] { collected.current.map(\.file) }

    /// Runs work, and collects its issues. Fails the test if the work records no issue or an unexpected one.
    func collect(
        where isExpected: @escaping @Sendable (Issue) -> Bool = { _ in true }, _ work: () throws -> Void
    ) rethrows {
        try Self.$filter.withValue(Filter { isExpected($0) && self.add($0) }) { try work() }
        #expect(!texts.isEmpty, "The work records no issue.")
    }

    func collect(
        where isExpected: @escaping @Sendable (Issue) -> Bool = { _ in true }, _ work: () async throws -> Void
    ) async rethrows {
        try await Self.$filter.withValue(Filter { isExpected($0) && self.add($0) }) { try await work() }
        #expect(!texts.isEmpty, "The work records no issue.")
    }

    fileprivate func add(_ issue: Issue) -> Bool {
        let text = (issue.comments.map(\.rawValue) + [issue.error.map { "\($0)" } ?? ""]).joined()
        collected.withLock { $0.append((text, issue.sourceLocation?.line, issue.sourceLocation?.fileID)) }
        return true
    }
}

extension Issue {
    /// Whether a strict container recorded the issue.
    var isStrict: Bool { comments.first?.rawValue.hasPrefix("The test does not override ") == true }
}

extension Trait where Self == IssueHandlingTrait {
    /// Removes the issues that ``Issues`` collects from the results. A summary would count them as known issues.
    static var collectsExpectedIssues: Self { .filterIssues { Issues.filter?.record($0) != true } }
}

/// Runs work, and returns the issues that a strict container records. Other issues fail the test.
func issues(_ work: () -> Void) -> Issues {
    let issues = Issues()
    Issues.$filter.withValue(Issues.Filter { $0.isStrict && issues.add($0) }, operation: work)
    return issues
}

extension Locked<[String]> {
    func add(_ line: String) { withLock { $0.append(line) } }
}

extension DependencyTrait {
    /// Runs work as a test with the trait.
    func run(_ work: @concurrent @Sendable () async throws -> Void) async throws {
        try await provideScope(for: try #require(Test.current), testCase: Test.Case.current, performing: work)
    }
}

// MARK: Fixtures

protocol Named: Sendable { var name: String { get } }
final class Clock: Named {
    let name: String
    init(name: String) { self.name = name }
}
final class Alarm: Named {
    let clock: Clock
    init(clock: Clock) { self.clock = clock }
    var name: String { clock.name }
}
struct Lamp: Sendable {
    let isOn: Bool
}
@MainActor final class Window {}

struct Sabotage: Error {}

/// An implementation of each protocol of the fixtures.
struct Implementation: Router, Session, API, Unknown {}

/// The module that the audit searches.
let fixtureModule: Set = ["InjectionFixtures"]

/// Some dependencies of the fixtures.
let fixtureContainer = DIContainer {
    Shared(Implementation() as any Router)
    Shared(autowiring: Implementation.init, as: (any Session).self)
    Shared(Implementation() as any API, name: "main")
    New { (_, _: String) in Detail() }
    Shared(1, name: "staging")
    New { _ -> @Sendable (Int) -> String in { "\($0)" } }
    New { _ in (1, "") }
    Shared(Cache<Detail>())
}
