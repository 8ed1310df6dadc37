import Testing

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

    var texts: [String] { collected.withLock { $0.map(\.text) } }
    var lines: [Int?] { collected.withLock { $0.map(\.line) } }
    var files: [String?] { collected.withLock { $0.map(\.file) } }

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
