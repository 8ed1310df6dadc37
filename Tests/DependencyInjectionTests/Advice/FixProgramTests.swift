import Foundation
import Testing

@testable import DependencyInjection

/// Follows each fix of each generated program that fails, until a program runs.
@Suite("Rule 18: following the fix")
struct FixProgramTests {
    typealias Program = FixProgram

    private static let lifetimes: [Lifetime] = [.shared, .weak, .scoped, .graph, .new]

    /// A registration for each lifetime, plain, on the main actor, and asynchronous.
    private static func each(_ kind: Program.Kind) -> [Program.Registered] {
        lifetimes.flatMap { lifetime in
            let plain = Program.Registered(kind: kind, lifetime: lifetime)
            var (isolated, awaited) = (plain, plain)
            isolated.isMainActor = true
            awaited.isAsync = true
            return lifetime.ofAsyncFactories == lifetime ? [plain, isolated, awaited] : [plain, isolated]
        }
    }

    /// Requests to the container for a type that may be registered as another type, under a name, or in the parent.
    static let requests: [Program] = {
        var programs: [Program] = []
        let kinds: [Program.Kind] = [.anchor, .gear]
        for (kind, name) in kinds.flatMap({ [($0, nil), ($0, "main")] }) {
            for variant in 0..<4 {
                let request = Program.Request(
                    kind: kind, name: name, hasArgument: variant & 1 == 1, isAwaited: variant & 2 == 2)
                programs.append(Program(registered: [], request: request))
                for var known in kinds.flatMap(each) {
                    for place in 0..<8 {
                        known.name = place & 1 == 1 ? "main" : nil
                        known.isInParent = place & 2 == 2
                        known.takesArgument = place & 4 == 4 && !known.isAsync
                        programs.append(Program(registered: [known], request: request))
                    }
                }
            }
        }
        return programs
    }()

    /// Requests for a type whose factory requests another type.
    static let users: [Program] = {
        var programs: [Program] = []
        for var user in each(.boat) {
            user.dependency = Program.Request(kind: .anchor, isAwaited: user.isAsync)
            let request = Program.Request(kind: .boat, isAwaited: user.isAsync)
            for var known in each(.anchor) + each(.gear) {
                for place in 0..<8 {
                    user.isInParent = place & 1 == 1
                    known.isInParent = place & 2 == 2
                    known.takesArgument = place & 4 == 4 && !known.isAsync
                    programs.append(Program(registered: [known, user], request: request))
                }
            }
        }
        return programs
    }()

    /// Decorators, declarations, and types that depend on themselves or on each other.
    static let others: [Program] = {
        var programs: [Program] = []
        for var anchor in each(.anchor) {
            let request = Program.Request(kind: .anchor, isAwaited: anchor.isAsync)
            programs.append(Program(registered: [], request: request, isDeclaring: true))
            anchor.isInParent = true
            programs.append(Program(registered: [anchor], request: request, isDecorating: true))
            anchor.isInParent = false
            for var boat in each(.boat) where boat.isAsync == anchor.isAsync && boat.isMainActor == anchor.isMainActor {
                let request = Program.Request(
                    kind: .boat, isAwaited: anchor.isAsync, isOnMainActor: anchor.isMainActor)
                boat.dependency = request
                programs.append(Program(registered: [boat], request: request))
                boat.dependency?.kind = .anchor
                anchor.dependency = request
                programs.append(Program(registered: [anchor, boat], request: request))
            }
        }
        return programs
    }()

    /// Programs in containers that have other places in their trees.
    static let otherShapes: [Program] = {
        let shapes = Program.Shape.allCases.filter { $0 != .child }
        let shaped = (requests + users).enumerated().map { index, program in
            var copy = program
            copy.shape = shapes[index % shapes.count]
            return copy
        }
        return shaped
            + shapes.flatMap { shape in
                others.map { program in
                    var copy = program
                    copy.shape = shape
                    return copy
                }
            }
    }()

    @Test("Each alternative of a fix leads to a program that runs", arguments: [requests, users, others, otherShapes])
    func follow(_ programs: [Program]) async {
        var known: [Program: Bool] = [:]
        var problems: [String] = []
        for program in programs where problems.count < 10 {
            await follow(program, after: [], known: &known, problems: &problems)
        }
        for problem in problems { Issue.record("\(problem)") }
        #expect(known.values.count { !$0 } > 50)
    }

    /// Runs a program, and follows the alternatives of its fix. Records a problem if an error repeats.
    private func follow(
        _ program: Program, after texts: [String], known: inout [Program: Bool], problems: inout [String]
    ) async {
        guard known[program] == nil, problems.count < 10 else { return }
        do {
            try await program.run()
            known[program] = true
        } catch let error as ResolutionError {
            known[program] = false
            let text = error.description
            let story = (texts + [text]).joined(separator: "\n")
            if texts.count > 8 || texts.contains(text) { return problems.append("\(program)\n\(story)") }
            let isOfBoat = error.report.path.contains { $0.type == Boat.self }
            let fixes = text.components(separatedBy: "\n  fix: ").last?.components(separatedBy: "\n   or: ") ?? []
            for fix in fixes {
                guard let match = Self.match(of: fix) else { return problems.append("No rule for \(fix)\n\(story)") }
                if let followInPart = Program.rules[match.rule].followInPart {
                    var less = program
                    followInPart(&less)
                    if (try? await less.run()) != nil {
                        problems.append("A part suffices of \(fix)\n\(program)\n\(story)")
                    }
                }
                var next = program
                Program.rules[match.rule].follow(&next, match.parts, isOfBoat)
                await follow(next, after: texts + [text, fix], known: &known, problems: &problems)
            }
        } catch { problems.append("\(program): \(error)") }
    }

    private struct Match: Sendable {
        let rule: Int
        let parts: [String]
    }

    /// The matches so far, because matching many patterns takes long.
    private static let matches = Locked<[String: Match?]>([:])

    /// Returns the rule of a fix, and the texts that it captures.
    private static func match(of fix: String) -> Match? {
        if let known = matches.withLock({ $0[fix] }) { return known }
        let found = Program.rules.indices.lazy.compactMap { rule -> Match? in
            guard let match = try? Regex(Program.rules[rule].pattern).wholeMatch(in: fix) else { return nil }
            return Match(rule: rule, parts: match.output.dropFirst().map { $0.substring.map(String.init) ?? "" })
        }.first
        matches.withLock { $0[fix] = .some(found) }
        return found
    }
}
