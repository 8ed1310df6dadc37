import DependencyInjection
import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 300)

/// Runs random programs in two wordings, and compares all that a user can see.
@Suite("Metamorphic tests", .serialized, .ownThread)
struct MetamorphicTests {
    @Test("Rules 1, 2, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 21: same when reworded", arguments: 0..<10)
    func sameWhenReworded(part: UInt64) async {
        await programs.check(part: part, of: 10) { await MetamorphicCase(seed: $0).report() }
    }

    @Test("Rule 22: findings do not depend on the order of a factory's requests", arguments: 0..<4)
    func findingsInAnyOrder(part: UInt64) async {
        await programs.check(part: part, of: 4) { seed in
            let program = Program(seed: seed).autowired
            let findings = await Self.findings(of: program)
            let others = await Self.findings(of: program.withReversedDependencies)
            if findings == others { return nil }
            return "seed \(seed)\n\(program.text)\n\(findings)\nwith reversed dependencies:\n\(others)"
        }
    }

    /// The findings except cycles, whose text depends on their entry.
    private static func findings(of program: Program) async -> Set<String> {
        Set(await ProgramRun.outcome(of: program, isListed: true).findings.filter { !$0.contains("cycle") })
    }
}

extension Program {
    /// The registrations alone, each with an initializer where it can have one, which also takes a provider of all its
    /// dependencies.
    fileprivate var autowired: Program {
        changingRecipes { recipe in
            let dependencies = recipe.dependencies.filter { !$0.key.isNamed }
            recipe.dependencies = dependencies.map { Dependency(key: $0.key, form: .provider) } + dependencies
            recipe.isAutowired = recipe.manner == .plain && !recipe.takesArgument
        }
    }

    fileprivate var withReversedDependencies: Program { changingRecipes { $0.dependencies.reverse() } }

    private func changingRecipes(_ change: (inout Recipe) -> Void) -> Program {
        var copy = self
        copy.steps = []
        for container in containers.indices {
            copy.containers[container].statements = containers[container].statements.map { statement in
                guard case .register(var recipe) = statement else { return statement }
                change(&recipe)
                return .register(recipe)
            }
        }
        return copy
    }
}

/// A program and a variation of it.
struct MetamorphicCase: Sendable {
    var program: Program
    var variation: MetamorphicVariation
    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        program = Program(seed: seed)
        variation = MetamorphicVariation(seed: seed &+ 0x1234_5678)
    }

    private func difference() async -> (first: [String], second: [String])? {
        let isListed = variation.keepsListing
        let plain = await ProgramRun.outcome(of: program, isListed: isListed)
        let other = await ProgramRun.outcome(of: program, by: variation, comparedWith: plain, isListed: isListed)
        return ProgramOutcome.difference(plain, other, of: program, by: variation)
    }

    /// Describes the change by the smallest program found, or returns nil if the variation changes nothing.
    func report() async -> String? {
        guard var difference = await difference() else { return nil }
        var smallest = self
        var isSmaller = true
        await ProgramRun.$patience.withValue(2) {
            while isSmaller {
                isSmaller = false
                for candidate in smallest.smaller {
                    if let found = await candidate.difference() {
                        (smallest, difference, isSmaller) = (candidate, found, true)
                        break
                    }
                }
            }
        }
        return """
            seed \(seed); variation: \(smallest.variation.text)
            \(smallest.program.text)
            as written:
              \(difference.first.joined(separator: "\n  "))
            varied:
              \(difference.second.joined(separator: "\n  "))
            """
    }

    /// The same with a part less each.
    private var smaller: [MetamorphicCase] {
        let variations = variation.simpler.map { variation in
            var copy = self
            copy.variation = variation
            return copy
        }
        return variations
            + program.smaller.map { program in
                var copy = self
                copy.program = program
                return copy
            }
    }
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
                guard let report = await testCase.report() else { continue }
                FileHandle.standardError.write(Data(report.utf8))
                return
            }
        }
        let report = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        // An operation and the closing of its child may both fail, which is also reported on standard error.
        if report.contains("; variation: ") { Issue.record("\(report)") }
    }
}
