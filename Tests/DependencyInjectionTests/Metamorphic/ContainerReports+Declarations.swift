import DependencyInjection
@testable import DependencyInjectionDiagnostics
import Foundation

// Reports about declarations: listings, graphs, pictures and findings.
extension ContainerReports {
    /// Compares what listings, pictures and findings state about the declared registrations.
    func checkDeclarations() throws {
        let graph = container.graph
        do {
            try checkListing(graph)
            try checkUnchecked(graph)
            try checkPicture(graph.mermaid(), graph)
            try checkPicture(graph.dot(), graph)
            try checkText(graph)
            try checkFindings(graph)
        } catch let mistake as Mistake { throw Mistake(text: "\(place): \(mistake.text)\n\(graph)") }
    }

    // MARK: Listings

    private func checkListing(_ graph: DependencyGraph) throws {
        let registrations = container.registrations
        for node in registrations where homes[Int(node.line)] != nil && !node.isProvidedByChild {
            try Mistake.unless(
                node.isInherited == (index != nil && homes[Int(node.line)] != index),
                "\(node): isInherited is \(node.isInherited)")
        }
        // Each alias of a key that is found belongs to one listed registration.
        var aliases = 0
        for listed in listed(graph) {
            guard let edge = graph.outgoingEdges[listed.index].first, edge.kind == .alias, let target = edge.to,
                listed.node.decorators.isEmpty
            else { continue }
            aliases += 1
            let owner = graph.outgoingEdges.chain(from: target).first { index in
                graph.outgoingEdges[index].first.map { $0.kind != .alias || $0.to == nil } ?? true
                    || !graph.nodes[index].decorators.isEmpty
            }
            let shown = registrations.first { node in
                owner.map { graph.nodes[$0].line == node.line && graph.nodes[$0].key == node.key } ?? false
            }
            let name = listed.node.key.components(separatedBy: " named ")[0]
            try Mistake.unless(
                shown?.aliases.contains { name.hasSuffix($0) || $0.hasSuffix(name) } == true,
                "\(listed.node) is no alias of \(shown.map { "\($0)" } ?? "nothing")")
        }
        let shown = registrations.map(\.aliases.count).reduce(0, +)
        try Mistake.unless(shown == aliases, "\(shown) aliases are listed, and \(aliases) are found")
        // The line that describes the container counts the listed registrations.
        let counted = registrations.count { node in
            let isAlias = graph.edges.contains { edge in
                let user = graph.nodes[edge.from]
                return edge.kind == .alias && user.key == node.key && user.line == node.line
            }
            return !isAlias && !node.isProvidedByChild && node.lifetime != nil
        }
        let summary = "DIContainer with \(counted) registrations"
        try Mistake.unless(container.description == summary, "\(container) is described, and \(summary) is listed")
    }

