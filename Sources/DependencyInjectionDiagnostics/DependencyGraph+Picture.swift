import DependencyInjection

extension DependencyGraph {
    /// The graph in the language of Mermaid, which GitHub draws in a code block marked `mermaid`.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// Modules are boxes around their registrations, a dashed box is a missing registration, a hexagon is what
    /// children have to register, a dotted arrow was observed,
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
        var missing: [Label] = []
        for edge in edges where edge.to == nil && !missing.contains(where: { $0.key == edge.label.key }) {
            missing.append(edge.label)
        }
        let names = TypeNames((nodes.map(\.message) + missing.map(\.message)).flatMap(\.types))
        var modules: [String?] = []
        for node in nodes where !modules.contains(node.module) { modules.append(node.module) }
        var lines = [language.beginning]
        for (number, module) in modules.enumerated() {
            if let module { lines.append(language.beginningOfBox(number, language.quoted([module]))) }
            for (index, node) in nodes.enumerated() where node.module == module {
                let texts = [node.snapshot.title] + node.aliasTypes.map { "as \($0)" }
                let place = "\(node.file):\(node.line)"
                lines.append(
                    language.node(
                        "n\(index)", language.quoted(texts.map { $0.text(with: names) } + [place]),
                        node.isExpected ? .expected : .registered))
            }
            if module != nil { lines.append(language.endOfBox) }
        }
        for (number, label) in missing.enumerated() {
            let texts = [label.message.text(with: names), "missing"]
            lines.append(language.node("x\(number)", language.quoted(texts), .missing))
        }
        let cyclic = cycles().joined()
        for (number, edge) in edges.enumerated() {
            let key = edge.label.key
            let target = edge.to.map { "n\($0)" } ?? "x\(missing.firstIndex { $0.key == key } ?? 0)"
            let isCyclic = cyclic.contains { $0.from == edge.from && $0.label.key == key }
            lines.append(language.arrow(number, edge, target, isCyclic))
        }
        return (lines + [language.end]).joined(separator: "\n")
    }
}

/// A language that a graph can be drawn in.
private struct PictureLanguage: Sendable {
    enum Shape {
        case registered
        case expected
        case missing
    }

    let beginning: String
    let end: String
    let beginningOfBox: @Sendable (_ number: Int, _ title: String) -> String
    let endOfBox: String
    let node: @Sendable (_ id: String, _ text: String, _ shape: Shape) -> String
    let arrow: @Sendable (_ number: Int, _ edge: DependencyGraph.Edge, _ target: String, _ isCyclic: Bool) -> String
    let lineBreak: String
    let escapes: [Unicode.Scalar: String]

    static let mermaid = PictureLanguage(
        beginning: "flowchart LR",
        end: "  classDef missing stroke-dasharray:4",
        beginningOfBox: { number, title in "  subgraph m\(number)[\(title)]" },
        endOfBox: "  end",
        node: { id, text, shape in
            switch shape {
            case .registered: "  \(id)[\(text)]"
            case .expected: "  \(id){{\(text)}}"
            case .missing: "  \(id)[\(text)]:::missing"
            }
        },
        arrow: { number, edge, target, isCyclic in
            let label = edge.mark.isEmpty ? "" : "|\(edge.mark)|"
            let arrow = "  n\(edge.from) \(edge.kind == .observed ? "-.->" : "-->")\(label) \(target)"
            return isCyclic ? "\(arrow)\n  linkStyle \(number) stroke:red" : arrow
        },
        lineBreak: "<br/>",
        escapes: ["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "`": "#96;"])

    static let dot = PictureLanguage(
        beginning: "digraph {\n  rankdir=LR\n  node [shape=box]",
        end: "}",
        beginningOfBox: { number, title in "  subgraph cluster_\(number) {\n  label=\(title)" },
        endOfBox: "  }",
        node: { id, text, shape in
            switch shape {
            case .registered: "  \(id) [label=\(text)]"
            case .expected: "  \(id) [label=\(text), shape=hexagon]"
            case .missing: "  \(id) [label=\(text), style=dashed]"
            }
        },
        arrow: { _, edge, target, isCyclic in
            let style = (edge.kind == .observed ? ", style=dotted" : "") + (isCyclic ? ", color=red" : "")
            return "  n\(edge.from) -> \(target) [label=\"\(edge.mark)\"\(style)]"
        },
        lineBreak: "\\n",
        escapes: ["\"": "\\\"", "\\": "\\\\"])

    /// The lines as one quoted text, in which nothing has a meaning of its own.
    func quoted(_ lines: [String]) -> String {
        let texts = lines.map { line in line.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() }
        return "\"\(texts.joined(separator: lineBreak))\""
    }
}

extension DependencyGraph.Edge {
    /// What is written at its arrow.
    fileprivate var mark: String {
        let marks: [Kind: String] = [.alias: "as", .decorator: "decorates"]
        return isDeferred ? "later" : marks[kind] ?? ""
    }
}
