import DependencyInjection
import Foundation
import Testing

/// Runs random programs and compares what listings, graphs, findings and events report with what happens. Nothing that
/// is expected is written down: requests, weak references and searches by brute force show it.
@Suite("What is reported is what happens", .serialized, .timeLimit(.minutes(1)))
struct ReportedTests {
    /// The number of programs. The variable `METAMORPHIC_PROGRAMS` sets it.
    private static let programs = UInt64(ProcessInfo.processInfo.environment["METAMORPHIC_PROGRAMS"] ?? "") ?? 300
    /// The first program, set by the variable `METAMORPHIC_FROM`.
    private static let first = UInt64(ProcessInfo.processInfo.environment["METAMORPHIC_FROM"] ?? "") ?? 0

    @Test("Listings, graphs, findings and events agree with what happens", arguments: 0..<10)
    func reports(part: UInt64) async {
        await withTaskExecutorPreference(OwnThread.shared) {
            for seed in stride(from: Self.first + part, to: Self.first + Self.programs, by: 10) {
                guard let report = await ReportedCase(seed: seed).report() else { continue }
                Issue.record("\(report)")
                return
            }
        }
    }
}

/// A program whose reports are checked.
private struct ReportedCase {
    let seed: UInt64
    var program: Program

    init(seed: UInt64) {
        self.seed = seed
        program = Program(seed: seed, isReported: true)
    }

    private func mistake() async -> String? { await ProgramRun.mistake(in: program, seed: seed) }

    /// Describes the mistake by the smallest program found, or returns nil if there is none.
    func report() async -> String? {
        guard var mistake = await mistake() else { return nil }
        let first = mistake
        var smallest = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for program in smallest.program.smaller {
                var candidate = smallest
                candidate.program = program
                if let found = await candidate.mistake() {
                    (smallest, mistake, isSmaller) = (candidate, found, true)
                    break
                }
            }
        }
        return "seed \(seed)\n\(smallest.program.text)\n\(mistake)\nat first: \(first)"
    }
}
