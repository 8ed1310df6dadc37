// All of this is emitted into whoever calls it, so that a program that does not validate does not carry it.

extension DIContainer {
    /// Finds every fault that shows without building anything, all at once.
    ///
    /// ```swift
    /// for warning in try container.validate() { print(warning) }
    /// ```
    /// It knows what registrations declare: the parameters of autowired initializers, aliases, arguments and lifetimes.
    /// What a closure asks for shows only when it runs. It assumes that a class registered for an alias is the class
    /// that is built. Of cycles that share a step it reports one. May be called on any thread, and takes time in
    /// proportion to the number of registrations.
    /// - Returns: The warnings.
    /// - Throws: A ``DIContainer/ValidationError`` with everything found, if any of it is an error.
    @_alwaysEmitIntoClient @discardableResult
    public func validate() throws(ValidationError) -> [ValidationFinding] { try Self.report(graph.findings()) }

    @_alwaysEmitIntoClient
    static func report(_ all: [ValidationFinding]) throws(ValidationError) -> [ValidationFinding] {
        let findings = all.filter { $0.isError } + all.filter { !$0.isError }
        guard findings.contains(where: { $0.isError }) else { return findings }
        let lines = findings.enumerated().map { "\n\($0 + 1). \($1.isError ? "error" : "warning"): \($1)" }
        throw ValidationError(findings, "\(findings.count) finding\(findings.count == 1 ? "" : "s"):" + lines.joined())
    }
}

/// What is wrong, in words, and what to write.
@usableFromInline typealias Fault = (kind: ValidationFinding.Kind, text: String, fix: String)

extension ValidationFinding {
    /// Makes a finding; the last registration of the path has the fault.
    @_alwaysEmitIntoClient
    convenience init(_ fault: Fault, _ path: [RegistrationInfo], _ key: String? = nil, about keys: [Key]? = nil) {
        let (steps, node) = (path.map(\.step), path[path.count - 1])
        let (last, key) = (node.step, key ?? node.step.key)
        var text = fault.text + "\n  registered at \(last.file):\(last.line)"
        if path.count > 1 { text += "\n  path:" + steps.map { "\n    \($0)" }.joined() + "\n    → " + key }
        self.init(fault.kind, key, steps, text + "\n  fix: " + fault.fix, about: keys ?? [node.subject.key])
    }
}

extension DependencyGraph {
    /// What is wrong with the registrations, and with what they need.
    @_alwaysEmitIntoClient @_optimize(none) func findings() -> [ValidationFinding] {
        // The first node that needs each node.
        var users: [Int: Int] = [:]
        for edge in edges { if let target = edge.to, users[target] == nil { users[target] = edge.from } }
        // The registrations that lead to a node, the outermost first.
        func way(to node: Int) -> [RegistrationInfo] {
            var way = [node]
            while let user = users[way[0]], !way.contains(user) { way.insert(user, at: 0) }
            return way.map { nodes[$0] }
        }
        var (findings, missing, seen) = ([ValidationFinding](), [Edge](), Set<[AnyHashable]>())
        for (index, node) in nodes.enumerated() {
            // A parent's registration may be there once for each container that builds it.
            let id = ObjectIdentifier(node.entry)
            if seen.insert([id]).inserted { findings += faults(of: index).map { ValidationFinding($0, [node]) } }
            for edge in needs[index] {
                let isKnown = edge.to == nil && missing.contains { $0.kind != .decorator && edge.isSame(as: $0) }
                if edge.to == nil, !isKnown { missing.append(edge) }
                let fault = edge.to.map { self.fault(of: edge, $0) } ?? missingFault(edge, isKnown, missing.count)
                guard let fault, seen.insert([id, edge.asked.type, fault.text]).inserted else { continue }
                let isMisfit = fault.kind == .error(.typeMismatch)
                let (key, asked) = isMisfit ? (node.step.key, node.entry.key) : (edge.key, edge.asked)
                // An error may name what the need leads to.
                let keys = [asked] + (edge.to.map { [nodes[base(of: $0)].subject.key] } ?? [])
                findings.append(ValidationFinding(fault, way(to: index), key, about: keys))
            }
        }
        for circle in cycles().map({ $0.map { nodes[$0.from] } })
        where seen.insert([Set(circle.map { ObjectIdentifier($0.entry) })]).inserted {
            let keys = (circle + [circle[0]]).map(\.step.key)
            let text = "Building \(keys[0]) needs \(keys[0]) itself: \(keys.joined(separator: " → "))"
            let fault: Fault = (.error(.cycle), text, "let one of them ask later, with `@LazyInject` or a `Provider`.")
            findings.append(ValidationFinding(fault, circle, keys[0], about: circle.map(\.entry.key)))
        }
        let unused = nodes.indices.filter { users[$0] == nil }.map { nodes[$0] }
        for edge in missing.prefix(30) {
            guard let asked = edge.name?.rawValue else { continue }
            let limit = max(1, min(asked.utf8.count / 2, 3))
            for node in unused where node.type == edge.type && node.name != edge.name && node.lifetime != nil {
                guard let name = node.name?.rawValue, Registration.changes(name, asked) <= limit else { continue }
                let text = "\(node.key) is asked for by nobody, and \(edge.key) is."
                findings.append(ValidationFinding((.similarName, text, "correct one of the names."), [node]))
            }
        }
        return findings
    }

