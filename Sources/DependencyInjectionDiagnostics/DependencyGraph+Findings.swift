import DependencyInjection

extension DependencyGraph {
    /// What is wrong with the registrations, and with what they need.
    func findings() -> [ValidationFinding] {
        let users = edges.compactMap { edge in edge.to.map { ($0, edge.from) } }
        var search = FaultSearch(graph: self, users: Dictionary(users) { first, _ in first })
        for index in nodes.indices {
            search.check(index)
            for edge in needs[index] { search.check(edge) }
        }
        search.checkCycles()
        search.checkNames()
        return search.findings
    }
}

/// Goes through a graph once, and gathers what is wrong with it.
private struct FaultSearch {
    typealias Edge = DependencyGraph.Edge

    let graph: DependencyGraph
    /// The first node that needs each node.
    let users: [Int: Int]
    var findings: [ValidationFinding] = []
    /// The needs that nothing answers.
    var missing: [Edge] = []
    var reported: Set<[AnyHashable]> = []

    private var nodes: [RegistrationInfo] { graph.nodes }

    /// Reports a fault of a registration, or of a need that it has, perhaps by way of further nodes.
    private mutating func report(
        _ kind: ValidationFinding.Kind, _ text: Message, fix: Message, _ index: Int, _ edge: Edge? = nil,
        about label: Label? = nil, through way: [Int] = []
    ) {
        // A parent's registration may be in the graph once for each container that builds it, and is reported once.
        let fault: [AnyHashable] = [nodes[index].snapshot.entryID, text.text(with: .short)]
        guard reported.insert(fault + text.types.map { ObjectIdentifier($0) }).inserted else { return }
        let label = label ?? edge?.label ?? nodes[index].label
        var path = [index]
        while edge != nil, let user = users[path[0]], !path.contains(user) { path.insert(user, at: 0) }
        // An error may name what the need leads to.
        let answer = edge?.to.map { nodes[graph.base(of: $0)].base.key }
        findings.append(
            ValidationFinding(
                kind: kind, label: label, registrations: path.map { nodes[$0].registration }, text: text, fix: fix,
                errorKeys: [label.key, answer], way: way.map { nodes[$0].registration }))
    }

    // MARK: Registrations

    /// Reports what is wrong with a registration itself.
    mutating func check(_ index: Int) {
        let node = nodes[index]
        let key = node.label
        for replaced in node.replaced {
            report(
                .replaced, "\(key) replaces what was registered at \(replaced).",
                fix: "leave one of the two out, or give it a name.", index)
        }
        let forwarding = graph.needs[index].first?.kind
        if forwarding != .decorator, Derivation(of: node.type)?.kind == .optional {
            report(
                .optionalRegistration, "\(key) is an Optional, which answers no request.",
                fix: "register the type that it wraps.", index)
        }
        if forwarding?.isForwarding == true { return }
        if let refusal = node.base.refusal {
            report(
                .error(.factoryFailed), "\(key) cannot be built: \(refusal.description).", fix: "\(refusal.fix)", index)
        }
        if let function = node.mistakenFunction {
            report(.missingAutowiring, "\(key) is a function, not its result.", fix: function.fix, index)
        }
        if node.lifetime == .weak, !(node.type is AnyClass), !isExistential(node.type) || node.key.hasSuffix(".Type") {
            report(
                .error(.weakValueType), "\(key) is registered with Weak, and is a value, which nobody else can hold.",
                fix: "use `Shared`, or make it a class or an actor.", index)
        }
    }

    // MARK: Needs

    /// Reports what is wrong with a need.
    mutating func check(_ edge: Edge) {
        guard let target = edge.to else { return checkMissing(edge) }
        switch edge.kind {
        case .alias: checkAlias(edge, target)
        case .autowiring: checkParameter(edge, target)
        case .decorator, .observed: break
        }
    }

    /// Reports a need that nothing answers, though a parent may expect that this container does.
    private mutating func checkMissing(_ edge: Edge, expected: RegistrationInfo? = nil) {
        let user = nodes[edge.from]
        if edge.kind == .decorator {
            missing.append(edge)
            let text: Message = "\(edge.label) is decorated, and not registered."
            return report(.unusedDecorator, text, fix: "register it, too.", edge.from, edge)
        }
        // What several need is reported once.
        guard reported.insert([edge.label.key]).inserted else { return }
        missing.append(edge)
        var text: Message = "Nothing is registered for \(edge.label), which \(user.label) needs."
        if let expected { text += "\n  expected at \(expected.file):\(expected.line)" }
        // To look for them takes long, and nobody reads so many.
        let registrations = missing.count < 30 ? nodes.filter { $0.lifetime != nil }.map(\.base) : []
        let nearest = registrations.nearest(to: edge.label.type)
        if !nearest.isEmpty { text += "\n  registered are:" }
        for registration in nearest { text += "\n    \(step: registration)" }
        var fix: Message = "register it, or make the parameter an Optional."
        if edge.kind == .alias { fix = "register it, or unregister the alias, too." }
        if edge.kind == .autowiring, !user.isKept {
            fix += " If each child registers it, declare `Expected(\(edge.label.argument))`, or validate a child: "
            fix += "`child.validate()`."
        }
        report(.error(.notRegistered), text, fix: fix, edge.from, edge)
    }

