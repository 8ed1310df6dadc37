import DependencyInjection

extension DependencyGraph {
    /// Returns the faults of all registrations and their dependencies.
    func findings() -> [ValidationFinding] {
        let users = edges.compactMap { edge in edge.to.map { ($0, edge.from) } }
        var validator = GraphValidator(graph: self, users: Dictionary(users) { first, _ in first })
        // Overridden registrations are sorted by registration order, because their nodes follow the order of discovery.
        let overridden = nodes.indices.dropFirst(visibleCount).sorted {
            nodes[$0].snapshot.order < nodes[$1].snapshot.order
        }
        for index in nodes.indices.prefix(visibleCount) + overridden {
            validator.check(index)
            for edge in outgoingEdges[index] { validator.check(edge) }
            for edge in refusals where edge.from == index { validator.reportMismatch(edge) }
        }
        validator.checkCycles()
        validator.checkNames()
        return validator.findings
    }
}

/// Visits a graph once and collects its faults.
private struct GraphValidator {
    typealias Edge = DependencyGraph.Edge

    let graph: DependencyGraph
    /// The first dependent of each node.
    let users: [Int: Int]
    var findings: [ValidationFinding] = []
    /// The unregistered types and names that a registration depends on or decorates.
    var missing: [DependencyID] = []
    var reported: Set<[AnyHashable]> = []

    private var nodes: [RegistrationInfo] { graph.nodes }

    /// Returns the type and the name as a text that is unique in the graph.
    private func name(_ id: DependencyID) -> String { graph.typeNames.text(id) }

    /// Reports a fault of a registration or of one of its dependencies, which may lie behind further nodes.
    private mutating func report(
        _ kind: ValidationFinding.Kind, _ index: Int, _ edge: Edge? = nil, about id: DependencyID? = nil,
        via: [Int] = [], fixes: [String], _ problem: String
    ) {
        let id = id ?? edge?.dependency ?? nodes[index].id
        // A parent's registration may be in the graph once for each container that builds it, but is reported once.
        let fault: [AnyHashable] = [nodes[index].snapshot.entryID, problem, id.key]
        guard reported.insert(fault).inserted else { return }
        var path = [index]
        while edge != nil, let user = users[path[0]], !path.contains(user) { path.insert(user, at: 0) }
        // An error may name the dependency or the registration that resolves it.
        let target = edge?.to.map { nodes[graph.base(of: $0)].base.key }
        findings.append(
            ValidationFinding(
                kind: kind, id: id, subject: name(id), registrations: path.map { nodes[$0].registration },
                via: via.map { nodes[$0].registration }, problem: problem, fixes: fixes,
                errorKeys: [id.key, target]))
    }

    // MARK: Registrations

    /// Reports the faults of a registration itself.
    mutating func check(_ index: Int) {
        let node = nodes[index]
        let key = node.id
        // The target of a contribution has its own finding.
        if let replaced = node.replaced, !node.snapshot.isContribution {
            report(
                .replaced, index, fixes: replacementFixes(node),
                "\(name(key)) replaces the registration at \(replaced).")
        }
        // A decorator may be misplaced for several contributions.
        if let decorator = node.snapshot.misplacedDecorator, reported.insert([ObjectIdentifier(decorator)]).inserted {
            findings.append(
                ValidationFinding(
                    kind: .error(.misplacedDecorator), id: key, subject: name(key), registrations: [decorator],
                    problem: "\(name(key)) is decorated in a child, but only its parent registers it, at "
                        + "\(node.file):\(node.line).",
                    fixes: Registration.misplacedDecoratorFixes,
                    errorKeys: [key.key]))
        }
        if node.registration.isDecorator {
            missing.append(key)
            let collected = nodes.contains { node in
                node.snapshot.isContribution && node.id.key == key.key
            }
            if collected { return }
            return report(
                .unusedDecorator, index, fixes: ["register \(name(key))", "remove the decorator"],
                "\(name(key)) is decorated, but not registered.")
        }
        let forwarding = graph.outgoingEdges[index].first?.kind
        if Derivation(of: node.type)?.kind == .optional {
            report(
                .optionalRegistration, index, fixes: [node.base.optionalFix],
                "\(name(key)) is an Optional, which no request resolves.")
        }
        if forwarding == .alias { return }
        if let refusal = node.base.refusal {
            report(
                .error(.factoryFailed), index, fixes: [refusal.fix],
                "\(name(key)) cannot be built: \(refusal.description).")
        }
        // A function that an autowired initializer takes is registered intentionally.
        if let function = node.mistakenFunction,
            !graph.edges.contains(where: { $0.to == index && $0.kind == .autowiring })
        {
            report(
                .missingAutowiring, index, fixes: function.fixes,
                "\(name(key)) is a function, not its result.")
        }
        let isMetatype = TypeName.short(node.type).hasSuffix(".Type")
        if node.lifetime?.isHeldWeakly == true, !(node.type is AnyClass), !isExistential(node.type) || isMetatype {
            report(
                .error(.weakValueType), index,
                fixes: ["register it with `New` or `Shared`", "make it a class or an actor"],
                "\(name(key)) is registered with Weak, but it is a value type, which cannot be held weakly.")
        }
    }

