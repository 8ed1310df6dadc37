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
    /// The dependencies on types that take no arguments, for which a provider supplies some.
    let refusals: [Edge]
    /// Formats the names of all types in texts about the graph.
    let typeNames: TypeNameFormatter

    /// The registrations whose dependencies are only known when they are built.
    ///
    /// ```swift
    /// for registration in container.graph.uncheckedRegistrations { print(registration) }
    /// ```
    /// These are all expressions except literals, all closures, all asynchronous factories, and all decorated
    /// registrations. Any initializer in an expression may inject a property. Only numbers, Booleans and strings of the
    /// standard library count as literals. Whether another expression is a stored value can't be determined.
    public var uncheckedRegistrations: [RegistrationInfo] { built.filter(\.isUnchecked) }

    /// The nodes that build an instance of their own.
    private var built: [RegistrationInfo] { nodes.filter { $0.lifetime != nil && !$0.snapshot.isPlainAlias } }

    /// The number of unchecked registrations as a text. `nil` if there are none.
    package var uncheckedSummary: String? {
        let count = uncheckedRegistrations.count
        if count == 0 { return nil }
        return """
            \(count) of \(built.count) registrations \(count == 1 ? "is an expression or closure" : "are expressions or closures"), \
            whose dependencies are only known when they run: use `autowiring:`, `.building` or the audit
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
        // More steps than nodes would be a cycle.
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
    /// container overrides. The thread safety and the cost are the same as for ``graph``.
    public var registrations: [RegistrationInfo] {
        let graph = graph
        let visible = zip(graph.nodes[..<graph.visibleCount], graph.outgoingEdges)
        return visible.filter { node, edges in !node.snapshot.isPlainAlias || edges.first?.to == nil }.map { $0.0 }
    }

    /// The registrations and their declared dependencies, which come from autowiring and aliases.
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
    private var refusals: [DependencyGraph.Edge] = []
    /// The keys of the members of each collection, for each container that builds a registration.
    private var collections: [[ObjectIdentifier]: [Key]] = [:]

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
        // A registration that is found in the collection of its type only contributes to that collection.
        var collections: [[any Any.Type]] = snapshots.map {
            $0.isContribution && !$0.isAlias ? [$0.registration.type] : []
        }
        for edge in outgoingEdges.joined() where snapshots[edge.from].isPlainAlias {
            // A registration that is in the graph only as a parent's dependency may have a second node.
            guard let next = edge.to, edge.from < visibleCount || next >= visibleCount else { continue }
            let chain = outgoingEdges.chain(from: next)
            let target = chain.first { !snapshots[$0].isPlainAlias } ?? chain[chain.count - 1]
            let forwarding = snapshots[edge.from]
            if forwarding.isContribution {
                collections[target].append(forwarding.registration.type)
            } else {
                aliases[target].append(forwarding.registration.type)
            }
        }
        let registered = snapshots.flatMap {
            [$0.base.type] + [$0.registration.type] + $0.registration.argumentTypes + $0.maker.argumentTypes
        }
        let needed = (outgoingEdges.joined() + refusals).flatMap { [$0.dependency.type] + ($0.supplied ?? []) }
        var known: Set<ObjectIdentifier> = []
        let types = (registered + aliases.joined() + needed).filter { known.insert(ObjectIdentifier($0)).inserted }
        let typeNames = TypeNameFormatter(disambiguating: types)
        let nodes = snapshots.indices.map { index in
            RegistrationInfo(
                snapshot: snapshots[index], aliasTypes: aliases[index], collectionTypes: collections[index],
                typeNames: typeNames)
        }
        return DependencyGraph(
            nodes: nodes, visibleCount: visibleCount, outgoingEdges: outgoingEdges, refusals: refusals,
            typeNames: typeNames)
    }

    private mutating func number(of snapshot: RegistrationSnapshot) -> Int {
        if let known = numbers[snapshot.id] { return known }
        numbers[snapshot.id] = snapshots.count
        snapshots.append(snapshot)
        return snapshots.count - 1
    }

    /// Adds a dependency that a registration resolves, or the dependencies from which its type is implicitly resolved.
    private mutating func add(_ dependency: DependencyID, of user: RegistrationSnapshot) {
        let from = outgoingEdges.count - 1
        if user.isAlias {
            let target = user.match(for: dependency).map { number(of: $0) }
            outgoingEdges[from].append(
                DependencyGraph.Edge(kind: .alias, from: from, to: target, dependency: dependency))
            return
        }
        func target(_ dependency: DependencyID) -> RegistrationSnapshot? {
            user.match(for: dependency) ?? user.declaration(for: dependency)
        }
        func implied(countingAll: Bool) -> ImpliedDependency? {
            ImpliedDependency(of: dependency.type) { type in
                guard let target = target(DependencyID(type, dependency.name)) else { return false }
                return countingAll || !target.isProvidedByChild || isProvided(target, to: user)
            } hasContributions: { type in
                dependency.name == nil && user.hasContributions(to: type)
            }
        }
        // An Optional also depends on a declaration because of which it isn't an error.
        let implied =
            implied(countingAll: false) ?? implied(countingAll: true).flatMap { $0.refusesArguments ? nil : $0 }
        guard let implied else { return }
        func edge(_ name: RegistrationName?, to target: Int?) -> DependencyGraph.Edge {
            DependencyGraph.Edge(
                kind: .autowiring, from: from, to: target, dependency: DependencyID(implied.type, name),
                supplied: implied.supplied, isOptional: implied.isOptional || implied.isCollection)
        }
        if implied.refusesArguments {
            refusals.append(edge(dependency.name, to: nil))
        } else if implied.isCollection {
            for key in collection(of: implied.type, user) {
                guard let member = user.match(for: DependencyID(implied.type, key.name), key) else { continue }
                outgoingEdges[from].append(edge(key.name, to: number(of: member)))
            }
        } else {
            let target = target(DependencyID(implied.type, dependency.name)).map { number(of: $0) }
            outgoingEdges[from].append(edge(dependency.name, to: target))
        }
    }

    /// Returns whether a registration may receive the instance that a child registers for a declaration.
    private func isProvided(_ declaration: RegistrationSnapshot, to user: RegistrationSnapshot) -> Bool {
        let isMissing = user.isBuiltByViewer && declaration.isInherited
        return !isMissing && user.registration.lifetime?.isCachedByOwner != true
    }

    /// Returns the keys of the members of a collection.
    private mutating func collection(of type: any Any.Type, _ user: RegistrationSnapshot) -> [Key] {
        let id = [user.builderID, ObjectIdentifier(type)]
        let keys = collections[id] ?? user.collection(of: type)
        collections[id] = keys
        return keys
    }
}

extension DependencyGraph {
    /// A dependency of one registration on another.
    public struct Edge: Sendable {
        /// The source of a dependency. A `switch` over kinds needs a `default`, because later versions may add cases.
        public enum Kind: Sendable {
            /// A parameter of an autowired initializer has the type.
            case autowiring
            /// An alias or a contribution forwards to the registration.
            case alias
            /// The factory requested the type while an observer was active.
            case observed
        }

        /// The source of the dependency.
        public let kind: Kind
        /// The index of the dependent registration in ``DependencyGraph/nodes``.
        public let from: Int
        /// The index of the registration that resolves the dependency, or of the
        /// ``/DependencyInjection/ProvidedByChild`` declaration for it. `nil` if the type isn't registered.
        public let to: Int?
        /// The type and the name of the dependency.
        let dependency: DependencyID
        /// The types of the arguments that a provider supplies. `nil` if the instance is needed immediately.
        var supplied: [any Any.Type]?
        /// Whether the dependency may be unregistered, as for an Optional.
        var isOptional = false

        /// The type and the name of the dependency as a text.
        public var key: String { dependency.description }
        /// Whether a provider resolves the dependency after the initializer has returned, so that it closes no cycle.
        public var isDeferred: Bool { supplied != nil }
    }
}

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

extension DependencyGraph: CustomStringConvertible {
    /// The registrations as a tree, with dependencies indented below their dependents. A node's dependencies are listed
    /// once. The last line counts the ``uncheckedRegistrations``.
    public var description: String {
        var lines: [String] = []
        var shown: Set<Int> = []
        func show(_ index: Int, indent: String, mark: String = "") {
            let node = nodes[index]
            guard shown.insert(index).inserted else {
                lines.append("\(indent)\(mark)\(node.snapshot.title(typeNames))  (see above)")
                return
            }
            lines.append(indent + mark + node.description)
            for edge in outgoingEdges[index] {
                let (deeper, mark) = (indent + "  ", edge.isDeferred ? "later: " : "")
                if let target = edge.to {
                    // Nodes below the maximum depth are listed as trees of their own.
                    if indent.utf8.count <= 200 { show(target, indent: deeper, mark: mark) }
                } else {
                    lines.append("\(deeper)\(mark)\(typeNames.text(edge.dependency))  (missing)")
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
