extension DependencyGraph {
    /// Returns the dependencies of each cycle that no provider breaks. Of several cycles that share a dependency,
    /// returns one.
    func cycles() -> [[Edge]] {
        var cycles: [[Edge]] = []
        // The dependencies of each node that haven't been followed yet.
        var rest = outgoingEdges.map { $0.filter { !$0.isDeferred }[...] }
        for start in nodes.indices {
            var path: [Edge] = []
            var node = start
            while true {
                guard let edge = rest[node].popFirst() else {
                    guard let last = path.popLast() else { break }
                    node = last.from
                    continue
                }
                guard let target = edge.to else { continue }
                path.append(edge)
                if let first = path.firstIndex(where: { $0.from == target }) {
                    cycles.append(Array(path[first...]))
                    path.removeLast()
                } else {
                    node = target
                }
            }
        }
        return cycles
    }
}
