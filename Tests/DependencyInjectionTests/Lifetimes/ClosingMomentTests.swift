import DependencyInjection
import Testing

/// Forces `close()` to begin at each moment of each request, and derives the outcome from the rule.
@Suite("Rule 20: closing at each moment", .serialized, .mayHang, .ownThread)
struct ClosingMomentTests {
    @Test(
        "A request is served or refused as the rule says, and all is closed",
        arguments: ClosingRow.Kind.allCases, ClosingRow.Place.allCases)
    func moments(_ kind: ClosingRow.Kind, owner: ClosingRow.Place) {
        let rows = ClosingRow.all(of: kind, owner)
        // After the first problems, further rows might only repeat the wait for something that never happens.
        let problems = rows.reduce(into: [String]()) { if $0.count < 10 { $0 += ClosingRun($1).problems() } }
        for problem in problems { Issue.record("\(problem)") }
    }

    @Test("The table has each kind of request at each moment")
    func size() {
        let rows = ClosingRow.Kind.allCases.flatMap { kind in
            ClosingRow.Place.allCases.flatMap { ClosingRow.all(of: kind, $0) }
        }
        #expect(rows.count > 1_000)
        for moment in ClosingRow.Moment.allCases {
            for expectation in [ClosingRow.Expectation.served, .refused] where moment.permits(expectation) {
                #expect(rows.contains { $0.moment == moment && $0.expectation == expectation }, "\(moment)")
            }
        }
    }
}
