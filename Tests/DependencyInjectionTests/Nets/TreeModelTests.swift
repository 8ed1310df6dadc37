import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 200)

/// Runs random programs, and compares all results, builds, handlers and releases with ``ProgramModel``.
@Suite("Containers and their model", .serialized, .ownThread)
struct TreeModelTests {
    @Test("Rules 1, 2, 7, 8, 10, 11, 17, 19, 20, 23: a program does what the model predicts", arguments: 0..<10)
    func program(part: UInt64) async {
        await programs.check(part: part, of: 10) {
            Program(seed: $0, for: .model)
        } mistake: {
            await ProgramRun.with($0) { await $0.differenceFromModel() }
        }
    }
}

extension ProgramRun {
    /// Runs the program, and returns the first difference from the model.
    fileprivate mutating func differenceFromModel() async -> String? {
        let (model, world) = (ProgramModel(program), world)
        var (seen, expected): ([String], [String]) = ([], [])
        func compare(_ result: ProgramResult?, _ expectedResult: String?, _ step: Program.Step, isEnd: Bool = false) {
            seen += lines(result?.summary, world.lines.takeAll(), step, isEnd)
            expected += lines(expectedResult, model.log.lines, step, isEnd)
            model.log.lines = []
        }
        for (index, step) in program.steps.enumerated() {
            let result = await perform(step, index)
            compare(result, model.perform(step), step)
        }
        if let difference = difference(of: seen, from: expected) { return difference }
        world.letGo()
        model.held = []
        // The task of an asynchronous build may retain an instance for a moment.
        if isAsync { _ = await eventually(within: Self.patience) { world.living == model.log.living } }
        if world.living != model.log.living { return "\(world.living) instances live instead of \(model.log.living)" }
        _ = world.lines.takeAll()
        model.log.lines = []
        for index in program.seed % 2 == 0 ? Array(containers.indices) : containers.indices.reversed() {
            let step = Program.Step(container: index, action: .close(fails: false))
            let result = await perform(step, 0)
            compare(result, model.perform(step), step, isEnd: true)
        }
        return difference(of: seen, from: expected)
    }

    private func difference(of seen: [String], from expected: [String]) -> String? {
        // A closure that runs again builds uncached instances again.
        let (seen, expected) =
            isAsync ? (ProgramOutcome.renumbered(seen), ProgramOutcome.renumbered(expected)) : (seen, expected)
        let count = zip(seen, expected).prefix { $0 == $1 }.count
        if count == seen.count, count == expected.count { return nil }
        let texts = [seen, expected].map { $0[count...].prefix(8).joined(separator: "\n") }
        return texts.joined(separator: "\ninstead of\n")
    }

    /// The lines of a step that the model predicts.
    private func lines(_ result: String?, _ lines: [String], _ step: Program.Step, _ isEnd: Bool) -> [String] {
        var (releases, others) = (lines.filter { $0.hasPrefix("release") }, lines.filter { !$0.hasPrefix("release") })
        if isAsync {
            // A closure may run again, and its task may retain an instance for a moment.
            others = others.filter { $0.contains(" closes ") }
            if !isEnd { releases = [] }
        }
        switch step.action {
        case .close, .reset, .resetInstances: break
        // A thread on a queue releases nothing before it leaves the queue.
        default: releases.sort()
        }
        return ["c\(step.container) \(step.action): \(result ?? "")"] + others + releases
    }
}

extension ProgramResult {
    /// The text of a product, or the reason of an error.
    fileprivate var summary: String { isProduct ? text : text.components(separatedBy: " of ")[0] }
}
