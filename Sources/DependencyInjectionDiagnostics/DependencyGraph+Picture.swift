import DependencyInjection

extension DependencyGraph {
    /// The graph in the language of Mermaid, which GitHub draws in a code block marked `mermaid`.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// Modules are boxes around their registrations, a dashed box is a missing registration, a dotted arrow was observed,
    /// and a red one is part of a cycle. Of cycles that share an arrow, one is marked.
    public func mermaid() -> String { picture(in: .mermaid) }

    /// The graph in the language of Graphviz: `dot -Tsvg graph.dot > graph.svg`.
    ///
    /// ```swift
    /// print(container.graph.dot())
    /// ```
    /// The marks are those of ``mermaid()``.
    public func dot() -> String { picture(in: .dot) }

    private func picture(in language: PictureLanguage) -> String {
        var lines = language.header
        var missing: [Edge] = []
        for edge in edges where edge.to == nil && !missing.contains(where: edge.isSame) { missing.append(edge) }
        let names = TypeNames((nodes.map(\.message) + missing.map(\.label.message)).flatMap(\.types))
        var modules: [String?] = []
        for node in nodes where !modules.contains(node.module) { modules.append(node.module) }
        for (number, module) in modules.enumerated() {
            if let module { lines.append(language.beginBox(number, title: module)) }
            for (index, node) in nodes.enumerated() where node.module == module {
                let texts = [node.snapshot.title(names)] + node.aliasTypes.map { "as \(names[$0])" }
                lines.append(language.node("n\(index)", texts + ["\(node.file):\(node.line)"]))
            }
            if module != nil { lines.append(language.endOfBox) }
        }
        for (number, edge) in missing.enumerated() {
            let key = edge.label.message.text(with: names)
            lines.append(language.node("x\(number)", [key, "missing"], isMissing: true))
        }
        let cyclic = Set(cycles().joined().map { ObjectIdentifier($0) })
        for (number, edge) in edges.enumerated() {
            let target = edge.to.map { "n\($0)" } ?? "x\(missing.firstIndex(where: edge.isSame) ?? 0)"
            lines += language.arrow(number, edge, to: target, isCyclic: cyclic.contains(ObjectIdentifier(edge)))
        }
        return (lines + language.footer).joined(separator: "\n")
    }
}

/// A language that a graph can be drawn in.
private enum PictureLanguage {
    case mermaid
    case dot

    var header: [String] {
        switch self {
        case .mermaid: ["flowchart LR"]
        case .dot: ["digraph {", "  rankdir=LR", "  node [shape=box]"]
        }
    }

    var footer: [String] {
        switch self {
        case .mermaid: ["  classDef missing stroke-dasharray:4"]
        case .dot: ["}"]
        }
    }

    func beginBox(_ number: Int, title: String) -> String {
        switch self {
        case .mermaid: "  subgraph m\(number)[\(quoted([title]))]"
        case .dot: "  subgraph cluster_\(number) {\n  label=\(quoted([title]))"
        }
    }

    var endOfBox: String {
        switch self {
        case .mermaid: "  end"
        case .dot: "  }"
        }
    }

    func node(_ id: String, _ texts: [String], isMissing: Bool = false) -> String {
        switch self {
        case .mermaid: "  \(id)[\(quoted(texts))]\(isMissing ? ":::missing" : "")"
        case .dot: "  \(id) [label=\(quoted(texts))\(isMissing ? ", style=dashed" : "")]"
        }
    }

    func arrow(_ number: Int, _ edge: DependencyGraph.Edge, to target: String, isCyclic: Bool) -> [String] {
        let label = label(of: edge)
        let isObserved = edge.kind == .observed
        switch self {
        case .mermaid:
            let text = label.isEmpty ? "" : "|\(label)|"
            let arrow = "  n\(edge.from) \(isObserved ? "-.->" : "-->")\(text) \(target)"
            return isCyclic ? [arrow, "  linkStyle \(number) stroke:red"] : [arrow]
        case .dot:
            let style = (isObserved ? ", style=dotted" : "") + (isCyclic ? ", color=red" : "")
            return ["  n\(edge.from) -> \(target) [label=\"\(label)\"\(style)]"]
        }
    }

    private func label(of edge: DependencyGraph.Edge) -> String {
        if edge.isDeferred { return "later" }
        switch edge.kind {
        case .alias: return "as"
        case .decorator: return "decorates"
        case .autowiring, .observed: return ""
        }
    }

    /// The lines as one quoted text, in which nothing has a meaning of its own.
    private func quoted(_ lines: [String]) -> String {
        let escapes: [Unicode.Scalar: String]
        let lineBreak: String
        switch self {
        case .mermaid:
            escapes = ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "`": "#96;"]
            lineBreak = "<br/>"
        case .dot:
            escapes = ["\"": "\\\"", "\\": "\\\\"]
            lineBreak = "\\n"
        }
        let texts = lines.map { line in line.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() }
        return "\"\(texts.joined(separator: lineBreak))\""
    }
}
