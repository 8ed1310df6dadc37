import Foundation
import Testing

@testable import DependencyInjection

/// Follows each fix of each generated program that fails.
@Suite("Rule 18: following the fix", .ownThread)
struct FollowedFixTests {
    @Test("After each alternative of its fix, a request succeeds", arguments: FixRow.Shape.allCases)
    func follow(_ shape: FixRow.Shape) async {
        var problems: [String] = []
        var failed = 0
        for row in FixRow.all(of: shape) where problems.count < 10 {
            do {
                try await row.program.run()
                continue
            } catch let error as ResolutionError {
                failed += 1
                problems += await FixRow.problems(of: row, error)
            } catch { problems.append("\(row): \(error)") }
        }
        for problem in problems { Issue.record("\(problem)") }
        #expect(failed > 5)
    }
}
