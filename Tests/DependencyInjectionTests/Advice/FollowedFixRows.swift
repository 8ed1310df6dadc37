import Foundation

@testable import DependencyInjection

/// A generated program, which may fail.
struct FixRow: Sendable, CustomStringConvertible {
    enum Shape: CaseIterable {
        /// A request for a type that may be registered.
        case direct
        /// A request for a type whose factory requests one that may be registered.
        case user
        /// The same types by their protocol, or the reverse.
        case role
        case providedByChild, mainActor, cycle, selfCycle, decorator
    }

    let description: String
    let program: FixProgram

    // MARK: The tables

    private static let lifetimes: [Lifetime] = [.shared, .weak, .scoped, .graph, .new]

    /// A registration for each lifetime, plain and asynchronous.
    private static func each(_ kind: FixProgram.Kind, autowired: Bool = false) -> [FixProgram.Registered] {
        lifetimes.map { FixProgram.Registered(kind: kind, lifetime: $0) }
            + (autowired ? lifetimes.map { FixProgram.Registered(kind: kind, lifetime: $0, isAutowired: true) } : [])
            + [Lifetime.shared, .scoped, .new].map { FixProgram.Registered(kind: kind, lifetime: $0, isAsync: true) }
    }

    /// The places of a registration, and the containers that a request to one of them is made to.
    private struct Place {
        let level: FixProgram.Level?
        let isRoot: Bool
        let requester: FixProgram.Level
    }

    private static let places = [
        Place(level: nil, isRoot: true, requester: .own), Place(level: nil, isRoot: false, requester: .own),
        Place(level: .own, isRoot: true, requester: .own), Place(level: .own, isRoot: false, requester: .own),
        Place(level: .parent, isRoot: false, requester: .own), Place(level: .child, isRoot: false, requester: .own),
        Place(level: .child, isRoot: true, requester: .own), Place(level: .child, isRoot: false, requester: .child),
    ]

    static func all(of shape: Shape) -> [FixRow] {
        switch shape {
        case .direct: direct
        case .user: users
        case .role: roles
        case .providedByChild: providedByChild
        case .mainActor: mainActor
        case .cycle: cycles
        case .selfCycle: selfCycles
        case .decorator: decorators
        }
    }

    /// Adds a registration that has nothing to do with the request, to each container.
    private static func addOthers(to program: inout FixProgram) {
        for level in FixProgram.Level.allCases where level != .parent || !program.isRoot {
            program.add(FixProgram.Registered(kind: .crew, lifetime: .shared), at: level)
        }
    }

    private static var direct: [FixRow] {
        var rows: [FixRow] = []
        for place in places {
            for target in place.level == nil ? [.init(kind: .anchor, lifetime: .new)] : each(.anchor) {
                for parameter in [nil, FixProgram.Argument.int] {
                    for name in [nil, "main"] {
                        for argument in [nil, FixProgram.Argument.int, .string] {
                            for variant in 0..<8 {
                                var program = FixProgram(request: .init(kind: .anchor, argument: argument))
                                program.isRoot = place.isRoot
                                program.requester = place.requester
                                if variant & 1 == 1 { program.request.form = .awaited }
                                if variant & 2 == 2 { addOthers(to: &program) }
                                if variant & 4 == 4 { program.request.name = "main" }
                                var target = target
                                target.parameter = parameter
                                target.name = name
                                if let level = place.level { program.add(target, at: level) }
                                // Another name and other arguments, or a request that doesn't await, would be two faults.
                                let isAwaited = program.request.form == .awaited || !target.isAsync
                                let isSeen = place.level.map { $0 <= place.requester } ?? true
                                // Other registrations change only what is missing.
                                if variant & 2 == 2, isSeen, parameter != nil || name != nil { continue }
                                if program.request.name == name && isSeen || argument == parameter && isAwaited {
                                    rows.append(FixRow(program))
                                }
                            }
                        }
                    }
                }
            }
        }
        return rows
    }

