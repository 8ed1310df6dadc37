public import DependencyInjection

/// The registrations of a container and their dependencies.
///
/// The graph is an immutable snapshot. It may or may not contain registrations that another thread adds concurrently.
public struct DependencyGraph: Sendable {
    /// All registrations, each container's in the order of registration, starting with the container's own. Overridden
    /// registrations that a parent's registration depends on come last.
    public let nodes: [RegistrationInfo]
    /// The number of nodes that a request to the container can resolve.
    let visibleCount: Int
    /// The dependencies of each node.
    var outgoingEdges: [[Edge]]
    /// The qualified names of all types that texts about the graph mention.
    let typeNames: TypeNameFormatter

    /// The registrations whose dependencies are only known when they are built.
    ///
    /// ```swift
    /// for registration in container.graph.uncheckedRegistrations { print(registration) }
    /// ```
    /// These are all expressions and closures, asynchronous factories, and decorated registrations, because any
    /// initializer in an expression may inject a property. Only numbers, Booleans and strings of the standard library
    /// count as literals. Whether another expression is a stored value can't be determined.
    public var uncheckedRegistrations: [RegistrationInfo] { built.filter(\.isUnchecked) }

    /// The nodes that build an instance of their own.
    private var built: [RegistrationInfo] { nodes.filter { $0.lifetime != nil && !$0.snapshot.isPlainAlias } }

    /// The number of unchecked registrations as a text. `nil` if there are none.
    package var uncheckedSummary: String? {
        let count = uncheckedRegistrations.count
        if count == 0 { return nil }
        return """
            \(count) of \(built.count) registrations \(count == 1 ? "is an expression or closure" : "are expressions or closures"), \
            whose dependencies show only when they run: use `autowiring:`, `.building` or the audit
            """
    }

    /// The dependencies of all nodes, in the order of the nodes.
    public var edges: [Edge] { Array(outgoingEdges.joined()) }

    /// Returns the node whose factory builds the instance, after following all aliases.
    func base(of node: Int) -> Int { outgoingEdges.chain(from: node).last ?? node }
}

extension [[DependencyGraph.Edge]] {
    /// Returns a node followed by the targets of consecutive aliases. The factory of the last node builds the instance.
    func chain(from node: Int) -> [Int] {
        let chain = sequence(first: node) { node in self[node].first.flatMap { $0.kind == .alias ? $0.to : nil } }
        // More steps than nodes would be a circle.
        return Array<Int>(chain.prefix(count))
    }
}

extension DIContainer {
    /// The registrations of this container and its parents, this container's first, each in the order of registration.
    ///
    /// ```swift
    /// for registration in container.registrations where !registration.isBuilt { print(registration) }
    /// ```
    /// The list contains each registration together with its aliases. It omits the parents' registrations that this
    /// container overrides. Threads and cost are those of ``graph``.
    public var registrations: [RegistrationInfo] {
        let graph = graph
        let visible = zip(graph.nodes[..<graph.visibleCount], graph.outgoingEdges)
        return visible.filter { node, edges in !node.snapshot.isPlainAlias || edges.first?.to == nil }.map { $0.0 }
    }

    /// The registrations and their declared dependencies, which come from autowiring, aliases and decorators.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// Can be accessed on any thread. It builds nothing and never waits for a container's queue. The cost is
    /// proportional to the number of registrations.
    public var graph: DependencyGraph {
        var builder = GraphBuilder()
        return builder.graph(of: snapshots)
    }
}

/// Follows the declared dependencies of registrations and numbers the nodes.
private struct GraphBuilder {
    private var snapshots: [RegistrationSnapshot] = []
    private var numbers: [[ObjectIdentifier]: Int] = [:]
    private var outgoingEdges: [[DependencyGraph.Edge]] = []
    /// The keys of each type, for each container that builds a registration.
    private var keys: [ObjectIdentifier: [ObjectIdentifier: [Key]]] = [:]

    mutating func graph(of visible: [RegistrationSnapshot]) -> DependencyGraph {
        for snapshot in visible { _ = number(of: snapshot) }
        let visibleCount = snapshots.count
        // Each discovered registration may have further dependencies.
        while outgoingEdges.count < snapshots.count {
            let snapshot = snapshots[outgoingEdges.count]
            outgoingEdges.append([])
            for dependency in snapshot.dependencies { add(dependency, of: snapshot) }
        }
        var aliases: [[any Any.Type]] = snapshots.map { _ in [] }
        for edge in outgoingEdges.joined() where snapshots[edge.from].isPlainAlias {
            // A registration that is in the graph only as a parent's dependency may have a second node.
            guard let next = edge.to, edge.from < visibleCount || next >= visibleCount else { continue }
            let chain = outgoingEdges.chain(from: next)
            let target = chain.first { !snapshots[$0].isPlainAlias } ?? chain[chain.count - 1]
            aliases[target].append(snapshots[edge.from].registration.type)
        }
        let registered = snapshots.flatMap { [$0.base.type] + $0.registration.typesInTitle + $0.maker.argumentTypes }
        let needed = outgoingEdges.joined().flatMap { [$0.dependency.type] + ($0.supplied ?? []) }
        let typeNames = TypeNameFormatter(disambiguating: registered + aliases.joined() + needed)
        let nodes = zip(snapshots, aliases).map { snapshot, aliases in
            RegistrationInfo(snapshot: snapshot, aliasTypes: aliases, typeNames: typeNames)
        }
        return DependencyGraph(
            nodes: nodes, visibleCount: visibleCount, outgoingEdges: outgoingEdges, typeNames: typeNames)
    }

    private mutating func number(of snapshot: RegistrationSnapshot) -> Int {
        if let known = numbers[snapshot.id] { return known }
        numbers[snapshot.id] = snapshots.count
        snapshots.append(snapshot)
        return snapshots.count - 1
    }

    /// Adds a dependency that a registration resolves, or the dependencies from which its type is implicitly resolved.
    private mutating func add(
        _ dependency: DependencyID, of user: RegistrationSnapshot, supplied: [any Any.Type]? = nil,
        isOptional: Bool = false
    ) {
        let kind: DependencyGraph.Edge.Kind =
            user.isAlias ? .alias : .autowiring
        let match = user.match(for: dependency)
        let declaration = kind == .autowiring && match == nil ? user.declaration(for: dependency) : nil
        if match == nil, kind == .autowiring, let derivation = Derivation(of: dependency.type) {
            for key in keys(for: derivation, dependency.name, user) {
                add(
                    DependencyID(derivation.type, key.name), of: user, supplied: derivation.supplied ?? supplied,
                    isOptional: isOptional || derivation.kind != .provider)
            }
        } else if match != nil || declaration != nil || !isOptional {
            outgoingEdges[outgoingEdges.count - 1].append(
                DependencyGraph.Edge(
                    kind: kind, from: outgoingEdges.count - 1, to: (match ?? declaration).map { number(of: $0) },
                    dependency: dependency, supplied: supplied, isOptional: isOptional))
        }
    }

    /// Returns the keys to request for an implicitly resolvable type.
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
