import Testing

/// Follows each alternative of each fix that the library prints.
@Suite("Rule 18: the table of advice", .ownThread)
struct AdviceTests {
    static let faults =
        RegistrationFaults.table + CycleFaults.table + ArgumentFaults.table + IsolationFaults.table
        + LifecycleFaults.table + FindingFaults.table

    @Test("An error states the problem and the alternatives of its fix", arguments: faults)
    func advises(_ fault: Fault) async throws {
        let report = try await fault.report()
        #expect(report.problem.map { $0 == fault.problem } == true, "The text begins with: \(report.problem ?? "")")
        #expect(report.fixes == fault.fixes.map(\.advice))
    }

    @Test("A fix has at most two alternatives, and a program that follows one works", arguments: faults)
    func works(_ fault: Fault) async throws {
        #expect(1...2 ~= fault.fixes.count)
        for fix in fault.fixes {
            do { try await fix.program() } catch { Issue.record(error, "after \"\(fix.advice)\"") }
        }
    }

    @Test("The table has at least 40 faults, each with its own description")
    func size() {
        #expect(Self.faults.count >= 40)
        #expect(Set(Self.faults.map(\.testDescription)).count == Self.faults.count)
    }
}
