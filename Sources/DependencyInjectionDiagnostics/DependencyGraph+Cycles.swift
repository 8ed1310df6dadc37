extension DependencyGraph {
    /// The needs that make up each cycle that no provider breaks. Of cycles that share a step it finds one.
    func cycles() -> [[Edge]] {
        var cycles: [[Edge]] = []
        // The needs of each node that have not been followed yet.
        var rest = needs.map { $0.filter { !$0.isDeferred }[...] }
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
