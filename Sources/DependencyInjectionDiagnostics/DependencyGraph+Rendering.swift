import DependencyInjection

extension DependencyGraph {
    /// Returns the graph in Mermaid syntax, which GitHub renders in a code block marked `mermaid`.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// - A box around registrations is a module.
    /// - A dashed box is a missing registration.
    /// - A hexagon is a type that children have to register.
    /// - A dotted arrow is a dependency recorded by an observer.
    /// - An arrow with the label `as` leads from an alias to the registration that it shows. An arrow with the label
    /// `into` leads from a contribution to the registration that is contributed.
    /// - A red arrow is part of a cycle. If several cycles share an arrow, one of them is marked.
    public func mermaid() -> String { text(in: .mermaid) }

    /// Returns the graph in Graphviz syntax: `dot -Tsvg graph.dot > graph.svg`.
    ///
    /// ```swift
    /// print(container.graph.dot())
    /// ```
    /// Shapes and arrows have the same meaning as in ``mermaid()``.
    public func dot() -> String { text(in: .dot) }

    private func text(in format: GraphFormat) -> String {
        var missing: [DependencyID] = []
        for edge in edges where edge.to == nil && !missing.contains(where: { $0.key == edge.dependency.key }) {
            missing.append(edge.dependency)
        }
        var modules: [String?] = []
        for node in nodes where !modules.contains(node.module) { modules.append(node.module) }
        var lines = [format.beginning]
        for (number, module) in modules.enumerated() {
            let members = nodes.indices.filter { nodes[$0].module == module }.map { index in
                let node = nodes[index]
                let texts =
                    [node.snapshot.title(typeNames)] + node.aliasTypes.map { "as \(typeNames.name($0))" }
                    + node.collectionTypes.map { "into \(typeNames.name($0))" }
                let shape = node.isProvidedByChild ? format.providedByChild : format.registered
                return "  n\(index)\(shape(format.quoted(texts + ["\(node.file):\(node.line)"])))"
            }
            lines += module.map { format.box(number, format.quoted([$0]), members) } ?? members
        }
        for (number, id) in missing.enumerated() {
            let text = format.quoted([typeNames.text(id), "missing"])
            lines.append("  x\(number)\(format.missing(text))")
        }
        let cyclic = cycles().joined()
        for (number, edge) in edges.enumerated() {
            let key = edge.dependency.key
            let target = edge.to.map { "n\($0)" } ?? "x\(missing.firstIndex { $0.key == key } ?? 0)"
            let isCyclic = !edge.isDeferred && cyclic.contains { $0.from == edge.from && $0.to == edge.to }
            let isContribution = edge.kind == .alias && nodes[edge.from].snapshot.isContribution
            let label = edge.isDeferred ? "later" : isContribution ? "into" : edge.kind == .alias ? "as" : ""
            lines.append(format.arrow(number, edge, target, label, isCyclic))
        }
        return (lines + [format.end]).joined(separator: "\n")
    }
}

/// The syntax of a graph format.
private struct GraphFormat: Sendable {
    let beginning: String
    let end: String
    let box: @Sendable (_ number: Int, _ title: String, _ members: [String]) -> [String]
    /// Returns the shape of a registered node, which follows the node's name.
    let registered: @Sendable (_ text: String) -> String
    let providedByChild: @Sendable (_ text: String) -> String
    let missing: @Sendable (_ text: String) -> String
    let arrow:
        @Sendable (_ number: Int, _ edge: DependencyGraph.Edge, _ target: String, _ label: String, _ isCyclic: Bool) ->
            String
    let lineBreak: String
    let escapes: [Unicode.Scalar: String]

    static let mermaid = GraphFormat(
        beginning: "flowchart LR",
        end: "  classDef missing stroke-dasharray:4",
        box: { number, title, members in ["  subgraph m\(number)[\(title)]"] + members + ["  end"] },
        registered: { "[\($0)]" },
        providedByChild: { "{{\($0)}}" },
        missing: { "[\($0)]:::missing" },
        arrow: { number, edge, target, label, isCyclic in
            let text = label.isEmpty ? "" : "|\(label)|"
            let arrow = "  n\(edge.from) \(edge.kind == .observed ? "-.->" : "-->")\(text) \(target)"
            return isCyclic ? "\(arrow)\n  linkStyle \(number) stroke:red" : arrow
        },
        lineBreak: "<br/>",
        escapes: ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "`": "#96;"])

    static let dot = GraphFormat(
        beginning: "digraph {\n  rankdir=LR\n  node [shape=box]",
        end: "}",
        box: { number, title, members in
            ["  subgraph cluster_\(number) {", "  label=\(title)"] + members + ["  }"]
        },
        registered: { " [label=\($0)]" },
        providedByChild: { " [label=\($0), shape=hexagon]" },
        missing: { " [label=\($0), style=dashed]" },
        arrow: { _, edge, target, label, isCyclic in
            let style = (edge.kind == .observed ? ", style=dotted" : "") + (isCyclic ? ", color=red" : "")
            return "  n\(edge.from) -> \(target) [label=\"\(label)\"\(style)]"
        },
        lineBreak: "\\n",
        escapes: ["\"": "\\\"", "\\": "\\\\"])

    /// Joins the lines into one quoted text with all special characters escaped.
    func quoted(_ lines: [String]) -> String {
        let texts = lines.map { line in line.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() }
        return "\"\(texts.joined(separator: lineBreak))\""
    }
}