    /// Returns the fixes for a registration that replaces another one of its key. Two registrations of one class usually
    /// have different aliases, which all forward to the last registration.
    private func replacementFixes(_ node: RegistrationInfo) -> [String] {
        let collected = node.aliasTypes.first ?? node.type
        return [
            node.aliasTypes.count > 1
                ? "remove one of the two, and list \(graph.typeNames.list(node.aliasTypes)) in `as:` of the other"
                : "remove one of the two, or give it a name",
            "contribute both with `.into(\(TypeName.metatype(collected)))`",
        ]
    }

    // MARK: Dependencies

    /// Reports the faults of a dependency.
    mutating func check(_ edge: Edge) {
        guard let target = edge.to else { return checkMissing(edge) }
        switch edge.kind {
        case .alias: checkAlias(edge, target)
        case .autowiring: checkParameter(edge, target)
        case .observed: break
        }
    }

    /// Reports an unregistered dependency, including one that a parent expects this container to register.
    private mutating func checkMissing(_ edge: Edge, expected: RegistrationInfo? = nil) {
        let user = nodes[edge.from]
        // A type that several registrations need is reported once.
        guard reported.insert([edge.dependency.key]).inserted else { return }
        missing.append(edge.dependency)
        // The search is slow, and a longer report would be unreadable.
        let visible = missing.count < 30 ? nodes.prefix(graph.visibleCount) : []
        let registrations = visible.filter { $0.lifetime != nil }.map(\.base)
        let suggestions = registrations.suggestions(for: edge.dependency.type)
        var text = "Nothing is registered for \(name(edge.dependency)), which \(name(user.id)) needs."
        if let expected { text += "\n  declared at \(expected.file):\(expected.line)" }
        if !suggestions.isEmpty { text += "\n  similar registrations:\(suggestions.lines(graph.typeNames))" }
        let optional = registrations.optional(of: edge.dependency)
        let fixes = optional.map { [$0.optionalFix] } ?? missingFixes(edge, suggestions.first)
        report(.error(.notRegistered), edge.from, edge, fixes: fixes, text)
    }

    /// Returns the fixes for an unregistered dependency.
    private func missingFixes(_ edge: Edge, _ suggestion: Registration?) -> [String] {
        let (user, dependency) = (nodes[edge.from], edge.dependency)
        let supplied = edge.supplied ?? []
        let arguments = supplied.isEmpty ? "" : " with a factory that takes \(graph.typeNames.tuple(supplied))"
        let registering = "register \(name(dependency))\(arguments)"
        if edge.kind == .alias { return [registering, "unregister \(name(user.id))"] }
        if nodes.contains(where: { $0.snapshot.isContribution && $0.type == dependency.type }) {
            return ["change the parameter to `[\(TypeName.short(dependency.type))]`", registering]
        }
        if let fixes = suggestion?.fixes(for: dependency, autowired: true) { return fixes }
        return [
            registering,
            user.isCached
                ? "make the parameter an Optional" : "declare it with `ProvidedByChild`, if each child registers it",
        ]
    }

