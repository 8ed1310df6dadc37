import Testing

/// Keeps issues that tests expect.
///
/// The suite needs the trait `.keepsExpectedIssues`.
final class Issues: Sendable {
    /// Records an issue that the work has to record, and returns false for any other issue.
    ///
    /// An object, since Swift 6.3 crashes in release where a closure is the task-local value of asynchronous work.
    fileprivate final class Filter: Sendable {
        let keep: @Sendable (Issue) -> Bool
        init(_ keep: @escaping @Sendable (Issue) -> Bool) { self.keep = keep }
    }

    /// That of the current task.
    @TaskLocal fileprivate static var filter: Filter?

    private let kept = Locked<[(text: String, line: Int?, file: String?)]>([])

    var texts: [String] { kept.withLock { $0.map(\.text) } }
    var lines: [Int?] { kept.withLock { $0.map(\.line) } }
    var files: [String?] { kept.withLock { $0.map(\.file) } }

    /// Runs work that has to record an issue, and collects its issues. Unexpected issues fail the test.
    func keep(
        where isExpected: @escaping @Sendable (Issue) -> Bool = { _ in true }, _ work: () throws -> Void
    ) rethrows {
        try Self.$filter.withValue(Filter { isExpected($0) && self.add($0) }) { try work() }
        #expect(!texts.isEmpty, "The work records no issue.")
    }

    func keep(
        where isExpected: @escaping @Sendable (Issue) -> Bool = { _ in true }, _ work: () async throws -> Void
    ) async rethrows {
        try await Self.$filter.withValue(Filter { isExpected($0) && self.add($0) }) { try await work() }
        #expect(!texts.isEmpty, "The work records no issue.")
    }

    fileprivate func add(_ issue: Issue) -> Bool {
        let text = (issue.comments.map(\.rawValue) + [issue.error.map { "\($0)" } ?? ""]).joined()
        kept.withLock { $0.append((text, issue.sourceLocation?.line, issue.sourceLocation?.fileID)) }
        return true
    }
}

extension Issue {
    /// Whether a strict container recorded it.
    var isStrict: Bool { comments.first?.rawValue.hasPrefix("The test does not override ") == true }
}

extension Trait where Self == IssueHandlingTrait {
    /// Removes the issues that ``Issues`` collects from the results. A summary would count them as known issues.
    static var keepsExpectedIssues: Self { .filterIssues { Issues.filter?.keep($0) != true } }
}

/// Runs work, and returns the issues that a strict container records during that time. Others fail the test.
func issues(_ work: () -> Void) -> Issues {
    let issues = Issues()
    Issues.$filter.withValue(Issues.Filter { $0.isStrict && issues.add($0) }, operation: work)
    return issues
}
