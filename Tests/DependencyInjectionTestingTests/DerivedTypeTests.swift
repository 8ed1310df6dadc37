import DependencyInjection
import Testing

/// Compares the verdicts of `validate()` and of the audit with the results of requests and calls, for every type that is
/// derived from a registered or missing one.
@Suite("Derived types")
struct DerivedTypeTests {
    @Test("validate() and the audit agree with requests and calls", arguments: DerivedTypeRow.Situation.allCases)
    func verdicts(_ situation: DerivedTypeRow.Situation) {
        var problems: [String] = []
        var results: Set<String> = []
        visitDerivedTypes(of: (any Leaf).self, depth: 3) { type in
            for row in DerivedTypeRow.all(of: situation) {
                let result = row.result(with: type)
                results.insert(result?.reason.description ?? "success")
                problems += row.problems(with: type, result).map { "\(type), \(row): \($0)" }
            }
        }
        for problem in problems.prefix(10) { Issue.record("\(problem)") }
        #expect(problems.count < 10)
        #expect(results == ["success", "notRegistered", "argumentMismatch"])
    }

    @Test("The table has every type to a depth of three")
    func size() {
        var types: Set<ObjectIdentifier> = []
        visitDerivedTypes(of: (any Leaf).self, depth: 3) { types.insert(ObjectIdentifier($0)) }
        #expect(types.count == 1 + 5 + 25 + 125)
    }
}