    private mutating func checkAlias(_ edge: Edge, _ target: Int) {
        let chain = graph.outgoingEdges.chain(from: target).map { nodes[$0] }
        let aliases = chain.prefix { $0.snapshot.isPlainAlias }
        let user = nodes[edge.from]
        // Of two consecutive aliases, the one that fails first is reported.
        guard let made = chain.dropFirst(aliases.count).first, isMismatch(of: made.type, user.type),
            !aliases.contains(where: { isMismatch(of: made.type, $0.type) })
        else { return }
        let alias = TypeName.short(user.type)
        let removing =
            user.snapshot.isContribution
            ? "remove `.into(\(TypeName.metatype(user.type)))`" : "remove \(alias) from `as:`"
        let fixes = FunctionType(made.type)?.fixes ?? ["register an instance that conforms to \(alias)", removing]
        let subject = aliases.isEmpty ? "" : "leads to \(name(made.id)), which "
        let forwarding =
            user.snapshot.isContribution
            ? "contributed to the collection of \(name(user.base.id))"
            : "registered with \(name(user.base.id)) in `as:`"
        report(
            .error(.typeMismatch), edge.from, edge, about: user.id, fixes: fixes,
            "\(name(edge.dependency)) is \(forwarding), and \(subject)does not conform.")
    }

    private func isMismatch(of type: any Any.Type, _ alias: any Any.Type) -> Bool {
        if let known = conforms(type, to: alias) { return !known }
        // No function type conforms to a protocol. (`Any` and similar types have no module.)
        return FunctionType(type) != nil && isExistential(alias) && String(reflecting: alias).contains(".")
    }

    private mutating func checkParameter(_ edge: Edge, _ target: Int) {
        let (user, base) = (nodes[edge.from], nodes[graph.base(of: target)])
        checkCached(edge)
        if base.isProvidedByChild {
            if !edge.isOptional, user.lacks(base) { checkMissing(edge, expected: base) }
            return
        }
        func dependencyText() -> String { "\(name(user.id)) needs \(name(edge.dependency))" }
        let expected = base.base.argumentTypes
        if !base.isBuilt || expected.isEmpty, !fits(edge.supplied ?? [], expected: expected) {
            reportMismatch(edge, base.base)
        } else if base.isAsync, base.lifetime?.cacheLocation == .uncached {
            report(
                .error(.asyncRequired), edge.from, edge,
                fixes: ["also register \(name(user.id)) with `async:`"],
                "\(dependencyText()), which only `await` can build.")
        } else if edge.isDeferred || base.isBuilt && base.isAsync {
            return
        } else if base.isAsync {
            // A container without a parent doesn't prepare registrations that its children cache.
            let call =
                base.lifetime?.cacheLocation == .requester ? "child.prepare()` in each child" : "container.prepare()`"
            report(
                .unpreparedDependency, edge.from, edge, fixes: ["call `try await \(call) before the first request"],
                "\(dependencyText()), which only `await` can build and which is not built yet.")
        } else if !user.isMainActor, nodes[target].isMainActor {
            report(
                .error(.mainActorRequired), edge.from, edge,
                fixes: ["register \(name(user.id)) with `mainActor:`", "mark its initializer `@MainActor`"],
                "\(dependencyText()), which is isolated to the main actor.")
        }
    }

    /// Reports arguments that don't fit the factory of a dependency, or that a provider supplies for a type that takes
    /// none.
    mutating func reportMismatch(_ edge: Edge, _ registration: Registration? = nil) {
        let (expected, supplied) = (registration?.argumentTypes ?? [], edge.supplied ?? [])
        let types = graph.typeNames.list([registration?.type ?? edge.dependency.type] + expected)
        report(
            .error(.argumentMismatch), edge.from, edge,
            fixes: ["change the type of the parameter to `Provider<\(types)>`"],
            "\(name(nodes[edge.from].id)) needs \(name(edge.dependency)), whose factory takes \(graph.typeNames.tuple(expected)), and supplies \(graph.typeNames.tuple(supplied))."
        )
    }