    @_alwaysEmitIntoClient func faults(of index: Int) -> [Fault] {
        let node = nodes[index], key = node.step.key
        var faults: [Fault] = []
        if let replaced = node.replaced {
            let text = "\(key) replaces what was registered at \(replaced)."
            faults.append((.replaced, text, "leave one of the two out, or give it a name."))
        }
        let forwarding = needs[index].first?.kind
        if forwarding != .decorator, node.type is any SynthesizedOptional.Type {
            let text = "\(key) is an Optional, which answers no request."
            faults.append((.optionalRegistration, text, "register the type that it wraps."))
        }
        if forwarding?.isForwarding == true { return faults }
        if node.name == nil, isInitializer(node.type) {
            let label = key.contains(") async ") ? "async:" : "autowiring:"
            faults.append((.missingAutowiring, "\(key) is a function, not its result.", "write `\(label)` before it."))
        }
        if node.lifetime == .weak, !(node.type is AnyClass), !isExistential(node.type) || node.key.hasSuffix(".Type") {
            let text = "\(key) is registered with Weak, and is a value, which nobody else can hold."
            faults.append((.error(.weakValueType), text, "use `Shared`, or make it a class or an actor."))
        }
        return faults
    }

    @_alwaysEmitIntoClient func missingFault(_ edge: Edge, _ isKnown: Bool, _ missingCount: Int) -> Fault? {
        if edge.kind == .decorator {
            return (.unusedDecorator, "\(edge.key) is decorated, and not registered.", "register it, too.")
        }
        if isKnown { return nil }
        var text = "Nothing is registered for \(edge.key), which \(nodes[edge.from].step.key) needs."
        // To look for them takes long, and nobody reads so many.
        let nearest = nodes.filter { missingCount < 30 && $0.lifetime != nil }.map(\.subject).nearest(to: edge.type)
        if !nearest.isEmpty { text += "\n  registered are:" }
        for node in nearest.compactMap({ near in nodes.first { $0.subject === near } }) { text += "\n    \(node.step)" }
        let fix = edge.kind == .alias ? "unregister the alias, too." : "make the parameter an Optional."
        return (.error(.notRegistered), text, "register it, or " + fix)
    }

    /// The node behind an alias or a decorator whose factory makes the instance.
    @_alwaysEmitIntoClient func base(of node: Int) -> Int {
        var (base, steps) = (node, 0)
        // As many steps as there are nodes are a circle.
        while steps < nodes.count, let need = needs[base].first, need.kind.isForwarding, let next = need.to {
            (base, steps) = (next, steps + 1)
        }
        return base
    }

    /// What is wrong with a need for something that is registered.
    @_alwaysEmitIntoClient @_optimize(none) func fault(of edge: Edge, _ target: Int) -> Fault? {
        let (user, base) = (nodes[edge.from], nodes[base(of: target)])
        let need = "\(user.step.key) needs \(edge.key), "
        if edge.kind == .alias {
            let isMismatch = needs[target].first?.kind != .alias && conforms(base.type, to: user.type) == false
            let text = "\(edge.key) is registered with \(user.key) in `as:`, and does not conform."
            return isMismatch ? (.error(.typeMismatch), text, "make it conform, or leave it out of `as:`.") : nil
        }
        if edge.kind != .autowiring { return nil }
        let (expected, supplied) = (base.subject.argumentTypes, edge.supplied ?? [])
        if !base.isBuilt || expected.isEmpty, !fits(supplied, expected) {
            let types = [expected, supplied].map { "(" + $0.map { "\($0)" }.joined(separator: ", ") + ")" }
            let text = need + "whose factory takes \(types[0]), and supplies \(types[1])."
            return (.error(.argumentMismatch), text, "take a `Provider` with the arguments of that factory.")
        }
        let awaited = need + "which only `await` can build"
        if base.isAsync, base.lifetime == .new {
            return (.error(.asyncRequired), awaited + ".", "build it by a factory with `async:`, too.")
        }
        if edge.isDeferred || base.isBuilt && base.isAsync { return nil }
        if base.isAsync {
            return (.unpreparedNeed, awaited + ", and is not built yet.", "call `try await container.prepare()` first.")
        }
        if !user.isMainActor, base.isMainActor || nodes[target].isMainActor {
            let fix = "register \(user.step.key) with `mainActor:`, or mark its initializer `@MainActor`."
            return (.error(.mainActorRequired), need + "which belongs to the main actor.", fix)
        }
        guard base.lifetime == .scoped, user.lifetime == .shared || user.lifetime == .weak else { return nil }
        let text = need + "which is scoped, and keeps the first one for good."
        return (.sharedKeepsScoped, text, "register \(user.step.key) with `Scoped` or `New`.")
    }

    /// The needs that make up each cycle that no provider breaks.
    @_alwaysEmitIntoClient @_optimize(none) func cycles() -> [[Edge]] {
        var cycles: [[Edge]] = []
        var isDone = [Bool](repeating: false, count: nodes.count)
        // The nodes on the way, the need that is being followed, and those that are yet to be.
        var way: [(node: Int, edge: Edge?, rest: ArraySlice<Edge>)] = []
        for start in nodes.indices where !isDone[start] {
            way = [(start, nil, needs[start][...])]
            while let node = way.last?.node {
                way[way.count - 1].edge = way[way.count - 1].rest.popFirst()
                guard let edge = way[way.count - 1].edge else {
                    isDone[node] = true
                    way.removeLast()
                    continue
                }
                guard let target = edge.to, !edge.isDeferred, !isDone[target] else { continue }
                if let first = way.firstIndex(where: { $0.node == target }) {
                    cycles.append(way[first...].compactMap(\.edge))
                } else {
                    way.append((target, nil, needs[target][...]))
                }
            }
        }
        return cycles
    }
}
