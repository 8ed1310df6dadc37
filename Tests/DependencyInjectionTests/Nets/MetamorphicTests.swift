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

    @Test("Rule 22: findings do not depend on the order of a factory's requests", arguments: 0..<4)
    func findingsInAnyOrder(part: UInt64) async {
        await programs.check(part: part, of: 4) {
            Program(seed: $0).autowired
        } mistake: { program in
            let findings = await Self.findings(of: program)
            let others = await Self.findings(of: program.withReversedDependencies)
            return findings == others ? nil : "\(findings)\nwith reversed dependencies:\n\(others)"
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