    /// Reports a registration cached by a parent that depends, directly or through others, on a type that children
    /// register.
    private mutating func checkCached(_ dependency: Edge) {
        let user = nodes[dependency.from]
        // A scoped dependency counts if it is needed immediately and no other scoped registration lies in between.
        var steps = user.isCached ? [(edge: dependency, via: [Int](), counts: true)] : []
        var visited: [Bool: Set<Int>] = [:]
        while let (edge, via, counts) = steps.popLast() {
            let counts = counts && !edge.isDeferred
            guard let target = edge.to else { continue }
            let index = graph.base(of: target)
            let node = nodes[index]
            // Checked before the target counts as visited, because another registration may require it.
            if node.isProvidedByChild, edge.isOptional { continue }
            guard visited[counts, default: []].insert(target).inserted else { continue }
            func text() -> String { "\(name(user.id)) needs \(name(edge.dependency)), which" }
            func fix() -> String { "register \(name(user.id)) with `Scoped` or `New`, so that the child builds it" }
            if node.isProvidedByChild, !user.lacks(node) {
                report(
                    .error(.notRegistered), dependency.from, edge, via: via,
                    fixes: [fix(), "register \(name(edge.dependency)) in the parent"],
                    "\(text()) only children register, but their parent caches \(name(user.id)).")
            } else if node.isCachedByRequester, counts {
                report(
                    .captiveDependency, dependency.from, edge, via: via, fixes: [fix()],
                    "\(text()) is scoped. \(name(user.id)) caches the first instance permanently.")
            }
            if node.lifetime != nil, !node.isCached {
                steps += graph.outgoingEdges[index].reversed().map {
                    ($0, via + [index], counts && !node.isCachedByRequester)
                }
            }
        }
    }

    // MARK: The whole graph

    mutating func checkCycles() {
        for cycle in graph.cycles() {
            let members = cycle.map { nodes[$0.from] }
            guard reported.insert([Set(members.map(\.snapshot.entryID))]).inserted else { continue }
            let id = members[0].id
            let subject = name(id)
            let path = (members + [members[0]]).map { name($0.id) }.joined(separator: " → ")
            findings.append(
                ValidationFinding(
                    kind: .error(.cycle), id: id, subject: subject, registrations: members.map(\.registration),
                    problem: "Circular dependency: \(path)",
                    fixes: members.map(\.base).cycleFixes,
                    errorKeys: members.map(\.id.key)))
        }
    }

    mutating func checkNames() {
        let unused = nodes.indices.filter { users[$0] == nil && nodes[$0].lifetime != nil }
        for id in missing.prefix(30) {
            guard let requested = id.name?.rawValue else { continue }
            let limit = max(1, min(requested.utf8.count / 2, 3))
            for index in unused where nodes[index].type == id.type && !nodes[index].snapshot.isContribution {
                guard let name = nodes[index].name?.rawValue, name != requested,
                    name.changes(to: requested) <= limit
                else { continue }
                let known = nodes[index].base
                report(
                    .similarName, index, fixes: ["use one name for both"],
                    "\(self.name(known.id)) is never requested, but \(self.name(id)) is.")
            }
        }
    }
}

extension RegistrationInfo {
    /// Whether the container that owns the registration caches the instance.
    fileprivate var isCached: Bool { lifetime?.isCachedByOwner == true }

    /// Whether each container that resolves the registration caches an instance.
    fileprivate var isCachedByRequester: Bool { lifetime?.cacheLocation == .requester }

    /// Whether the registration is built in a child and an inherited declaration expects that child to register the
    /// type.
    fileprivate func lacks(_ expected: RegistrationInfo) -> Bool {
        snapshot.isBuiltByViewer && expected.isInherited
    }
}
