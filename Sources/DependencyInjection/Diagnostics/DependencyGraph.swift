/// What a container consists of: its registrations, and what they need of one another.
///
/// It shows one moment and never changes. What another thread registers meanwhile may be in it or not.
public final class DependencyGraph: Sendable, CustomStringConvertible {
    /// The registrations, the container's own first, each in the order of registration. Those that a parent's
    /// registration uses and the container overrides come last.
    public let nodes: [RegistrationInfo]
    /// What each node needs.
    @usableFromInline let needs: [[Edge]]
    /// How many of the nodes answer a request to the container.
    @usableFromInline let visibleCount: Int

    /// Writes the description. It is a closure so that only programs that make a graph carry it.
    @usableFromInline let text: @Sendable (DependencyGraph) -> String

    @_alwaysEmitIntoClient init(
        _ nodes: [RegistrationInfo], visibleCount: Int, _ needs: [[Edge]],
        _ text: @escaping @Sendable (DependencyGraph) -> String
    ) {
        (self.nodes, self.visibleCount, self.needs, self.text) = (nodes, visibleCount, needs, text)
    }

    /// The registrations as a tree: below each one what it needs, which is shown in full once.
    public var description: String { text(self) }

    /// What the nodes need of one another, in the order of the nodes.
    @_alwaysEmitIntoClient public var edges: [Edge] { Array(needs.joined()) }
}

// Most of it is emitted into whoever calls it, so that a program that does not look at the graph does not carry it.

extension DIContainer {
    /// Lists what is registered here and in the parents, this container's own first, each in the order of registration.
    ///
    /// ```swift
    /// for registration in container.registrations where !registration.isBuilt { print(registration) }
    /// ```
    /// An alias is listed with the registration that it leads to, and a parent's registration that this container overrides
    /// is left out. Threads and cost are those of ``graph``.
    @_alwaysEmitIntoClient public var registrations: [RegistrationInfo] {
        let graph = graph
        let all = zip(graph.nodes[..<graph.visibleCount], graph.needs)
        return all.filter { !$0.entry.isPlainAlias || $1.first?.to == nil }.map { $0.0 }
    }

    /// Shows what is registered and what that needs, as far as it is declared: by autowiring, aliases and decorators.
    ///
    /// ```swift
    /// print(container.graph.mermaid())
    /// ```
    /// May be called on any thread; builds nothing and takes no queue, and takes time in proportion to the number of
    /// registrations.
    @_alwaysEmitIntoClient public var graph: DependencyGraph { DependencyGraph(core) }
}

extension DependencyGraph {
    /// Follows the declared needs of what is registered.
    @_alwaysEmitIntoClient @_optimize(none) convenience init(_ core: ContainerCore) {
        var places: [ContainerCore.Place] = []
        var (aliases, needs) = ([[String]](), [[Edge]]())
        var visibleCount = 0
        // The keys of each type, for each container.
        var keys: [ObjectIdentifier: [ObjectIdentifier: [Key]]] = [:]
        // The number of each entry for the container that would build it.
        var numbers: [ObjectIdentifier: [ObjectIdentifier: Int]] = [:]
        func number(_ place: ContainerCore.Place) -> Int {
            let (core, entry) = (ObjectIdentifier(place.core), ObjectIdentifier(place.entry))
            if let known = numbers[core]?[entry] { return known }
            numbers[core, default: [:]][entry] = places.count
            places.append(place)
            aliases.append([])
            return places.count - 1
        }
        // Adds a need that is answered by a registration, or made of what is registered.
        func add(
            _ need: Entry.Need, in core: ContainerCore, from start: ContainerCore?, supplied: [any Any.Type]? = nil,
            isOptional: Bool = false
        ) {
            let (index, target) = (needs.count - 1, start.flatMap { core.place(of: need.key, from: $0) }.map(number))
            let parts = (need.type as? any Synthesized.Type)?.derivation
            if target == nil, need.kind == .autowiring, let parts {
                let supplied = parts.supplied ?? supplied
                let isOptional = isOptional || parts.isAll || parts.supplied == nil
                let (id, only) = (ObjectIdentifier(core), Key(ObjectIdentifier(parts.type), need.key.name))
                if parts.isAll { keys[id] = keys[id] ?? .init(grouping: core.places.map(\.entry.key)) { $0.type } }
                for key in parts.isAll ? keys[id]?[only.type] ?? [] : [only] {
                    add((need.kind, parts.type, key), in: core, from: core, supplied: supplied, isOptional: isOptional)
                }
            } else if target != nil || !isOptional {
                let name = need.key.name
                needs[index].append(Edge(need.kind, from: index, to: target, need.type, name, supplied))
            }
            // What a parent's registration uses besides may be there twice.
            if let target, index < visibleCount || target >= visibleCount, places[index].entry.isPlainAlias {
                aliases[target].append(label(places[index].entry.subject.type, nil))
            }
        }
        for place in core.places { _ = number(place) }
        visibleCount = places.count
        while needs.count < places.count {
            let place = places[needs.count]
            needs.append([])
            for need in place.entry.needs {
                add(need, in: place.core, from: need.kind == .decorator ? place.owner.parent : place.core)
            }
        }
        let nodes = zip(places, aliases).map { RegistrationInfo($0, aliases: $1, in: core) }
        self.init(nodes, visibleCount: visibleCount, needs) { $0.tree() }
    }
}

extension ContainerCore {
    /// A registration, the container that owns it, and the one that would build it.
    @usableFromInline typealias Place = (entry: Entry, owner: ContainerCore, core: ContainerCore)

    /// What answers a key, here or in a parent whose registration is decorated.
    @usableFromInline func place(of key: Key, from start: ContainerCore? = nil) -> Place? {
        guard let (owner, entry) = (start ?? self).registered(key) else { return nil }
        return (entry, owner.object, entry.mode == .owned ? owner.object : self)
    }

    /// What requests can find, in order, and what decorates nothing.
    @usableFromInline var places: [Place] {
        visibleEntries().map { entry in
            place(of: entry.key) ?? (entry, ThreadRecord.reading { isInstalled(entry) } ? self : parent ?? self, self)
        }
    }
}

extension Entry {
    /// What an entry declares to need.
    @usableFromInline typealias Need = (kind: DependencyGraph.Edge.Kind, type: any Any.Type, key: Key)

    @_alwaysEmitIntoClient var needs: [Need] {
        if let target = target?.object { return [(.alias, target.type, target.key)] }
        if subject.isDecorator { return [(.decorator, subject.type, key)] }
        return subject.dependencies.map { (.autowiring, $0, Key(ObjectIdentifier($0), nil)) }
    }

    /// Whether it does nothing but give another type to the instance that it leads to.
    @usableFromInline var isPlainAlias: Bool { target != nil && !isDecorated }
}