    private mutating func checkAlias(_ edge: Edge, _ target: Int) {
        let chain = graph.chain(from: target).map { nodes[$0] }
        let aliases = chain.prefix { $0.snapshot.isPlainAlias }
        let user = nodes[edge.from]
        guard aliases.count < chain.count else { return }
        let made = chain[aliases.count]
        // Of two aliases in a row, the one that fails first is reported.
        let isFirst = !aliases.contains { isMismatch(of: made.type, $0.type) }
        guard isFirst, isMismatch(of: made.type, user.type) else { return }
        let subject: Message = aliases.isEmpty ? "" : "leads to \(made.label), which "
        report(
            .error(.typeMismatch),
            "\(edge.label) is registered with \(user.base.label) in `as:`, and \(subject)does not conform.",
            fix: made.mistakenFunction?.fix ?? "make it conform, or leave it out of `as:`.", edge.from, edge,
            about: user.label)
    }

    private func isMismatch(of type: any Any.Type, _ alias: any Any.Type) -> Bool {
        if let known = conforms(type, to: alias) { return !known }
        // No function conforms to a protocol. (`Any` and its like have no module.)
        return FunctionType(type) != nil && isExistential(alias) && String(reflecting: alias).contains(".")
    }

    private mutating func checkParameter(_ edge: Edge, _ target: Int) {
        let (user, base) = (nodes[edge.from], nodes[graph.base(of: target)])
        checkKept(edge)
        if base.isExpected {
            if user.lacks(base) { checkMissing(edge, expected: base) }
            return
        }
        let need: Message = "\(user.label) needs \(edge.label)"
        let (expected, supplied) = (base.base.argumentTypes, edge.supplied ?? [])
        let types = [expected, supplied].map { types in Message(types) { $0.tuple(types) } }
        if !base.isBuilt || expected.isEmpty, !fits(supplied, expected) {
            report(
                .error(.argumentMismatch),
                "\(need), whose factory takes \(types[0]), and supplies \(types[1]).",
                fix: "take a `Provider` with the arguments of that factory.", edge.from, edge)
        } else if base.isAsync, base.lifetime == .new {
            report(
                .error(.asyncRequired), "\(need), which only `await` can build.",
                fix: "build it by a factory with `async:`, too.", edge.from, edge)
        } else if edge.isDeferred || base.isBuilt && base.isAsync {
            return
        } else if base.isAsync {
            report(
                .unpreparedNeed, "\(need), which only `await` can build, and is not built yet.",
                fix: "call `try await container.prepare()` first.", edge.from, edge)
        } else if !user.isMainActor, base.isMainActor || nodes[target].isMainActor {
            report(
                .error(.mainActorRequired), "\(need), which belongs to the main actor.",
                fix: "register \(user.label) with `mainActor:`, or mark its initializer `@MainActor`.",
                edge.from, edge)
        }
    }

    /// Reports what is kept with something shared, and belongs to children: the need may be its own, or that of others which are
    /// built for it.
    private mutating func checkKept(_ need: Edge) {
        let user = nodes[need.from]
        // What is scoped counts if it is needed at once, and not by something scoped that was found before.
        var steps = user.isKept ? [(edge: need, way: [Int](), counts: true)] : []
        var visited: [Bool: Set<Int>] = [:]
        while let (edge, way, counts) = steps.popLast() {
            let counts = counts && !edge.isDeferred
            guard let target = edge.to, visited[counts, default: []].insert(target).inserted else { continue }
            let index = graph.base(of: target)
            let node = nodes[index]
            let text: Message = "\(user.label) needs \(edge.label), which"
            let fix: Message = "register \(user.label) with `Scoped` or `New`"
            if node.isExpected, !user.lacks(node) {
                report(
                    .error(.notRegistered), "\(text) only children register, and is kept by their parent.",
                    fix: "\(fix), or \(edge.label) in the parent.", need.from, edge, through: way)
            } else if node.lifetime == .scoped, counts {
                report(
                    .sharedKeepsScoped, "\(text) is scoped, and keeps the first one for good.", fix: "\(fix).",
                    need.from, edge, through: way)
            }
            if node.lifetime != nil, !node.isKept {
                steps += graph.needs[index].reversed().map { ($0, way + [index], counts && node.lifetime != .scoped) }
            }
        }
    }

    // MARK: The whole graph

    mutating func checkCycles() {
        for cycle in graph.cycles() {
            let circle = cycle.map { nodes[$0.from] }
            guard reported.insert([Set(circle.map(\.snapshot.entryID))]).inserted else { continue }
            let keys = (circle + [circle[0]]).map(\.label)
            findings.append(
                ValidationFinding(
                    kind: .error(.cycle), label: keys[0], registrations: circle.map(\.registration),
                    text:
                        "Building \(keys[0]) needs \(keys[0]) itself: \(keys.map(\.message).joined(separator: " → "))",
                    fix: "let one of them ask later, with `@LazyInject` or a `Provider`.",
                    errorKeys: circle.map(\.snapshot.key)))
        }
    }

    mutating func checkNames() {
        let unused = nodes.indices.filter { users[$0] == nil && nodes[$0].lifetime != nil }
        for edge in missing.prefix(30) {
            guard let asked = edge.label.name?.rawValue else { continue }
            let limit = max(1, min(asked.utf8.count / 2, 3))
            for index in unused where nodes[index].type == edge.label.type {
                guard let name = nodes[index].name?.rawValue, name != asked,
                    Registration.changes(name, asked) <= limit
                else { continue }
                report(
                    .similarName, "\(nodes[index].base.label) is asked for by nobody, and \(edge.label) is.",
                    fix: "correct one of the names.", index)
            }
        }
    }
}

extension RegistrationInfo {
    /// Whether the container that owns the registration keeps the instance.
    fileprivate var isKept: Bool { lifetime == .shared || lifetime == .weak }

    /// Whether it is built in a child, which a parent expects to register something.
    fileprivate func lacks(_ expected: RegistrationInfo) -> Bool {
        snapshot.isBuiltByViewer && expected.isInherited
    }
}
