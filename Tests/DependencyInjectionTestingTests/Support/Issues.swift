import Testing

/// Keeps issues that tests expect.
final class Issues: Sendable {
    private let kept = Locked<[(text: String, line: Int?, file: String?)]>([])

    var texts: [String] { kept.withLock { $0.map(\.text) } }
    var lines: [Int?] { kept.withLock { $0.map(\.line) } }
    var files: [String?] { kept.withLock { $0.map(\.file) } }

    func keep(_ issue: Issue) -> Bool {
        let text = issue.comments.map(\.rawValue).joined()
        kept.withLock { $0.append((text, issue.sourceLocation?.line, issue.sourceLocation?.fileID)) }
        return true
    }

    /// Keeps an issue that a strict container recorded, and refuses others.
    func keepStrict(_ issue: Issue) -> Bool {
        issue.comments.first?.rawValue.hasPrefix("The test does not override ") == true && keep(issue)
    }
}

/// Runs work, and returns the issues that a strict container records meanwhile. Others fail the test.
func issues(_ work: () -> Void) -> Issues {
    let issues = Issues()
    withKnownIssue(isIntermittent: true, work, matching: issues.keepStrict)
    return issues
}
