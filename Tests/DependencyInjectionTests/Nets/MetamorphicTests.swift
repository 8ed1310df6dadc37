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

    /// Describes the change by the variation, or returns nil if it changes nothing.
    func difference() async -> String? {
        let isListed = variation.keepsListing
        let plain = await ProgramRun.outcome(of: program, isListed: isListed)
        let other = await ProgramRun.outcome(of: program, by: variation, comparedWith: plain, isListed: isListed)
        let (first, second) = (plain.lines(program, variation), other.lines(program, variation))
        if first == second { return nil }
        return "as written:\n  \(first.joined(separator: "\n  "))\nvaried:\n  \(second.joined(separator: "\n  "))"
    }

    var smaller: [MetamorphicCase] {
        variation.smaller.map { MetamorphicCase(program: program, variation: $0) }
            + program.smaller.map { MetamorphicCase(program: $0, variation: variation) }
    }

    var description: String { "variation: \(variation.text)\n\(program)" }
}

extension ExitTests {
    @Test("Rules 1, 2, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 21: same when reworded for the default container")
    static func rewordedForDefaultContainer() async {
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
        let report = result.standardError
        // An operation and the closing of its child may both fail, which is also reported on standard error.
        if report.contains("variation: ") { Issue.record("\(report)") }
    }
}

extension MetamorphicCase {
    init(seed: UInt64) {
        program = Program(seed: seed)
        variation = MetamorphicVariation(seed: seed &+ 0x1234_5678)
    }
}

/// A variation of a program that must not change its outcome.
struct MetamorphicVariation: Reducible {
    enum Grouping: CaseIterable { case one, each, list, module, namedModule, nestedModules, condition, twice }
    enum Form: CaseIterable { case asWritten, closure, trailing, autowired, value }
    /// The kind of the first container. Only a process of its own has a default container of its own.
    enum Root: CaseIterable {
        case container, fork, forkOfFork, overrides, defaultContainer

        static let allCases: [Root] = [.container, .fork, .forkOfFork, .overrides]
    }
    /// The handle that sends a request.
    enum Handle: CaseIterable {
        case orThrow, plain, inferred, optional, provider, ownProvider, optionalProvider, all, async, alias
        case inject, mutableInject, lazyInject, mutableLazyInject, rememberingLazyInject, rememberingMutableLazyInject

        /// Whether it stops the program instead of throwing.
        var traps: Bool {
            switch self {
            case .orThrow, .optional, .provider, .ownProvider, .optionalProvider, .async, .alias: false
            default: true
            }
        }
    }
    /// The receiver of a request: the container, or a handle that should return the same.
    enum Place: CaseIterable { case container, current, child, grandchild }
    /// The container in whose scope a request is made.
    enum Surroundings: CaseIterable { case requested, parent, other, none }
    enum Thread: CaseIterable { case task, queue, thread, four }

    var grouping = Grouping.one
    var form = Form.asWritten
    var root = Root.container
    var isObserved = false
    /// Whether unnamed keys get a name.
    var names = false
    var prepares = false
    /// Whether each registration also belongs to a collection, which is never requested.
    var contributes = false
    /// A seed, or nil for the same handle at each request.
    var handles: UInt64?
    var places: UInt64?
    var surroundings = Surroundings.requested
    var thread = Thread.task

    init() {}

    init(seed: UInt64) {
        var random = SmallGenerator(seed: seed)
        func chance() -> Bool { Int.random(in: 0..<3, using: &random) == 0 }
        if chance() { grouping = .allCases.randomElement(using: &random)! }
        if chance() { form = .allCases.randomElement(using: &random)! }
        if chance() { root = .allCases.randomElement(using: &random)! }
        isObserved = chance()
        names = chance()
        prepares = chance()
        contributes = chance()
        if chance() { handles = random.next() }
        if chance() { places = random.next() }
        if chance() { surroundings = .allCases.randomElement(using: &random)! }
        if chance() { thread = .allCases.randomElement(using: &random)! }
    }

    /// Whether listings and findings stay as they are. Other forms have other dependencies that are known.
    var keepsListing: Bool {
        form == .asWritten && !names && handles == nil && !prepares && places == nil && grouping != .twice
            && !contributes
    }

    /// Each with one difference less.
    var smaller: [MetamorphicVariation] {
        changing(\.grouping, to: .one) + changing(\.form, to: .asWritten) + changing(\.root, to: .container)
            + changing(\.isObserved, to: false) + changing(\.names, to: false) + changing(\.prepares, to: false)
            + changing(\.contributes, to: false) + changing(\.handles, to: nil) + changing(\.places, to: nil)
            + changing(\.surroundings, to: .requested) + changing(\.thread, to: .task)
    }

    /// Chooses the handle or the place of a step.
    static func choice<Choice: CaseIterable>(_ seed: UInt64?, at step: Int) -> Choice? {
        guard let seed else { return nil }
        var random = SmallGenerator(seed: seed &+ UInt64(step))
        return Array(Choice.allCases).randomElement(using: &random)
    }

    /// Describes the difference from the unchanged program.
    var text: String { differences(of: self, from: MetamorphicVariation()) }
}
