import Foundation

@testable import DependencyInjection

extension FixProgram {
    /// The programs that follow an alternative of a fix, of which each has to work. Nil if the text is unknown, or if it
    /// can't be followed.
    func following(_ advice: String, of error: ResolutionError) -> [FixProgram]? {
        Self.match(of: advice).flatMap { Self.rules[$0.rule].apply(self, $0.parts, error) }
    }

    /// The rule of an advice, and the parts of the text.
    private struct Match: Sendable {
        let rule: Int
        let parts: [String]
    }

    /// The matches of the texts so far, because it takes long to match many patterns.
    private static let matches = Locked<[String: Match?]>([:])

    private static func match(of advice: String) -> Match? {
        if let known = matches.withLock({ $0[advice] }) { return known }
        let found = rules.indices.lazy.compactMap { index -> Match? in
            guard let match = try? Regex(rules[index].pattern).wholeMatch(in: advice) else { return nil }
            return Match(rule: index, parts: match.output.dropFirst().map { $0.substring.map(String.init) ?? "" })
        }.first
        matches.withLock { $0[advice] = .some(found) }
        return found
    }

    /// A pattern of an advice, and the change that follows it. The change gets the captured parts.
    private struct Rule: Sendable {
        let pattern: String
        let apply: @Sendable (FixProgram, [String], ResolutionError) -> [FixProgram]?

        init(_ pattern: String, _ apply: @escaping @Sendable (FixProgram, [String], ResolutionError) -> [FixProgram]?) {
            self.pattern = pattern
            self.apply = apply
        }

        /// A rule that changes a copy, and returns whether it could.
        init(
            _ pattern: String, change: @escaping @Sendable (inout FixProgram, [String], ResolutionError) -> Bool
        ) {
            self.init(pattern) { program, parts, error in
                var program = program
                return change(&program, parts, error) ? [program] : nil
            }
        }
    }

    private static let rules = missing + arguments + cycles + asynchronous + others

    // MARK: Texts

    /// Parses code such as `Shared(async: { (_, _: Int) in … as any Gear }, name: "main", as: (any Gear).self)`.
    private static func parse(_ code: String) -> Registered? {
        guard let match = code.firstMatch(of: /^(Shared|New|Weak|Scoped|Graph)\b/),
            let made = code.firstMatch(of: /… as (any Gear|Anchor|Boat|Crew)/), let kind = Kind(rawValue: "\(made.1)")
        else { return nil }
        let lifetimes: [Lifetime] = [.shared, .new, .weak, .scoped, .graph]
        return Registered(
            kind: kind, lifetime: lifetimes.first { $0.title == match.1 } ?? .shared,
            isAsync: code.contains("async:"), isMainActor: code.contains("mainActor:"),
            parameter: code.contains("_: Int") ? .int : code.contains("_: String") ? .string : nil,
            name: name(in: code), hasAlias: code.contains(", as: (any Gear).self"))
    }

    private static func name(in code: String) -> String? { code.firstMatch(of: /name: "(\w+)"/).map { "\($0.1)" } }

    private static func kind(in code: String) -> Kind? {
        Kind.allCases.first { code.hasPrefix("\($0.rawValue)") || code.contains("\(metatype(of: $0))") }
    }

    private static func metatype(of kind: Kind) -> String {
        kind == .gear ? "(any Gear).self" : "\(kind.rawValue).self"
    }

    /// Whether code requests the type of a request.
    private func requests(_ code: String, at line: UInt, allows others: Bool = false) -> Bool {
        guard let kind = Self.kind(in: code) else { return false }
        var program = self
        var isSame = false
        _ = program.changeRequest(at: line) { isSame = $0.kind == kind || others }
        return isSame
    }

    /// The container that makes the request at a line.
    private func level(ofRequestAt line: UInt) -> Level {
        guard let level = level(where: { $0.dependency?.line == line }),
            let user = registered.values.joined().first(where: { $0.dependency?.line == line })
        else { return requester }
        return user.lifetime.isCachedByOwner ? level : requester
    }

    // MARK: Nothing is registered