    /// A registration is unchecked if it is decorated, or if its author wrote no initializer.
    private func checkUnchecked(_ graph: DependencyGraph) throws {
        var expected: [Int] = []
        for (index, node) in graph.nodes.enumerated() where node.lifetime != nil {
            let edges = graph.outgoingEdges[index]
            guard let recipe = recipe(of: node, edges) else {
                // Only the decorators of an alias are its own.
                let isAlias = edges.first?.kind == .alias
                if isAlias, !node.decorators.isEmpty { expected.append(index) }
                if !isAlias, homes[Int(node.line)] == nil { expected += node.isUnchecked ? [index] : [] }
                continue
            }
            if !recipe.isAutowired || !node.decorators.isEmpty { expected.append(index) }
        }
        let unchecked = graph.uncheckedRegistrations.map { "\($0)" }
        try Mistake.unless(
            unchecked == expected.map { "\(graph.nodes[$0])" },
            "unchecked are \(unchecked), and should be \(expected.map { graph.nodes[$0] })")
        let count = graph.description.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) }
        try Mistake.unless((count ?? 0) == unchecked.count, "\(count ?? 0) unchecked registrations are counted")
    }

    // MARK: Pictures

    private struct Arrow {
        let from: String
        let to: String
        let text: String
    }

    /// Compares the boxes with the nodes and the missing keys, and the arrows with the edges.
    private func checkPicture(_ text: String, _ graph: DependencyGraph) throws {
        var boxes: [String: String] = [:]
        var arrows: [Arrow] = []
        var red: Set<Int> = []
        var modules: [String: String] = [:]
        var module: String?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            let name = words[0].prefix { $0.isLetter || $0.isNumber }
            if words.count > 2, words[1].hasPrefix("-") {
                if line.hasSuffix("color=red]") { red.insert(arrows.count) }
                arrows.append(Arrow(from: String(words[0]), to: String(words[2]), text: String(line)))
            } else if let first = name.first, "nx".contains(first), Int(name.dropFirst()) != nil {
                try Mistake.unless(boxes.updateValue(String(line), forKey: String(name)) == nil, "two boxes \(name)")
                modules[String(name)] = module
            } else if words[0] == "linkStyle" {
                red.insert(Int(words[1])!)
            } else if line.hasPrefix("  subgraph m") || line.hasPrefix("  label=") {
                module = line.split(separator: "\"").dropFirst().first.map(String.init)
            } else if line == "  end" || line == "  }" {
                module = nil
            }
        }
        var missing: [Key: String] = [:]
        try Mistake.unless(arrows.count == graph.edges.count, "\(arrows.count) arrows: \(text)")
        for (number, (arrow, edge)) in zip(arrows, graph.edges).enumerated() {
            var target = edge.to.map { "n\($0)" }
            if target == nil {
                let key = edge.dependency.key
                target = missing[key] ?? "x\(missing.count)"
                missing[key] = target
            }
            try Mistake.unless(arrow.from == "n\(edge.from)" && arrow.to == target, "\(arrow) stands for \(edge)")
            try Mistake.unless(arrow.text.contains("later") == edge.isDeferred, "\(arrow.text) stands for \(edge)")
            if red.contains(number) {
                try Mistake.unless(graph.isCyclic(edge), "\(arrow.text) is red")
            }
        }
        let isCyclic = graph.edges.contains { graph.isCyclic($0) }
        try Mistake.unless(red.isEmpty != isCyclic, "red are \(red) in \(text)")
        let names = graph.nodes.indices.map { "n\($0)" } + missing.values
        try Mistake.unless(Set(names) == Set(boxes.keys), "the boxes are \(boxes.keys.sorted()), not \(names)")
        for (index, node) in graph.nodes.enumerated() {
            let box = boxes["n\(index)"] ?? ""
            try Mistake.unless(box.contains("\(node.file):\(node.line)\""), "\(box) stands for \(node)")
            try Mistake.unless(modules["n\(index)"] == node.module, "\(box) is not in \(node.module ?? "no module")")
            let isHexagon = box.contains("{{") || box.contains("hexagon")
            try Mistake.unless(isHexagon == node.isProvidedByChild, "\(box) stands for \(node)")
        }
        for name in missing.values {
            try Mistake.unless(boxes[name]?.contains("missing") == true, "\(name) is not missing in \(text)")
        }
    }

    /// Compares the lines of the tree with the nodes and the edges.
    private func checkText(_ graph: DependencyGraph) throws {
        var lines = graph.description.split(separator: "\n").map(String.init)
        if !graph.uncheckedRegistrations.isEmpty { lines.removeLast() }
        let seen = lines.filter { $0.hasSuffix("(see above)") }
        let missing = lines.filter { $0.hasSuffix("(missing)") }
        let roots = lines.filter { !$0.hasPrefix(" ") }
        try Mistake.unless(
            lines.count - seen.count - missing.count == graph.nodes.count, "the text has other nodes")
        try Mistake.unless(
            missing.count == graph.edges.filter { $0.to == nil }.count, "the text has other missing keys")
        try Mistake.unless(lines.count - roots.count == graph.edges.count, "the text has other edges")
        try Mistake.unless(
            lines.filter { $0.contains("later: ") }.count == graph.edges.filter(\.isDeferred).count,
            "the text has other deferred edges")
    }

    // MARK: Findings

    private func checkFindings(_ graph: DependencyGraph) throws {
        var all: [ValidationFinding]
        do { all = try container.validate() } catch { all = error.findings }
        func findings(_ kind: ValidationFinding.Kind) -> [ValidationFinding] { all.filter { $0.kind == kind } }
        try checkCaptive(findings(.captiveDependency), graph)
        try checkProvidedByChild(findings(.error(.notRegistered)), graph)

        let cycles = findings(.error(.cycle))
        let cyclic = graph.edges.filter { graph.isCyclic($0) }
        try Mistake.unless(cycles.isEmpty == cyclic.isEmpty, "cycles are \(cycles), and \(cyclic) are cyclic")
        for edge in cyclic {
            let lines = Set(graph.component(of: edge.from).map { graph.nodes[$0].line })
            try Mistake.unless(
                cycles.contains { $0.path.allSatisfy { lines.contains($0.line) } }, "no cycle is found for \(edge)")
        }
        let replaced = Set(graph.nodes.filter { $0.replaced != nil }.map { "\($0.line)" })
        try Mistake.unless(Set(findings(.replaced).map { "\($0.line)" }) == replaced, "replaced are \(replaced)")
        let unused = Set(graph.nodes.filter { $0.lifetime == nil && !$0.isProvidedByChild }.map(\.line))
        try Mistake.unless(Set(findings(.unusedDecorator).map(\.line)) == unused, "unused are \(unused)")
        let missing = Set(graph.edges.filter { $0.to == nil }.map(\.dependency.key))
        let reported = findings(.error(.notRegistered)).map(\.id.key)
        try Mistake.unless(missing.isSubset(of: reported), "missing are \(missing), reported \(reported)")
    }

    /// A captive dependency is a scoped node to which a path leads from a node that its owner caches: without
    /// providers, through nodes that nothing caches.
    private func checkCaptive(_ findings: [ValidationFinding], _ graph: DependencyGraph) throws {
        struct Captive: Hashable {
            let user: UInt
            let scoped: UInt
            let keys: Set<Key>
        }
        var expected: [Captive] = []
        for user in graph.nodes.indices where graph.isFactory(user) && graph.isCachedByOwner(user) {
            let edges = graph.edges(reachableFrom: user) { edge in
                !edge.isDeferred
            } through: {
                !graph.isCachedByOwner($0) && graph.nodes[$0].lifetime != .scoped
            }
            let scoped = edges.filter { edge in
                edge.to.map { graph.nodes[graph.base(of: $0)].lifetime == .scoped } ?? false
            }
            for (base, edges) in Dictionary(grouping: scoped, by: { graph.base(of: $0.to!) }) {
                expected.append(
                    Captive(
                        user: graph.nodes[user].line, scoped: graph.nodes[base].line,
                        keys: Set(edges.map(\.dependency.key))))
            }
        }
        for captive in expected {
            try Mistake.unless(
                findings.contains { $0.line == captive.user && captive.keys.contains($0.id.key) },
                "no finding says that line \(captive.user) captures line \(captive.scoped)")
        }
        for finding in findings {
            try Mistake.unless(
                expected.contains { $0.user == finding.line && $0.keys.contains(finding.id.key) },
                "no path leads to the captive dependency of \(finding)")
        }
    }

    /// A node that a parent caches must not need, even later, what children register.
    private func checkProvidedByChild(_ findings: [ValidationFinding], _ graph: DependencyGraph) throws {
        for user in graph.nodes.indices where graph.isFactory(user) && graph.isCachedByOwner(user) {
            let edges = graph.edges(reachableFrom: user) { _ in
                true
            } through: {
                !graph.isCachedByOwner($0)
            }
            for edge in edges where !edge.isOptional {
                guard let target = edge.to, graph.nodes[graph.base(of: target)].isProvidedByChild else { continue }
                try Mistake.unless(
                    findings.contains { $0.id.key == edge.dependency.key }, "no finding reports \(edge)")
            }
        }
    }
}

