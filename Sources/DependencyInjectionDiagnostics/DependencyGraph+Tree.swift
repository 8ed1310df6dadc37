import DependencyInjection

extension DependencyGraph: CustomStringConvertible {
    /// The registrations as a tree, with dependencies indented below their dependents. A node's dependencies are listed
    /// once. The last line counts the ``uncheckedRegistrations``.
    public var description: String {
        var lines: [String] = []
        var shown: Set<Int> = []
        func show(_ index: Int, indent: String) {
            let node = nodes[index]
            guard shown.insert(index).inserted else {
                lines.append("\(indent)\(node.snapshot.title(typeNames))  (see above)")
                return
            }
            lines.append(indent + node.snapshot.line(typeNames, aliases: node.aliasTypes))
            for edge in outgoingEdges[index] {
                let deeper = indent + (edge.isDeferred ? "  later: " : "  ")
                if let target = edge.to {
                    // Nodes below the maximum depth are listed as trees of their own.
                    if indent.utf8.count <= 200 { show(target, indent: deeper) }
                } else {
                    lines.append("\(deeper)\(typeNames.text(edge.dependency))  (missing)")
                }
            }
        }
        // Nodes without dependents come first. The remaining nodes depend on themselves.
        let needed = Set(edges.compactMap(\.to))
        for index in nodes.indices.filter({ !needed.contains($0) }) + nodes.indices where !shown.contains(index) {
            show(index, indent: "")
        }
        if let uncheckedSummary { lines.append(uncheckedSummary) }
        return lines.joined(separator: "\n")
    }
}