    private static let missing = [
        Rule(#"register (.+) with `Scoped` or `New`, so that the child builds it"#) { program, parts, _ in
            [Lifetime.scoped, .new].compactMap { lifetime in
                var copy = program
                let isChanged = copy.change {
                    $0.kind.rawValue == parts[0]
                } _: {
                    $0.lifetime = lifetime
                }
                if program.declaring != nil, program.level(where: { $0.kind == .anchor }) == nil {
                    // The child that the declaration is about.
                    copy.add(Registered(kind: .anchor, lifetime: .shared), at: .child)
                    copy.requester = .child
                }
                return isChanged ? copy : nil
            }
        },
        Rule(#"register (any Gear|\w+)(?: named "(\w+)")? in the parent"#) { program, parts, error in
            guard let kind = Kind(rawValue: parts[0]) else { return false }
            program.add(
                Registered(kind: kind, lifetime: .shared, name: parts[1].isEmpty ? nil : parts[1]),
                at: program.level(ofRequestAt: error.line))
            return true
        },
        Rule(#"register it in a child, and resolve from that child: `container.makeChild \{ (.+) \}`"#) {
            program, parts, _ in
            // A child of the container that declares it.
            guard let new = parse(parts[0]), let declaring = program.declaring,
                let child = Level(rawValue: declaring.rawValue + 1)
            else { return false }
            program.requester = max(program.requester, child)
            program.add(new, at: child)
            return true
        },
        Rule(#"register it: `(container|parent)\.register \{ (.+) \}`"#) { program, parts, error in
            guard let new = parse(parts[1]) else { return false }
            let level = program.level(ofRequestAt: error.line)
            // The parent of the container that got the request.
            if (parts[0] == "parent") != (level < program.requester) { return false }
            program.add(new, at: level)
            return true
        },
        Rule(#"register (?:it|it as that type|the implementation|it under the name): `(.+)`"#) {
            program, parts, error in
            guard let new = parse(parts[0]) else { return false }
            let level = program.level(ofRequestAt: error.line)
            // A type of the main actor needs `mainActor:` to compile.
            let isIsolated = program.registered.values.joined().contains { $0.isMainActor }
            if new.isMainActor != isIsolated { return false }
            // In place of the candidate, if the request sees it.
            program.add(new, at: program.level { $0.kind != .boat && $0.kind != .crew }.map { min($0, level) } ?? level)
            return true
        },
        Rule(#"resolve from the container that registers it: `app.resolve\((.+)\)`, `@Inject\(from: app\)` or .*"#) {
            program, parts, error in
            guard program.requests(parts[0], at: error.line) else { return false }
            let request = program.request
            let isMeant = { (known: Registered) in known.kind == request.kind && known.name == request.name }
            if let level = program.level(where: isMeant) {
                program.requester = level
            } else {
                // The advice assumes that there is one.
                program.add(
                    Registered(kind: request.kind, lifetime: .new, parameter: request.argument, name: request.name),
                    at: program.requester)
            }
            return true
        },
        Rule(#"request it by its name: `(try await )?resolve(?:\.async)?\((.+)\)`"#) { program, parts, error in
            guard program.requests(parts[1], at: error.line), let name = name(in: parts[1]) else { return false }
            return program.changeRequest(at: error.line) {
                $0.name = name
                $0.form = parts[0].isEmpty ? .plain : .awaited
            }
        },
        Rule(#"pass a closure in place of `autowiring:`(?: and `arguments:`)?: `\{ (.+) \}`"#) {
            program, parts, error in
            guard let name = name(in: parts[0].replacing("resolve(name:", with: "name:")) else { return false }
            let isAutowired = program.change {
                $0.dependency?.line == error.line && $0.isAutowired
            } _: {
                $0.isAutowired = false
            }
            return isAutowired && program.changeRequest(at: error.line) { $0.name = name }
        },
        Rule(#"request it without a name"#) { program, _, error in
            program.changeRequest(at: error.line) { $0.name = nil }
        },
        Rule(#"add `as: \(any Gear\).self` to the registration at Fix/Program.swift:(\d+)"#) { program, parts, _ in
            program.change {
                "\($0.line)" == parts[0] && $0.kind == .anchor
            } _: {
                $0.hasAlias = true
            }
        },
        Rule(#"request the registered type: `(try await )?resolve(?:\.async)?\((.+)\)`"#) { program, parts, error in
            program.changeRequest(at: error.line) { request in
                request.kind = kind(in: parts[1]) ?? request.kind
                request.name = name(in: parts[1])
                request.form = parts[0].isEmpty ? .plain : .awaited
            }
        },
        Rule(#"change the type of the parameter to `(any Gear|\w+)`"#) { program, parts, error in
            program.changeRequest(at: error.line) { $0.kind = Kind(rawValue: parts[0]) ?? $0.kind }
        },
    ]