    private static var users: [FixRow] {
        var rows: [FixRow] = []
        for place in places {
            for target in place.level == nil ? [.init(kind: .anchor, lifetime: .new)] : each(.anchor) {
                for user in each(.boat, autowired: true) {
                    if user.isAutowired, ![.shared, .weak, .new].contains(user.lifetime) { continue }
                    for userLevel in [FixProgram.Level.own, .parent] where userLevel == .own || !place.isRoot {
                        for variant in 0..<8 {
                            // If the dependent doesn't see the registration, every other problem is a second fault.
                            if variant & 1 == 1, target.lifetime != .shared, target.lifetime != .new { continue }
                            let builder = user.lifetime.isCachedByOwner ? userLevel : place.requester
                            let isSeen = place.level.map { $0 <= builder } ?? true
                            if !isSeen, variant & 5 != 0 || target.isAsync && !user.isAsync { continue }
                            // A registration under a name has the same faults for every lifetime. Parameters would be
                            // a second fault.
                            if variant & 4 == 4 {
                                let isSecondFault = variant & 1 == 1 || target.isAsync && !user.isAsync
                                if isSecondFault || target.lifetime != .shared { continue }
                            }
                            var program = FixProgram(request: .init(kind: .boat))
                            program.isRoot = place.isRoot
                            program.requester = place.requester
                            var (target, user) = (target, user)
                            if variant & 1 == 1 { target.parameter = .int }
                            // A plain request would be another fault.
                            if variant & 2 == 2 || user.isAsync { program.request.form = .awaited }
                            if variant & 4 == 4 { target.name = "main" }
                            user.dependency = .init(kind: .anchor, form: user.isAsync ? .awaited : .plain)
                            if variant & 3 == 0 { addOthers(to: &program) }
                            if let level = place.level { program.add(target, at: level) }
                            program.add(user, at: userLevel)
                            rows.append(FixRow(program))
                        }
                    }
                }
            }
        }
        return rows
    }

    private static var roles: [FixRow] {
        var rows: [FixRow] = []
        for (registered, requested) in [(FixProgram.Kind.anchor, FixProgram.Kind.gear), (.gear, .anchor)] {
            for level in [FixProgram.Level.own, .parent] {
                let isolated = lifetimes.map {
                    FixProgram.Registered(kind: registered, lifetime: $0, isMainActor: true)
                }
                for target in each(registered) + isolated {
                    for variant in 0..<16 {
                        var program = FixProgram(request: .init(kind: requested))
                        var target = target
                        // The fix shows a factory with the parameters of the candidate.
                        if variant & 1 == 1 {
                            target.parameter = .int
                            program.request.argument = .int
                        }
                        if variant & 2 == 2 { target.name = "main" }
                        if target.isAsync { program.request.form = .awaited }
                        program.isOnMainActor = target.isMainActor
                        program.add(target, at: level)
                        if variant & 12 != 0 {
                            if variant & 1 == 1 || target.isAsync && variant & 8 == 8 { continue }
                            program.request = .init(kind: .boat, form: target.isAsync ? .awaited : .plain)
                            let user = FixProgram.Registered(
                                kind: .boat, lifetime: .new, isAsync: target.isAsync, isAutowired: variant & 8 == 8,
                                dependency: .init(kind: requested, form: target.isAsync ? .awaited : .plain))
                            program.add(user, at: .own)
                        }
                        rows.append(FixRow(program))
                    }
                }
            }
        }
        return rows
    }

    private static var providedByChild: [FixRow] {
        var rows: [FixRow] = []
        for declaring in [FixProgram.Level.own, .parent] {
            for user in [nil] + each(.boat, autowired: true).map(Optional.init) {
                for userLevel in user == nil ? [FixProgram.Level.own] : [.own, .parent] {
                    for requester in [FixProgram.Level.own, .child] {
                        for isRegistered in requester == .child ? [false, true] : [false] {
                            var program = FixProgram(request: .init(kind: user == nil ? .anchor : .boat))
                            program.declaring = declaring
                            program.requester = requester
                            addOthers(to: &program)
                            if var user {
                                if user.isAsync { program.request.form = .awaited }
                                user.dependency = .init(kind: .anchor, form: user.isAsync ? .awaited : .plain)
                                program.add(user, at: userLevel)
                            }
                            if isRegistered {
                                program.add(FixProgram.Registered(kind: .anchor, lifetime: .shared), at: .child)
                            }
                            rows.append(FixRow(program))
                        }
                    }
                }
            }
        }
        return rows
    }

