/// What a container consists of: its registrations, and what they need of one another.
///
/// It shows one moment and never changes. What another thread registers meanwhile may be in it or not.
public final class DependencyGraph: Sendable {
    /// The registrations, the container's own first, each in the order of registration; then what a parent's registration
    /// uses, and the container overrides.
    public let nodes: [RegistrationInfo]
    /// What they need of one another, in the order of the nodes.
    public let edges: [Edge]
    /// Where the edges of each node begin, and where the last ones end.
    @usableFromInline let starts: [Int]
    /// How many of the nodes answer a request to the container.
    @usableFromInline let visibleCount: Int

    @usableFromInline init(_ nodes: [RegistrationInfo], visibleCount: Int, _ edges: [Edge], _ starts: [Int]) {
        self.nodes = nodes
        self.visibleCount = visibleCount
        self.edges = edges
        self.starts = starts
    }
}

extension DependencyGraph {
    /// What a node needs.
    @_alwaysEmitIntoClient func edges(of node: Int) -> ArraySlice<Edge> { edges[starts[node]..<starts[node + 1]] }

    /// The node behind an alias or a decorator whose factory makes the instance.
    @_alwaysEmitIntoClient func base(of node: Int) -> Int {
        var base = node
        // As many steps as there are nodes are a circle.
        for _ in nodes {
            guard let edge = edges(of: base).first, edge.kind == .alias || edge.kind == .decorator, let next = edge.to
            else { return base }
            base = next
        }
        return base
    }
}

/// Follows the declared needs of registrations, and gives each a number.
struct Survey: ~Copyable {
    /// A registration, the container that owns it, and the one that would build it.
    final class Place {
        let entry: Entry
        let owner: ContainerCore
        let core: ContainerCore
        var aliases: [String] = []
        /// The place before it in its bucket.
        let older: Int

        init(_ entry: Entry, _ owner: ContainerCore, _ core: ContainerCore, older: Int) {
            (self.entry, self.owner, self.core, self.older) = (entry, owner, core, older)
        }
    }

    var places: [Place] = []
    var edges: [DependencyGraph.Edge] = []
    /// Where the edges of each node begin, and where the last ones end.
    var starts = [0]
    /// The newest place of each bucket.
    var newest = [Int](repeating: -1, count: 4_096)
}
