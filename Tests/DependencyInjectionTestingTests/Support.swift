import DependencyInjection
import DependencyInjectionTesting
import Foundation
import InjectionFixtures
import Testing

/// The parent of all tests that start processes. They run one after the other.
@Suite("Tests in processes of their own", .serialized, .timeLimit(.minutes(10)))
enum ExitTests {}

/// A collection of the issues that a test expects: all issues of some work except for failed expectations.
///
/// The suite needs the trait `.collectsExpectedIssues`.
final class Issues: Sendable {
    /// The collection of the current task, in which asynchronous work collects its issues.
    @TaskLocal static var current: Issues?

    fileprivate let all = Locked<[Issue]>([])

    var texts: [String] {
        all.current.map { ($0.comments.map(\.rawValue) + [$0.error.map { "\($0)" } ?? ""]).joined() }
    }
    var lines: [Int?] { all.current.map(\.sourceLocation?.line) }
    var files: [String?] { all.current.map(\.sourceLocation?.fileID) }

    init() {}

    /// Runs work, and collects its issues.
    init(_ work: () -> Void) { Self.$current.withValue(self, operation: work) }
}

extension Trait where Self == IssueHandlingTrait {
    /// Removes the issues that ``Issues`` collects from the results. A summary would count them as known issues.
    static var collectsExpectedIssues: Self {
        .filterIssues { issue in
            if case .expectationFailed = issue.kind { return true }
            guard let issues = Issues.current else { return true }
            issues.all.withLock { $0.append(issue) }
            return false
        }
    }
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
