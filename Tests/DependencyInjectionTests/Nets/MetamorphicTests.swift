import DependencyInjection
import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 200)

/// Runs random programs in two wordings, and compares all that a user can see.
@Suite("Metamorphic tests", .serialized, .ownThread)
struct MetamorphicTests {
    @Test("Rules 1, 2, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 21: same when reworded", arguments: 0..<10)
    func sameWhenReworded(part: UInt64) async {
        await programs.check(part: part, of: 10) {
            MetamorphicCase(seed: $0)
        } mistake: {
            await $0.difference()
        }
    }
}

/// A program and a variation of it.
struct MetamorphicCase: Reducible, CustomStringConvertible {
    var program: Program
    var variation: MetamorphicVariation

    init(seed: UInt64) {
        program = Program(seed: seed)
        variation = MetamorphicVariation(seed: seed &+ 0x1234_5678)
    }

    /// Describes the change by the variation, or returns nil if it changes nothing.
    func difference() async -> String? {
        let isListed = variation.keepsListing
        let plain = await ProgramRun.outcome(of: program, isListed: isListed)
        let other = await ProgramRun.outcome(of: program, by: variation, comparedWith: plain, isListed: isListed)
        let (first, second) = (plain.lines(program, variation), other.lines(program, variation))
        if first == second { return nil }
        return "as written:\n  \(first.joined(separator: "\n  "))\nvaried:\n  \(second.joined(separator: "\n  "))"
    }

    var smaller: [MetamorphicCase] { reducing(\.variation) + reducing(\.program) }
    var description: String { "variation: \(variation.text)\n\(program)" }
}

extension ExitTests {
    @Suite("Metamorphic tests, in another process") struct MetamorphicExitTests {}
}

extension ExitTests.MetamorphicExitTests {
    @Test("Rules 1, 2, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 21: default container")
    func defaultContainer() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for seed in 0..<100 as Range<UInt64> {
                var testCase = MetamorphicCase(seed: seed)
                testCase.variation.root = .defaultContainer
                testCase.variation.handles = seed
                // The default container is set between requests.
                testCase.variation.thread = .task
                guard let found = await testCase.reduced({ await $0.difference() }) else { continue }
                FileHandle.standardError.write(Data("\(found.smallest)\n\(found.mistake)".utf8))
                return
            }
        }
        let report = standardError(of: result)
        // An operation and the closing of its child may both fail, which is also reported on standard error.
        if report.contains("variation: ") { Issue.record("\(report)") }
    }
}
