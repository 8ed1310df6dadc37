import DependencyInjection

extension DependencyGraph: CustomStringConvertible {
    /// The registrations as a tree: below each one what it needs, which is shown in full once. The last line counts what is ``opaque``.
    public var description: String {
        var lines: [String] = []
        var shown: Set<Int> = []
        func show(_ index: Int, indent: String) {
            let node = nodes[index]
            guard shown.insert(index).inserted else {
                lines.append("\(indent)\(node.snapshot.title(namesakes))  (see above)")
                return
            }
            lines.append(indent + node.snapshot.line(namesakes, aliases: node.aliasTypes))
            for edge in needs[index] {
                let deeper = indent + (edge.isDeferred ? "  later: " : "  ")
                if let target = edge.to {
                    // What is deeper begins a tree of its own.
                    if indent.utf8.count <= 200 { show(target, indent: deeper) }
                } else {
                    lines.append("\(deeper)\(namesakes.text(edge.label))  (missing)")
                }
            }
        }
        // What nobody needs comes first. What is left then needs itself.
        let needed = Set(edges.compactMap(\.to))
        for index in nodes.indices.filter({ !needed.contains($0) }) + nodes.indices where !shown.contains(index) {
            show(index, indent: "")
        }
        if let opaqueSummary { lines.append(opaqueSummary) }
        return lines.joined(separator: "\n")
    }
}