    private static var mainActor: [FixRow] {
        var rows: [FixRow] = []
        for level in [FixProgram.Level.own, .parent] {
            for lifetime in lifetimes {
                for user in [nil] + each(.boat, autowired: true).map(Optional.init) {
                    for parameter in [nil, FixProgram.Argument.int] {
                        let target = FixProgram.Registered(kind: .anchor, lifetime: lifetime, isMainActor: true)
                        var program = FixProgram(request: .init(kind: user == nil ? .anchor : .boat))
                        program.add(target, at: level)
                        if var user {
                            if parameter != nil, user.lifetime != .new { continue }
                            user.parameter = parameter
                            program.request.argument = parameter
                            user.dependency = .init(kind: .anchor, form: user.isAsync ? .awaited : .plain)
                            if user.isAsync { program.request.form = .awaited }
                            program.add(user, at: .own)
                        }
                        rows.append(FixRow(program))
                    }
                }
            }
        }
        return rows
    }

    private static var cycles: [FixRow] {
        var rows: [FixRow] = []
        let kinds: [FixProgram.Kind] = [.anchor, .boat, .crew]
        func add(_ members: [FixProgram.Registered]) {
            for first in members.indices {
                var program = FixProgram(request: .init(kind: kinds[first]))
                program.circle = members.count
                for (index, member) in members.enumerated() {
                    var member = member
                    let next = kinds[(index + 1) % members.count]
                    member.kind = kinds[index]
                    member.dependency = .init(kind: next, form: member.isAsync ? .awaited : .plain)
                    if member.isAsync { program.request.form = .awaited }
                    if member.parameter != nil { program.request.argument = .int }
                    if members[(index + 1) % members.count].parameter != nil { member.dependency?.argument = .int }
                    program.add(member, at: .own)
                }
                rows.append(FixRow(program))
            }
        }
        for first in each(.anchor, autowired: true) {
            for second in each(.boat) where second.isAsync == first.isAsync {
                add([first, second])
                for third in each(.crew) where third.isAsync == first.isAsync && !first.isAutowired {
                    if [.shared, .graph, .new].contains(third.lifetime) { add([first, second, third]) }
                }
            }
        }
        let taking = FixProgram.Registered(kind: .anchor, lifetime: .new, parameter: .int)
        add([taking, taking])
        return rows
    }

    private static var selfCycles: [FixRow] {
        each(.anchor, autowired: true).flatMap { known in
            [FixProgram.Level.own, .parent].map { level in
                var known = known
                var program = FixProgram(request: .init(kind: .anchor, form: known.isAsync ? .awaited : .plain))
                known.dependency = .init(kind: .anchor, form: known.isAsync ? .awaited : .plain)
                program.add(known, at: level)
                return FixRow(program)
            }
        }
    }

    private static var decorators: [FixRow] {
        each(.anchor).flatMap { known in
            [false, true].compactMap { hasUser in
                // A plain factory can't request an asynchronous type.
                if hasUser, known.isAsync { return nil }
                var program = FixProgram(request: .init(kind: hasUser ? .boat : .anchor))
                program.add(known, at: .parent)
                program.decorating = [.own]
                if known.isAsync { program.request.form = .awaited }
                if hasUser {
                    program.add(
                        FixProgram.Registered(kind: .boat, lifetime: .new, dependency: .init(kind: .anchor)), at: .own)
                }
                return FixRow(program)
            }
        }
    }

