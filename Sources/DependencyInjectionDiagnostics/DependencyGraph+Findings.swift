import DependencyInjection

extension DependencyGraph {
    /// What is wrong with the registrations, and with what they need.
    func findings() -> [ValidationFinding] {
        var search = FaultSearch(self)
        search.run()
        return search.findings
    }

    /// What is wrong with a registration itself.
    fileprivate func faults(of index: Int) -> [Fault] {
        let node = nodes[index]
        let key = node.registration.label
        var faults: [Fault] = []
        for replaced in node.replaced {
            faults.append(
                Fault(
                    .replaced, "\(key) replaces what was registered at \(replaced).",
                    fix: "leave one of the two out, or give it a name."))
        }
        let forwarding = needs[index].first?.kind
        if forwarding != .decorator, Derivation(of: node.type)?.kind == .optional {
            faults.append(
                Fault(
                    .optionalRegistration, "\(key) is an Optional, which answers no request.",
                    fix: "register the type that it wraps."))
        }
        if forwarding?.isForwarding == true { return faults }
        if let refusal = node.base.refusal {
            faults.append(
                Fault(.error(.factoryFailed), "\(key) cannot be built: \(refusal.description).", fix: "\(refusal.fix)"))
        }
        if let function = node.mistakenFunction {
            faults.append(
                Fault(.missingAutowiring, "\(key) is a function, not its result.", fix: function.fix))
        }
        if node.lifetime == .weak, !(node.type is AnyClass), !isExistential(node.type) || node.key.hasSuffix(".Type") {
            faults.append(
                Fault(
                    .error(.weakValueType),
                    "\(key) is registered with Weak, and is a value, which nobody else can hold.",
                    fix: "use `Shared`, or make it a class or an actor."))
        }
        return faults
    }

    /// What is wrong with a need for something that is registered.
    fileprivate func fault(of edge: Edge, _ target: Int) -> Fault? {
        switch edge.kind {
        case .alias: mismatch(of: edge, target)
        case .autowiring: fault(ofParameter: edge, target)
        case .decorator, .observed: nil
        }
    }

    private func mismatch(of edge: Edge, _ target: Int) -> Fault? {
        let user = nodes[edge.from]
        var aliases = chain(from: target)
        let made = nodes[aliases.removeLast()]
        // Of two aliases in a row, the one that fails first is reported.
        let isFirst = !aliases.contains { isMismatch(of: made.type, nodes[$0].type) }
        guard isFirst, !made.snapshot.isPlainAlias, isMismatch(of: made.type, user.type) else { return nil }
        let subject: Message = aliases.isEmpty ? "" : "leads to \(made.registration.label), which "
        return Fault(
            .error(.typeMismatch),
            "\(edge.label) is registered with \(user.base.label) in `as:`, and \(subject)does not conform.",
            fix: made.mistakenFunction?.fix ?? "make it conform, or leave it out of `as:`.")
    }

    private func isMismatch(of type: any Any.Type, _ alias: any Any.Type) -> Bool {
        if let known = conforms(type, to: alias) { return !known }
        // No function conforms to a protocol. (`Any` and its like have no module.)
        return FunctionType(type) != nil && isExistential(alias) && String(reflecting: alias).contains(".")
    }

    private func fault(ofParameter edge: Edge, _ target: Int) -> Fault? {
        let (user, base) = (nodes[edge.from], nodes[base(of: target)])
        let need: Message = "\(user.registration.label) needs \(edge.label)"
        let (expected, supplied) = (base.base.argumentTypes, edge.supplied ?? [])
        if !base.isBuilt || expected.isEmpty, !fits(supplied, expected) {
            let types = [expected, supplied].map { types in Message(types) { $0.tuple(types) } }
            return Fault(
                .error(.argumentMismatch), "\(need), whose factory takes \(types[0]), and supplies \(types[1]).",
                fix: "take a `Provider` with the arguments of that factory.")
        }
        if base.isAsync, base.lifetime == .new {
            return Fault(
                .error(.asyncRequired), "\(need), which only `await` can build.",
                fix: "build it by a factory with `async:`, too.")
        }
        if edge.isDeferred || base.isBuilt && base.isAsync { return nil }
        if base.isAsync {
            return Fault(
                .unpreparedNeed, "\(need), which only `await` can build, and is not built yet.",
                fix: "call `try await container.prepare()` first.")
        }
        if !user.isMainActor, base.isMainActor || nodes[target].isMainActor {
            return Fault(
                .error(.mainActorRequired), "\(need), which belongs to the main actor.",
                fix: "register \(user.registration.label) with `mainActor:`, or mark its initializer `@MainActor`.")
        }
        guard base.lifetime == .scoped, user.lifetime == .shared || user.lifetime == .weak else { return nil }
        return Fault(
            .sharedKeepsScoped, "\(need), which is scoped, and keeps the first one for good.",
            fix: "register \(user.registration.label) with `Scoped` or `New`.")
    }
}