    // MARK: Arguments

    private static let arguments = [
        Rule(#"request it without arguments: `(try await )?resolve(?:\.async)?\((.+)\)`"#) { program, parts, error in
            guard program.requests(parts[1], at: error.line) else { return false }
            return program.changeRequest(at: error.line) {
                $0.argument = nil
                $0.form = parts[0].isEmpty ? .plain : .awaited
            }
        },
        Rule(#"register a factory with arguments: `(.+)`"#) { program, parts, error in
            guard let new = parse(parts[0]) else { return false }
            let known = program.level { $0.kind == new.kind && $0.name == new.name }
            program.add(new, at: known ?? program.level(ofRequestAt: error.line))
            return true
        },
        Rule(#"pass arguments of these types: `(try await )?resolve(?:\.async)?\((.+), arguments: …\)`"#) {
            program, parts, error in
            guard program.requests(parts[1], at: error.line) else { return false }
            let expected = error.reason.expectedArguments?.filter { $0.isLetter } ?? ""
            _ = program.change {
                $0.dependency?.line == error.line
            } _: {
                $0.isAutowired = false
            }
            return program.changeRequest(at: error.line) {
                $0.argument = Argument(rawValue: expected)
                $0.form = parts[0].isEmpty ? .plain : .awaited
            }
        },
        Rule(#"inject a `Provider<(any Gear|\w+), (Int|String)>`, and call it with them"#) { program, parts, error in
            guard program.requests(parts[0], at: error.line) else { return false }
            return program.changeRequest(at: error.line) {
                $0.argument = Argument(rawValue: parts[1])
                $0.form = .provider
            }
        },
    ]

    // MARK: Cycles

    private static let cycles = [
        Rule(#"inject a `Provider<(any Gear|\w+)(?:, (Int))?>`, and call it after the initializer"#) {
            program, parts, _ in
            program.change {
                $0.dependency?.kind.rawValue == parts[0]
            } _: {
                $0.dependency?.form = .provider
                $0.dependency?.argument = Argument(rawValue: parts[1])
            }
        },
        Rule(#"inject (any Gear|\w+) with `@LazyInject`, unless its owner has to be `Sendable`"#) { program, parts, _ in
            // A lazy wrapper resolves as a provider without arguments does.
            program.change {
                $0.dependency?.kind.rawValue == parts[0]
            } _: {
                $0.dependency?.form = .provider
                $0.dependency?.argument = nil
            }
        },
        Rule(
            #"store the resolver, and call `try await resolve.async\((.+?)(?:, arguments: …)?\)` after the initializer"#
        ) {
            program, parts, error in
            guard program.requests(parts[0], at: error.line, allows: true), let kind = kind(in: parts[0]) else {
                return false
            }
            program.circle = 0
            return program.change {
                $0.dependency?.kind == kind && $0.isAsync
            } _: {
                $0.dependency?.form = .later
            }
        },
        Rule(
            #"connect the instances in one factory, because a lazy wrapper would resolve another instance: `Graph .+`"#
        ) { program, _, _ in
            let first = program.registered[.own, default: []].first { $0.lifetime == .graph }
            guard let first else { return nil }
            var connected = program
            _ = connected.change {
                $0.dependency?.kind == first.kind
            } _: {
                $0.dependency = nil
            }
            _ = connected.change {
                $0.kind == first.kind
            } _: {
                $0.connects = true
            }
            var whole = connected
            whole.request.kind = first.kind
            return [connected, whole]
        },
        Rule(
            #"register the inner instance under a name, and request it by that name: `(try await )?resolve(?:\.async)?\((.+)\)`"#
        ) {
            program, parts, error in
            guard program.requests(parts[1], at: error.line), let name = name(in: parts[1]),
                let level = program.level(where: { $0.dependency?.line == error.line }),
                var inner = program.registered[level]?.first(where: { $0.dependency?.line == error.line })
            else { return false }
            inner.dependency = nil
            inner.name = name
            program.add(inner, at: level)
            program.circle = 0
            return program.changeRequest(at: error.line) {
                $0.name = name
                if !parts[0].isEmpty { $0.form = .awaited }
            }
        },
        Rule(#"wrap the earlier registration, if there is one: `Decorate\(Anchor.self\) .+`"#) {
            program, _, error in
            program.circle = 0
            program.decorating = FixProgram.Level.allCases.filter { $0 == program.level { $0.kind == .anchor } }
            return program.change {
                $0.dependency?.line == error.line
            } _: {
                $0.dependency = nil
            }
        },
    ]