// Searches by brute force.
extension DependencyGraph {
    /// Whether the node has a factory of its own.
    func isFactory(_ node: Int) -> Bool { outgoingEdges[node].first?.kind != .alias && nodes[node].lifetime != nil }

    func isCachedByOwner(_ node: Int) -> Bool { [.shared, .weak].contains(nodes[node].lifetime) }

    /// The edges on all paths from a node, except those of aliases.
    ///
    /// - Parameters:
    ///   - isPassable: Whether a path may lead over an edge.
    ///   - isInner: Whether a path may lead through a node.
    func edges(
        reachableFrom start: Int, over isPassable: (Edge) -> Bool, through isInner: (Int) -> Bool
    ) -> [Edge] {
        var visited: Set<Int> = [start]
        var rest = [start]
        var all: [Edge] = []
        while let node = rest.popLast() {
            for edge in outgoingEdges[node] where isPassable(edge) {
                all.append(edge)
                guard let target = edge.to.map({ base(of: $0) }), nodes[target].lifetime != nil, isInner(target),
                    visited.insert(target).inserted
                else { continue }
                rest.append(target)
            }
        }
        return all
    }

    /// Whether the target of an edge leads back to its source, without providers.
    func isCyclic(_ edge: Edge) -> Bool {
        guard !edge.isDeferred, let target = edge.to else { return false }
        return reachable(from: target).contains(edge.from)
    }

    private func reachable(from start: Int) -> Set<Int> {
        var visited: Set<Int> = [start]
        var rest = [start]
        while let node = rest.popLast() {
            for edge in outgoingEdges[node] where !edge.isDeferred {
                if let target = edge.to, visited.insert(target).inserted { rest.append(target) }
            }
        }
        return visited
    }

    /// The nodes that a node reaches, and that reach it.
    func component(of node: Int) -> [Int] {
        reachable(from: node).filter { reachable(from: $0).contains(node) }
    }
}
