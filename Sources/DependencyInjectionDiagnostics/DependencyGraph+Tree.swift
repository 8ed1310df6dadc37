import DependencyInjection

extension DependencyGraph {
    /// The registrations as a tree: below each one what it needs, which is shown in full once.
    func tree() -> String {
        var tree = Tree(self)
        var isUsed = [Bool](repeating: false, count: nodes.count)
        for edge in edges { if let target = edge.to { isUsed[target] = true } }
        // What nobody needs comes first. What is left then needs itself.
        for index in nodes.indices.filter({ !isUsed[$0] }) + nodes.indices where !tree.isShown[index] {
            tree.show(index, indent: "")
        }
        return tree.lines.joined(separator: "\n").description
    }

    private struct Tree {
        private let graph: DependencyGraph
        var lines: [Message] = []
        var isShown: [Bool]

        init(_ graph: DependencyGraph) {
            self.graph = graph
            isShown = [Bool](repeating: false, count: graph.nodes.count)
        }

        mutating func show(_ index: Int, indent: String) {
            let node = graph.nodes[index]
            if isShown[index] {
                let title = Message([node.registration.type]) { node.snapshot.title($0) }
                lines.append("\(indent)\(title)  (see above)")
                return
            }
            isShown[index] = true
            lines.append("\(indent)\(node.message)")
            for edge in graph.needs[index] {
                let deeper = indent + (edge.isDeferred ? "  later: " : "  ")
                if let target = edge.to {
                    // What is deeper begins a tree of its own.
                    if indent.utf8.count <= 200 { show(target, indent: deeper) }
                } else {
                    lines.append("\(deeper)\(edge.label)  (missing)")
                }
            }
        }
    }
}
