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
            var run = ProgramRun($0)
            let difference = await run.differenceFromModel()
            await run.end()
            return difference
        }
    }
}

extension ProgramRun {
    /// Runs the program, and returns the first difference from the model.
    fileprivate mutating func differenceFromModel() async -> String? {
        let (model, world) = (ProgramModel(program), world)
        var (seen, expected): ([String], [String]) = ([], [])
        let closings = containers.indices.map { Program.Step(container: $0, action: .close(fails: false)) }
        for isEnd in [false, true] {
            let steps = !isEnd ? program.steps : program.seed % 2 == 0 ? closings : closings.reversed()
            for (index, step) in steps.enumerated() {
                let result = await perform(step, index)
                seen += lines(result?.summary, world.lines.takeAll(), step, isEnd)
                expected += lines(model.perform(step), model.log.lines, step, isEnd)
                model.log.lines = []
            }
            // A closure that runs again builds uncached instances again.
            let texts = isAsync ? [seen, expected].map(ProgramOutcome.renumbered) : [seen, expected]
            let count = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
            if texts.contains(where: { $0.count > count }) {
                return texts.map { $0[count...].prefix(8).joined(separator: "\n") }.joined(separator: "\ninstead of\n")
            }
            world.letGo()
            model.held = []
            // The task of an asynchronous build may retain an instance for a moment.
            let living = model.log.living
            if isAsync { _ = await eventually(within: Self.patience) { world.living == living } }
            if world.living != living { return "\(world.living) instances live instead of \(living)" }
            _ = world.lines.takeAll()
            model.log.lines = []
        }
        return nil
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
