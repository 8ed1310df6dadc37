extension DIContainer {
    /// Shows what is registered and what that needs, as far as it is declared: by autowiring, aliases and decorators.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// May be called on any thread; builds nothing and takes no queue, and takes time in proportion to the number of
    /// registrations.
    public var graph: DependencyGraph { DependencyGraph(core) }

    /// Lists what is registered here and in the parents, this container's own first, each in the order of registration.
    ///
    /// ```swift
    /// for registration in container.registrations where !registration.isBuilt { print(registration) }
    /// ```
    /// An alias is listed with the registration that it leads to, and a parent's registration that this container overrides
    /// is left out. Threads and cost are those of ``graph``.
    @_optimize(size) public var registrations: [RegistrationInfo] {
        let graph = graph
        var listed: [RegistrationInfo] = []
        for (index, node) in graph.nodes[..<graph.visibleCount].enumerated() {
            if !node.entry.isPlainAlias || graph.edges(of: index).first?.to == nil { listed.append(node) }
        }
        return listed
    }
}

extension DependencyGraph {
    @_optimize(size) convenience init(_ core: ContainerCore) {
        var survey = Survey()
        survey.add(core)
        let visibleCount = survey.places.count
        while survey.starts.count <= survey.places.count {
            survey.addEdges(of: survey.starts.count - 1)
            survey.starts.append(survey.edges.count)
        }
        var nodes: [RegistrationInfo] = []
        for place in survey.places { nodes.append(RegistrationInfo(place, in: core)) }
        self.init(nodes, visibleCount: visibleCount, survey.edges, survey.starts)
    }
}

extension Survey {
    @_optimize(size) mutating func add(_ core: ContainerCore) {
        for entry in core.visibleEntries where target(entry.key, in: core) == nil {
            // It decorates nothing.
            let isOwn = ThreadRecord.reading { core.isInstalled(entry) }
            _ = add(entry, isOwn ? core : core.parent ?? core, core)
        }
    }

    @inline(never) @_optimize(size)
    private mutating func add(_ entry: Entry, _ owner: ContainerCore, _ core: ContainerCore) -> Int {
        let bucket = Int(truncatingIfNeeded: entry.serial & 4_095)
        var known = newest[bucket]
        while known >= 0 {
            if places[known].entry === entry, places[known].core === core { return known }
            known = places[known].older
        }
        places.append(Place(entry, owner, core, older: newest[bucket]))
        newest[bucket] = places.count - 1
        return newest[bucket]
    }

    @inline(never) private mutating func target(_ key: Key, in core: ContainerCore?) -> Int? {
        guard let core, let (owner, entry) = core.registered(key) else { return nil }
        return add(entry, owner.object, entry.mode == .owned ? owner.object : core)
    }

    @_optimize(size) mutating func addEdges(of index: Int) {
        let (entry, core) = (places[index].entry, places[index].core)
        switch entry.subject.kind {
        case .alias(let alias):
            let key = alias.target.key
            let target = target(key, in: core)
            edges.append(DependencyGraph.Edge(.alias, from: index, to: target, alias.target.type, key.name))
            if let target, !entry.isDecorated { places[target].aliases.append(TypeName(alias.type).description) }
        case .decorator:
            let target = target(entry.key, in: places[index].owner.parent)
            edges.append(DependencyGraph.Edge(.decorator, from: index, to: target, entry.subject.type, entry.key.name))
        default:
            for type in entry.subject.dependencies { addEdge(from: index, type, in: core) }
        }
    }

    /// Adds what a request needs that is answered by a registration, or made of what is registered.
    @_optimize(size) private mutating func addEdge(
        from index: Int, _ type: any Any.Type, supplied: [any Any.Type]? = nil, isOptional: Bool = false,
        in core: ContainerCore
    ) {
        let target = target(Key(ObjectIdentifier(type), nil), in: core)
        guard target == nil, let derived = (type as? any Synthesized.Type)?.derivation else {
            if target == nil, isOptional { return }
            edges.append(DependencyGraph.Edge(.autowiring, from: index, to: target, type, nil, supplied: supplied))
            return
        }
        guard derived.isAll else {
            let isOptional = isOptional || derived.supplied == nil
            addEdge(
                from: index, derived.type, supplied: derived.supplied ?? supplied, isOptional: isOptional, in: core)
            return
        }
        for entry in core.visibleEntries where entry.key.type == ObjectIdentifier(derived.type) {
            guard let target = self.target(entry.key, in: core) else { continue }
            edges.append(
                DependencyGraph.Edge(
                    .autowiring, from: index, to: target, derived.type, entry.key.name, supplied: supplied))
        }
    }
}
