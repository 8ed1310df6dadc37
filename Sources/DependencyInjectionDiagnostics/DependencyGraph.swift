public import DependencyInjection

/// What a container consists of: its registrations, and what they need of one another.
///
/// It shows one moment and never changes. What another thread registers meanwhile may be in it or not.
public final class DependencyGraph: Sendable, CustomStringConvertible {
    /// The registrations, the container's own first, each in the order of registration. Those that a parent's
    /// registration uses and the container overrides come last.
    public let nodes: [RegistrationInfo]
    /// What each node needs.
    let needs: [[Edge]]
    /// How many of the nodes answer a request to the container.
    let visibleCount: Int

    init(_ nodes: [RegistrationInfo], visibleCount: Int, _ needs: [[Edge]]) {
        self.nodes = nodes
        self.visibleCount = visibleCount
        self.needs = needs
    }

    /// The registrations as a tree: below each one what it needs, which is shown in full once.
    public var description: String { tree() }

    /// What the nodes need of one another, in the order of the nodes.
    public var edges: [Edge] { Array(needs.joined()) }

    /// The node behind an alias or a decorator whose factory makes the instance.
    func base(of node: Int) -> Int {
        var base = node
        var steps = 0
        // As many steps as there are nodes are a circle.
        while steps < nodes.count, let next = forwarded(from: base) {
            base = next
            steps += 1
        }
        return base
    }

    /// What plain aliases lead to, from this node on: they themselves, and last the node that makes or wraps the instance.
    func chain(from node: Int) -> [Int] {
        var chain = [node]
        while chain.count <= nodes.count, let last = chain.last, nodes[last].snapshot.isPlainAlias,
            let next = forwarded(from: last)
        {
            chain.append(next)
        }
        return chain
    }

    /// The node that an alias or a decorator forwards to.
    private func forwarded(from node: Int) -> Int? {
        guard let need = needs[node].first, need.kind.isForwarding else { return nil }
        return need.to
    }
}

extension DIContainer {
    /// Lists what is registered here and in the parents, this container's own first, each in the order of registration.
    ///
    /// ```swift
    /// for registration in container.registrations where !registration.isBuilt { print(registration) }
    /// ```
    /// An alias is listed with the registration that it leads to, and a parent's registration that this container overrides
    /// is left out. Threads and cost are those of ``graph``.
    public var registrations: [RegistrationInfo] {
        let graph = graph
        let visible = zip(graph.nodes[..<graph.visibleCount], graph.needs)
        return visible.filter { node, needs in !node.snapshot.isPlainAlias || needs.first?.to == nil }.map { $0.0 }
    }

    /// Shows what is registered and what that needs, as far as it is declared: by autowiring, aliases and decorators.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// May be called on any thread; builds nothing and takes no queue, and takes time in proportion to the number of
    /// registrations.
    public var graph: DependencyGraph {
        var search = NeedSearch(snapshots)
        search.run()
        return search.graph
    }
}

/// Follows the declared needs of registrations, and numbers what it finds.
private struct NeedSearch {
    private var snapshots: [RegistrationSnapshot] = []
    private var numbers: [[ObjectIdentifier]: Int] = [:]
    private var needs: [[DependencyGraph.Edge]] = []
    /// The types of the aliases that lead to each registration.
    private var aliases: [[any Any.Type]] = []
    /// The keys of each type, for each container that builds.
    private var keys: [ObjectIdentifier: [ObjectIdentifier: [Key]]] = [:]
    private var visibleCount = 0

    init(_ visible: [RegistrationSnapshot]) {
        for snapshot in visible { _ = number(of: snapshot) }
        visibleCount = snapshots.count
    }

    /// Follows the needs of all that is found, which may lead to more.
    mutating func run() {
        while needs.count < snapshots.count {
            let snapshot = snapshots[needs.count]
            needs.append([])
            for need in snapshot.needs { add(need, of: snapshot) }
        }
    }

    var graph: DependencyGraph {
        let list = ListedNames(snapshots.map(\.registration.type) + aliases.joined())
        let nodes = zip(snapshots, aliases).map { RegistrationInfo($0, aliases: $1, in: list) }
        return DependencyGraph(nodes, visibleCount: visibleCount, needs)
    }

    private mutating func number(of snapshot: RegistrationSnapshot) -> Int {
        if let known = numbers[snapshot.id] { return known }
        numbers[snapshot.id] = snapshots.count
        snapshots.append(snapshot)
        aliases.append([])
        return snapshots.count - 1
    }

    /// Adds a need that is answered by a registration, or made of what is registered.
    private mutating func add(
        _ need: RegistrationSnapshot.Need, of user: RegistrationSnapshot, supplied: [any Any.Type]? = nil,
        isOptional: Bool = false
    ) {
        let index = needs.count - 1
        if let answer = user.answer(to: need) {
            let target = number(of: answer)
            let edge = DependencyGraph.Edge(
                .init(need.kind), from: index, to: target, need.type, need.key.name, supplied: supplied)
            needs[index].append(edge)
            // What a parent's registration uses besides may be there twice.
            if user.isPlainAlias, index < visibleCount || target >= visibleCount {
                aliases[target].append(user.registration.type)
            }
        } else if need.kind == .parameter, let derivation = Derivation(of: need.type) {
            for key in keys(for: derivation, need.key.name, user) {
                add(
                    RegistrationSnapshot.Need(.parameter, derivation.type, key), of: user,
                    supplied: derivation.supplied ?? supplied,
                    isOptional: isOptional || derivation.kind != .provider)
            }
        } else if !isOptional {
            let edge = DependencyGraph.Edge(
                .init(need.kind), from: index, to: nil, need.type, need.key.name, supplied: supplied)
            needs[index].append(edge)
        }
    }

    /// What is asked for where a synthesized type is needed.
    private mutating func keys(
        for derivation: Derivation, _ name: RegistrationName?, _ user: RegistrationSnapshot
    ) -> [Key] {
        let type = ObjectIdentifier(derivation.type)
        guard derivation.kind == .all else { return [Key(type, name)] }
        if keys[user.builderID] == nil { keys[user.builderID] = Dictionary(grouping: user.visibleKeys) { $0.type } }
        return keys[user.builderID]?[type] ?? []
    }
}

extension DependencyGraph.Edge.Kind {
    fileprivate init(_ kind: RegistrationSnapshot.Need.Kind) {
        switch kind {
        case .target: self = .alias
        case .wrapped: self = .decorator
        case .parameter: self = .autowiring
        }
    }
}