    init(_ program: FixProgram) {
        self.program = program
        func text(_ request: FixProgram.Request) -> String {
            "\(request.kind.rawValue)\(request.name.map { " \"\($0)\"" } ?? "")(\(request.argument?.rawValue ?? "")) \(request.form)"
        }
        let registered = FixProgram.Level.allCases.flatMap { level in
            program.registered[level, default: []].map { known in
                var words = [
                    "\(level): \(known.isAutowired ? "autowired " : "")\(known.isAsync ? "async " : "")\(known.lifetime)"
                ]
                if known.isMainActor { words.append("on the main actor") }
                words.append("\(known.kind.rawValue)(\(known.parameter?.rawValue ?? ""))")
                if let name = known.name { words.append("\"\(name)\"") }
                if let dependency = known.dependency { words.append("→ \(text(dependency))") }
                return words.joined(separator: " ") + " :\(known.line)"
            }
        }
        let declared = program.declaring.map { ["\($0): provided by a child"] } ?? []
        let decorated = program.decorating.map { "\($0): decorated" }
        let requester = "\(text(program.request)) from the \(program.isRoot ? "root's " : "")\(program.requester)"
        description = "[\((registered + declared + decorated).joined(separator: "; "))] \(requester)"
    }

    // MARK: Checks

    /// Returns a text for each wrong line of an error, and for each alternative of its fix that doesn't work.
    static func problems(of row: FixRow, _ error: ResolutionError) async -> [String] {
        let text = "\(error)"
        var problems = row.problems(ofPlacesIn: text, error).map { "\(row): \($0)\n\(text)" }
        let alternatives = FixProgram.alternatives(in: text)
        if alternatives.isEmpty { problems.append("\(row): no fix\n\(text)") }
        for advice in alternatives {
            guard let followed = row.program.following(advice, of: error), !followed.isEmpty else {
                problems.append("\(row): can't follow \"\(advice)\"\n\(text)")
                continue
            }
            for program in followed {
                do { try await program.run() } catch {
                    problems.append("\(row): after \"\(advice)\": \(FixRow(program))\n\(text)\n\(error)")
                }
            }
        }
        return problems
    }

    /// Compares each place in the text with the registrations and requests of the program.
    private func problems(ofPlacesIn text: String, _ error: ResolutionError) -> [String] {
        var problems: [String] = []
        let registered = program.registered.values.joined()
        let place = /Fix\/Program\.swift:(\d+)/
        for line in text.components(separatedBy: "\n  fix: ")[0].components(separatedBy: "\n").dropFirst() {
            let lines = line.matches(of: place).compactMap { UInt($0.1) }
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("requested at") {
                // Of the request that failed, or of the outermost one.
                let isOuter = line.hasPrefix("    ")
                let expected = isOuter ? program.request.line : error.line
                if lines.first != expected { problems.append("\(words): the request is at line \(expected)") }
                let level = level(ofRequestAt: error.line)
                if !isOuter, lines.dropFirst().first != expectedLine(ofParentOf: level, error) {
                    problems.append("\(words): wrong parent of \(level)")
                }
            } else if words.hasPrefix("declared at") {
                if lines != [FixProgram.declarationLine] { problems.append("\(words): wrong declaration") }
            } else if words.hasPrefix("decorated at") {
                if lines != [FixProgram.decoratorLine] { problems.append("\(words): wrong decorator") }
            } else if words.hasPrefix("registered at") {
                let isMeant = registered.contains {
                    $0.line == lines.first && "\(error.key)".contains($0.kind.rawValue)
                }
                if !isMeant { problems.append("\(words): no registration of \(error.key)") }
            } else if let match = words.firstMatch(of: /^(?:→ )?(any Gear|\w+)(?: named "(\w+)")?  \(registered at/) {
                let isMeant = registered.contains { known in
                    known.line == lines.first && (known.kind.rawValue == match.1 || known.hasAlias)
                        && known.name == match.2.map(String.init)
                }
                let isDecorator = lines.first == FixProgram.decoratorLine && match.1 == "Anchor"
                if !isMeant, !isDecorator { problems.append("\(words): another line") }
            } else if !lines.isEmpty {
                problems.append("\(words): a place of an unknown kind")
            }
        }
        return problems
    }

    /// The container that looks up the request at a line.
    private func level(ofRequestAt line: UInt) -> FixProgram.Level {
        for level in FixProgram.Level.allCases {
            for known in program.registered[level, default: []] where known.dependency?.line == line {
                return known.lifetime.isCachedByOwner ? level : program.requester
            }
        }
        return program.requester
    }

    /// The line that the text names for the parent of a container, if a lookup failed there.
    private func expectedLine(ofParentOf level: FixProgram.Level, _ error: ResolutionError) -> UInt? {
        guard error.reason == .notRegistered, level != .parent, !(program.isRoot && level == .own) else { return nil }
        let above = FixProgram.Level.allCases.reversed().filter { $0 < level }
        return above.lazy.compactMap { program.registered[$0, default: []].first?.line }.first
    }
}