/// Goes through a graph once, and gathers what is wrong with it.
private struct FaultSearch {
    private let graph: DependencyGraph
    private(set) var findings: [ValidationFinding] = []
    /// The first node that needs each node.
    private var users: [Int: Int] = [:]
    /// The needs that nothing answers.
    private var missing: [DependencyGraph.Edge] = []
    /// The keys that are reported as missing. Decorators alone need nothing.
    private var missingKeys: Set<Key> = []
    private var reported: Set<[AnyHashable]> = []

    init(_ graph: DependencyGraph) {
        self.graph = graph
        for edge in graph.edges { if let target = edge.to, users[target] == nil { users[target] = edge.from } }
    }

    mutating func run() {
        for index in graph.nodes.indices {
            addFaults(of: index)
            for edge in graph.needs[index] { addFault(of: edge) }
        }
        addCycles()
        addSimilarNames()
    }

    private var nodes: [RegistrationInfo] { graph.nodes }

    /// A parent's registration may be in the graph once for each container that builds it, and is reported once.
    private mutating func isNew(_ node: RegistrationInfo, _ details: AnyHashable...) -> Bool {
        reported.insert([node.snapshot.entryID] + details).inserted
    }

    private mutating func addFaults(of index: Int) {
        let node = nodes[index]
        if isNew(node) { findings += graph.faults(of: index).map { ValidationFinding($0, [node]) } }
    }

    private mutating func addFault(of edge: DependencyGraph.Edge) {
        let node = nodes[edge.from]
        let fault = edge.to.map { graph.fault(of: edge, $0) } ?? missingFault(edge)
        guard let fault, isNew(node, edge.asked.type, fault.id) else { return }
        let isMismatch = fault.kind == .error(.typeMismatch)
        let asked = isMismatch ? node.snapshot.key : edge.asked
        // An error may name what the need leads to.
        let keys = [asked] + (edge.to.map { [nodes[graph.base(of: $0)].base.key] } ?? [])
        let key = isMismatch ? node.registration.label : edge.label
        findings.append(ValidationFinding(fault, path(to: edge.from), key, errorKeys: keys))
    }

    /// The registrations that lead to a node, the outermost first.
    private func path(to node: Int) -> [RegistrationInfo] {
        var path = [node]
        while let user = users[path[0]], !path.contains(user) { path.insert(user, at: 0) }
        return path.map { nodes[$0] }
    }

    private mutating func missingFault(_ edge: DependencyGraph.Edge) -> Fault? {
        let isKnown = missingKeys.contains(edge.asked)
        if !isKnown { missing.append(edge) }
        if edge.kind == .decorator {
            return Fault(.unusedDecorator, "\(edge.label) is decorated, and not registered.", fix: "register it, too.")
        }
        if isKnown { return nil }
        missingKeys.insert(edge.asked)
        var text: Message =
            "Nothing is registered for \(edge.label), which \(nodes[edge.from].registration.label) needs."
        // To look for them takes long, and nobody reads so many.
        let registrations = missing.count < 30 ? nodes.filter { $0.lifetime != nil }.map(\.base) : []
        let nearest = registrations.nearest(to: edge.type)
        if !nearest.isEmpty { text += "\n  registered are:" }
        for node in nearest.compactMap({ near in nodes.first { $0.base === near } }) {
            text += "\n    \(step: node.registration)"
        }
        let fix = edge.kind == .alias ? "unregister the alias, too." : "make the parameter an Optional."
        return Fault(.error(.notRegistered), text, fix: "register it, or \(fix)")
    }

    private mutating func addCycles() {
        for cycle in graph.cycles() {
            let circle = cycle.map { nodes[$0.from] }
            guard reported.insert([Set(circle.map(\.snapshot.entryID))]).inserted else { continue }
            let keys = (circle + [circle[0]]).map(\.registration.label)
            let fault = Fault(
                .error(.cycle),
                "Building \(keys[0]) needs \(keys[0]) itself: \(keys.map(\.message).joined(separator: " → "))",
                fix: "let one of them ask later, with `@LazyInject` or a `Provider`.")
            findings.append(ValidationFinding(fault, circle, keys[0], errorKeys: circle.map(\.snapshot.key)))
        }
    }

    private mutating func addSimilarNames() {
        let unused = nodes.indices.filter { users[$0] == nil }.map { nodes[$0] }
        for edge in missing.prefix(30) {
            guard let asked = edge.name?.rawValue else { continue }
            let limit = max(1, min(asked.utf8.count / 2, 3))
            for node in unused where node.type == edge.type && node.name != edge.name && node.lifetime != nil {
                guard let name = node.name?.rawValue, Registration.changes(name, asked) <= limit else { continue }
                let fault = Fault(
                    .similarName, "\(node.base.label) is asked for by nobody, and \(edge.label) is.",
                    fix: "correct one of the names.")
                findings.append(ValidationFinding(fault, [node]))
            }
        }
    }
}
