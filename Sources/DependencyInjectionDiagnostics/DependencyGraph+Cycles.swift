extension DependencyGraph {
    /// The needs that make up each cycle that no provider breaks. Of cycles that share a step it finds one.
    func cycles() -> [[Edge]] {
        var cycles: [[Edge]] = []
        var isDone = [Bool](repeating: false, count: nodes.count)
        for start in nodes.indices where !isDone[start] {
            var path = [Step(start, needs[start])]
            while let node = path.last?.node {
                guard let edge = path[path.count - 1].follow() else {
                    isDone[node] = true
                    path.removeLast()
                    continue
                }
                guard let target = edge.to, !edge.isDeferred, !isDone[target] else { continue }
                if let first = path.firstIndex(where: { $0.node == target }) {
                    cycles.append(path[first...].compactMap(\.edge))
                } else {
                    path.append(Step(target, needs[target]))
                }
            }
        }
        return cycles
    }

    /// A node on the path, the need that is being followed, and those that are yet to be.
    private struct Step {
        let node: Int
        private(set) var edge: Edge?
        private var rest: ArraySlice<Edge>

        init(_ node: Int, _ needs: [Edge]) {
            self.node = node
            rest = needs[...]
        }

        mutating func follow() -> Edge? {
            edge = rest.popFirst()
            return edge
        }
    }
}
