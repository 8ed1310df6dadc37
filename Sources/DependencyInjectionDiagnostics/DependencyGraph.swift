public import DependencyInjection

/// What a container consists of: its registrations, and what they need of one another.
///
/// It shows one moment and never changes. What another thread registers meanwhile may be in it or not.
public struct DependencyGraph: Sendable {
    /// The registrations, the container's own first, each in the order of registration. Those that a parent's
    /// registration uses and the container overrides come last.
    public let nodes: [RegistrationInfo]
    /// How many of the nodes answer a request to the container.
    let visibleCount: Int
    /// What each node needs.
    var needs: [[Edge]]
    /// Tells all types apart that texts about the graph mention.
    let namesakes: Namesakes

    /// The registrations whose dependencies show only when they are built.
    ///
    /// ```swift
    /// for registration in container.graph.opaque { print(registration) }
    /// ```
    /// These are all expressions and closures, asynchronous factories, and decorated registrations. An initializer in an
    /// expression may have an injected property. Only numbers, Booleans and strings of the standard library count as literals. The
    /// library cannot know whether another expression is a stored value.
    public var opaque: [RegistrationInfo] { built.filter(\.isOpaque) }

    /// The nodes that make something of their own.
    private var built: [RegistrationInfo] { nodes.filter { $0.lifetime != nil && !$0.snapshot.isPlainAlias } }

    /// The number of opaque registrations as a text; nil if there are none.
    package var opaqueSummary: String? {
        let count = opaque.count
        if count == 0 { return nil }
        return """
            \(count) of \(built.count) registrations \(count == 1 ? "is an expression or closure" : "are expressions or closures"), \
            whose dependencies show only when they run: use `autowiring:`, `.building` or the audit
            """
    }

    /// What the nodes need of one another, in the order of the nodes.
    public var edges: [Edge] { Array(needs.joined()) }

    /// The node behind an alias whose factory builds the instance.
    func base(of node: Int) -> Int { needs.chain(from: node).last ?? node }
}

extension [[DependencyGraph.Edge]] {
    /// A node, and the nodes to which aliases forward one after the other. The factory of the last one builds the instance.
    func chain(from node: Int) -> [Int] {
        let chain = sequence(first: node) { node in self[node].first.flatMap { $0.kind == .alias ? $0.to : nil } }
        // More steps than there are nodes are a circle.
        return Array<Int>(chain.prefix(count))
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
        var search = NeedSearch()
        return search.graph(of: snapshots)
    }
}

/// Follows the declared needs of registrations, and numbers what it finds.
private struct NeedSearch {
    private var snapshots: [RegistrationSnapshot] = []
    private var numbers: [[ObjectIdentifier]: Int] = [:]
    private var needs: [[DependencyGraph.Edge]] = []
    /// The keys of each type, for each container that builds.
    private var keys: [ObjectIdentifier: [ObjectIdentifier: [Key]]] = [:]

    mutating func graph(of visible: [RegistrationSnapshot]) -> DependencyGraph {
        for snapshot in visible { _ = number(of: snapshot) }
        let visibleCount = snapshots.count
        // What is found may need more.
        while needs.count < snapshots.count {
            let snapshot = snapshots[needs.count]
            needs.append([])
            for need in snapshot.needs { add(need, of: snapshot) }
        }
        var aliases: [[any Any.Type]] = snapshots.map { _ in [] }
        for edge in needs.joined() where snapshots[edge.from].isPlainAlias {
            // What a parent's registration uses besides may be there twice.
            guard let next = edge.to, edge.from < visibleCount || next >= visibleCount else { continue }
            let chain = needs.chain(from: next)
            let target = chain.first { !snapshots[$0].isPlainAlias } ?? chain[chain.count - 1]
            aliases[target].append(snapshots[edge.from].registration.type)
        }
        let registered = snapshots.flatMap { [$0.base.type] + $0.registration.typesInTitle + $0.maker.argumentTypes }
        let needed = needs.joined().flatMap { [$0.label.type] + ($0.supplied ?? []) }
        let namesakes = Namesakes(registered + aliases.joined() + needed)
        let nodes = zip(snapshots, aliases).map { snapshot, aliases in
            RegistrationInfo(snapshot: snapshot, aliasTypes: aliases, namesakes: namesakes)
        }
        return DependencyGraph(nodes: nodes, visibleCount: visibleCount, needs: needs, namesakes: namesakes)
    }

    private mutating func number(of snapshot: RegistrationSnapshot) -> Int {
        if let known = numbers[snapshot.id] { return known }
        numbers[snapshot.id] = snapshots.count
        snapshots.append(snapshot)
        return snapshots.count - 1
    }

    /// Adds a need that is answered by a registration, or the needs for what it is made of.
    private mutating func add(
        _ need: Label, of user: RegistrationSnapshot, supplied: [any Any.Type]? = nil, isOptional: Bool = false
    ) {
        let kind: DependencyGraph.Edge.Kind =
            user.isAlias ? .alias : .autowiring
        let answer = user.answer(to: need)
        let expectation = kind == .autowiring && answer == nil ? user.expectation(for: need) : nil
        if answer == nil, kind == .autowiring, let derivation = Derivation(of: need.type) {
            for key in keys(for: derivation, need.name, user) {
                add(
                    Label(derivation.type, key.name), of: user, supplied: derivation.supplied ?? supplied,
                    isOptional: isOptional || derivation.kind != .provider)
            }
        } else if answer != nil || expectation != nil || !isOptional {
            needs[needs.count - 1].append(
                DependencyGraph.Edge(
                    kind: kind, from: needs.count - 1, to: (answer ?? expectation).map { number(of: $0) },
                    label: need, supplied: supplied, isOptional: isOptional))
        }
    }

    /// What is asked for where a synthesized type is needed.
    private mutating func keys(
        for derivation: Derivation, _ name: RegistrationName?, _ user: RegistrationSnapshot
    ) -> [Key] {
        let type = ObjectIdentifier(derivation.type)
        guard derivation.kind == .all else { return [Key(type, name)] }
        let known = keys[user.builderID] ?? Dictionary(grouping: user.visibleKeys) { $0.type }
        keys[user.builderID] = known
        return known[type] ?? []
    }
}
