// Emitted into whoever calls it, so that a program that draws no picture does not carry it.

extension DependencyGraph {
    @_alwaysEmitIntoClient func tree() -> String {
        var isUsed = [Bool](repeating: false, count: nodes.count)
        for edge in needs.joined() { if let target = edge.to { isUsed[target] = true } }
        var (lines, isShown) = ([String](), [Bool](repeating: false, count: nodes.count))
        // What nobody needs comes first. What is left then needs itself.
        for index in nodes.indices.filter({ !isUsed[$0] }) + nodes.indices where !isShown[index] {
            show(index, "", &isShown, &lines)
        }
        return lines.joined(separator: "\n")
    }

    @_alwaysEmitIntoClient func show(_ index: Int, _ indent: String, _ isShown: inout [Bool], _ lines: inout [String]) {
        let isKnown = isShown[index]
        isShown[index] = true
        lines.append(indent + (isKnown ? nodes[index].title + "  (see above)" : nodes[index].description))
        // What is deeper begins a tree of its own.
        for edge in isKnown ? [] : needs[index] where edge.to == nil || indent.utf8.count <= 200 {
            let indent = indent + (edge.isDeferred ? "  later: " : "  ")
            if let target = edge.to { show(target, indent, &isShown, &lines) }
            if edge.to == nil { lines.append(indent + edge.key + "  (missing)") }
        }
    }

    /// The graph in the language of Mermaid, which GitHub draws in a code block marked `mermaid`.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// Modules are boxes around their registrations, a dashed box is a missing registration, a dotted arrow was observed,
    /// and a red one is part of a cycle. Of cycles that share an arrow, one is marked.
    @_alwaysEmitIntoClient public func mermaid() -> String { drawn(isMermaid: true) }

    /// The graph in the language of Graphviz: `dot -Tsvg graph.dot > graph.svg`.
    ///
    /// ```swift
    /// print(container.graph.dot())
    /// ```
    /// The marks are those of ``mermaid()``.
    @_alwaysEmitIntoClient public func dot() -> String { drawn(isMermaid: false) }

    @_alwaysEmitIntoClient @_optimize(none) func drawn(isMermaid: Bool) -> String {
        func quoted(_ lines: [String]) -> String {
            let escapes: [Unicode.Scalar: String] =
                isMermaid
                ? ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "`": "#96;"]
                : ["\"": "\\\"", "\\": "\\\\"]
            let texts = lines.map { $0.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() }
            return "\"" + texts.joined(separator: isMermaid ? "<br/>" : "\\n") + "\""
        }
        var lines = [isMermaid ? "flowchart LR" : "digraph {\n  rankdir=LR\n  node [shape=box]"]
        var modules: [String?] = []
        for node in nodes where !modules.contains(node.module) { modules.append(node.module) }
        for (number, module) in modules.enumerated() {
            let title = quoted(module.map { [$0] } ?? [])
            let box = isMermaid ? "  subgraph m\(number)[\(title)]" : "  subgraph cluster_\(number) {\n  label=\(title)"
            if module != nil { lines.append(box) }
            for (index, node) in nodes.enumerated() where node.module == module {
                let label = quoted([node.title] + node.aliases.map { "as " + $0 } + ["\(node.file):\(node.line)"])
                lines.append("  n\(index)" + (isMermaid ? "[\(label)]" : " [label=\(label)]"))
            }
            if module != nil { lines.append(isMermaid ? "  end" : "  }") }
        }
        var missing: [Edge] = []
        for edge in edges where edge.to == nil && !missing.contains(where: edge.isSame) {
            let label = quoted([edge.key, "missing"])
            lines.append(
                "  x\(missing.count)" + (isMermaid ? "[\(label)]:::missing" : " [label=\(label), style=dashed]"))
            missing.append(edge)
        }
        let cycles = Array(cycles().joined())
        for (number, edge) in edges.enumerated() {
            let target = edge.to.map { "n\($0)" } ?? "x\(missing.firstIndex(where: edge.isSame) ?? 0)"
            let isObserved = edge.kind == .observed
            let label =
                edge.isDeferred ? "later" : edge.kind == .alias ? "as" : edge.kind == .decorator ? "decorates" : ""
            let isCyclic = cycles.contains { $0 === edge }
            if isMermaid {
                lines.append(
                    "  n\(edge.from) " + (isObserved ? "-.->" : "-->") + (label.isEmpty ? " " : "|\(label)| ") + target)
                if isCyclic { lines.append("  linkStyle \(number) stroke:red") }
            } else {
                let style = (isObserved ? ", style=dotted" : "") + (isCyclic ? ", color=red" : "")
                lines.append("  n\(edge.from) -> \(target) [label=\"\(label)\"\(style)]")
            }
        }
        lines.append(isMermaid ? "  classDef missing stroke-dasharray:4" : "}")
        return lines.joined(separator: "\n")
    }
}