    // MARK: Asynchronous factories

    private static let asynchronous = [
        Rule(#"call `try await container.prepare\(\)` before the first request"#) { program, _, _ in
            program.preparations.append(.prepare)
            return true
        },
        Rule(#"call `try await child.prepare\(\)` first in the operation of `withChild .+`"#) { program, _, _ in
            // The requester is the child of the operation.
            guard program.requester == .child || !program.isRoot else { return false }
            program.preparations.append(.prepare)
            return true
        },
        Rule(#"request it in a child, after `try await child.prepare\(\)`"#) { program, _, _ in
            program.requester = .child
            program.preparations.append(.prepare)
            return true
        },
        Rule(#"request it with `try await resolve.async\((.+?)(, arguments: …)?\)`"#) { program, parts, error in
            guard program.requests(parts[0], at: error.line, allows: true) else { return false }
            if program.request.line == error.line {
                program.request.form = .awaited
                if !parts[1].isEmpty { program.request.argument = .int }
            } else {
                // Another request before the one that led there.
                guard let kind = kind(in: parts[0]) else { return false }
                program.preparations.append(
                    .request(
                        Request(kind: kind, name: name(in: parts[0]), argument: parts[1].isEmpty ? nil : .int)))
            }
            return true
        },
        Rule(
            #"register (\w+) with `(?:(\w+)\()?async:\)?`, and await the request in it: `try await resolve.async\((.+?)(, arguments: …)?\)`"#
        ) { program, parts, error in
            guard program.requests(parts[2], at: error.line, allows: true) else { return false }
            let lifetimes: [Lifetime] = [.shared, .scoped, .new]
            _ = program.change {
                $0.dependency?.line == error.line
            } _: { known in
                known.lifetime = lifetimes.first { $0.title == parts[1] } ?? known.lifetime
            }
            let isPossible = program.change {
                $0.dependency?.line == error.line && $0.kind.rawValue == parts[0] && lifetimes.contains($0.lifetime)
            } _: {
                $0.isAsync = true
                $0.dependency?.form = .awaited
                if !parts[3].isEmpty { $0.dependency?.argument = .int }
            }
            program.request.form = .awaited
            return isPossible
        },
    ]

    // MARK: The main actor, and decorators

    private static let others = [
        Rule(#"register (\w+) with `mainActor:`: `(\w+)\(mainActor: .+\)`"#) { program, parts, error in
            program.isOnMainActor = true
            return program.change {
                $0.dependency?.line == error.line && $0.kind.rawValue == parts[0] && $0.lifetime.title == parts[1]
                    && !$0.isAutowired
            } _: {
                $0.isMainActor = true
            }
        },
        Rule(#"register (\w+) on the main actor: `(\w+)\(autowiring: \{ @MainActor .+\)`"#) { program, parts, error in
            program.isOnMainActor = true
            return program.change {
                $0.dependency?.line == error.line && $0.kind.rawValue == parts[0] && $0.lifetime.title == parts[1]
                    && $0.isAutowired
            } _: {
                $0.isMainActor = true
            }
        },
        Rule(#"request it on the main actor: mark the caller `@MainActor`, or call `await MainActor.run \{ … \}`"#) {
            program, _, error in
            // The caller may be an asynchronous factory.
            let isInFactory = program.change {
                $0.dependency?.line == error.line && $0.isAsync
            } _: {
                $0.dependency?.form = .onMainActor
            }
            program.isOnMainActor = !isInFactory
            return true
        },
        Rule(#"decorate it in the parent"#) { program, _, _ in
            guard let level = program.level(where: { $0.kind == .anchor }) else { return false }
            program.decorating = [level]
            return true
        },
        Rule(#"also register it in the child"#) { program, _, _ in
            guard let level = program.decorating.first else { return false }
            program.add(Registered(kind: .anchor, lifetime: .shared), at: level)
            return true
        },
        Rule(#"use a fork instead of the child: `container.fork \{ … \}`"#) { program, _, _ in
            program.isFork = true
            return true
        },
    ]

    /// The alternatives of the fix in a text.
    static func alternatives(in text: String) -> [String] {
        let parts = text.components(separatedBy: "\n  fix: ")
        return parts.count < 2 ? [] : parts[1].components(separatedBy: "\n   or: ")
    }
}
