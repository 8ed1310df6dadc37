import DependencyInjection
import Foundation

@testable import DependencyInjectionDiagnostics

/// Compares the reports of one container with what happens in it.
struct ContainerReports {
    let container: DIContainer
    /// The index of the container, or nil for a fork, which owns all that it has.
    let index: Int?
    let run: ProgramRun
    let events: ProgramEvents
    let recipes: [Int: Program.Recipe]
    let decorators: [Int: Program.Decorator]
    /// The container of each statement.
    let homes: [Int: Int]

    init(of container: DIContainer, _ index: Int?, in run: ProgramRun, _ events: ProgramEvents) {
        self.container = container
        self.index = index
        self.run = run
        self.events = events
        recipes = run.program.recipesByNumber
        decorators = Dictionary(uniqueKeysWithValues: run.program.decorators.map { ($0.number, $0) })
        homes = run.program.homes
    }

    var place: String { index.map { "in c\($0)" } ?? "in a fork" }

    // MARK: Requests

    /// Requests a node's key, and enters the main actor if the node is isolated to it.
    func resolve(
        _ listed: DependencyGraph.Listed, in container: DIContainer? = nil, entersMainActor: Bool = true
    ) async throws -> Product {
        let request = ProgramRequest(
            resolve: (container ?? self.container).resolve, key: listed.key, name: run.writing.name(listed.key),
            argument: listed.node.arguments.isEmpty ? nil : 7, line: 0)
        let type = reportedTypes[listed.key.type]
        let product: Product?
        if run.isAsync {
            product = try await type.sendAsync(request)
        } else if listed.node.isMainActor && entersMainActor {
            product = try await ProgramRun.onQueue(isMain: true) { Result { try type.send(request) } }.get()
        } else {
            product = try type.send(request)
        }
        guard let product else { throw Problem(text: "resolves to another type") }
        return product
    }

    // MARK: Lifetimes

    /// Compares the listed properties of each key with requests for it.
    func checkLifetimes() async throws {
        for key in container.graph.listed.map(\.key) {
            // Each request builds more.
            guard let listed = container.graph.listed.first(where: { $0.key == key }) else {
                throw Problem(text: "\(reportedTypes[key.type].name) is no longer listed")
            }
            do { try await checkLifetime(listed) } catch let problem as Problem {
                throw Problem(text: "\(place): \(listed.node): \(problem.text)")
            }
        }
    }

    private func checkLifetime(_ listed: DependencyGraph.Listed) async throws {
        let node = listed.node
        weak var instance: Product?
        var lifetime: Lifetime?
        do {
            let lastNumber = run.world.lastNumber
            let first = try await resolve(listed)
            try Problem.unless(node.lifetime != nil, "resolves without a lifetime")
            let isOld = first.innermost.number <= lastNumber
            try Problem.unless(node.isBuilt == isOld, "isBuilt is \(node.isBuilt), and #\(first.number) is returned")
            // A request off the main actor is refused even if the instance is built.
            if !run.isAsync {
                var isRefused = false
                do { _ = try await resolve(listed, entersMainActor: false) } catch {
                    isRefused = (error as? ResolutionError)?.reason == .mainActorRequired
                }
                try Problem.unless(
                    node.isMainActor == isRefused, "isMainActor is \(node.isMainActor), and refused is \(isRefused)")
            }
            lifetime = try await self.lifetime(of: first, listed)
            // The properties of the factory are those of the recipe that has built the instance.
            guard let recipe = first.innermost.line.flatMap({ recipes[$0] }) else {
                throw Problem(text: "\(first.structure) is unknown")
            }
            try Problem.unless(node.isAsync == (recipe.manner == .async), "isAsync is \(node.isAsync)")
            try Problem.unless(node.arguments.isEmpty != recipe.takesArgument, "takes \(node.arguments)")
            instance = first.innermost
        } catch let error as ResolutionError where error.path.isEmpty {
            // An error agrees with the listing.
            switch error.reason {
            case .argumentMismatch: throw Problem(text: "does not take \(node.arguments)")
            case .mainActorRequired: throw Problem(text: "is isolated to the main actor")
            case .asyncRequired: try Problem.unless(node.isAsync, "has to be awaited")
            case .notRegistered: try Problem.unless(node.lifetime == nil, "is not found")
            default: break
            }
            return
        } catch is ResolutionError { return }
        run.world.letGo()
        if lifetime == .shared, instance == nil { lifetime = .weak }
        // An instance that others retain can't be told from a shared one.
        if lifetime == .shared, node.lifetime == .weak {
            // Another instance retains it, or it is released after all.
            let isRetained = await eventually(within: run.isAsync ? ProgramRun.patience : 0) {
                guard let number = instance?.number else { return true }
                return run.world.products.contains { $0.uses.contains { $0.number == number } }
            }
            if isRetained { lifetime = .weak }
        }
        guard let lifetime else { return }
        let seen = node.lifetime == .graph ? .new : node.lifetime
        try Problem.unless(seen == lifetime, "requests see the lifetime \(lifetime)")
    }

    /// The lifetime that two requests and a child see. A graph is new for each request.
    ///
    /// - Returns: Nil if the child can't build an instance.
    private func lifetime(of first: Product, _ listed: DependencyGraph.Listed) async throws -> Lifetime? {
        if try await resolve(listed).innermost !== first.innermost { return .new }
        let child = container.makeChild()
        // A later registration may have closed a cycle.
        let other = try? await resolve(listed, in: child)
        if run.program.hasEnds { try? await child.close() }
        return other.map { $0.innermost === first.innermost ? .shared : .scoped }
    }
}

// Reports about builds: dependencies, events, and validation that builds.
extension ContainerReports {
    /// Builds each key anew, and compares the edges of its graph and the observed dependencies with the products.
    ///
    /// - Parameter reset: Releases all instances of all containers.
    func checkDependencies(_ reset: () -> Void) async throws {
        let graph = container.graph
        for listed in graph.listed {
            reset()
            _ = events.all.takeAll()
            let lastNumber = run.world.lastNumber
            guard let product = try? await resolve(listed) else { continue }
            var walk = Walk(reports: self, graph: graph, lastNumber: lastNumber)
            let events = events.all.takeAll()
            do {
                try walk.compare(listed.index, product)
                if !run.isAsync {
                    walk.visit(product, user: nil)
                    try check(events, walk.observed, graph)
                }
            } catch let problem as Problem {
                throw Problem(text: "\(place): \(listed.node): \(problem.text)\n\(product.structure)\n\(graph)")
            }
        }
    }

    /// A dependency of one factory on another.
    private struct Dependency: Hashable {
        let from: Int
        let to: Int
    }

    /// Compares nodes with products, and collects the dependencies that observers see.
    private struct Walk {
        let reports: ContainerReports
        let graph: DependencyGraph
        /// The last instance that was built before, perhaps by other registrations: a released parent retains it.
        let lastNumber: Int
        private var compared: Set<[Int]> = []
        private var visited: Set<Int> = []
        private(set) var observed: Set<Dependency> = []

        init(reports: ContainerReports, graph: DependencyGraph, lastNumber: Int) {
            self.reports = reports
            self.graph = graph
            self.lastNumber = lastNumber
        }

        // MARK: Declared dependencies

        /// Compares a node, its decorators and its declared dependencies with an instance.
        mutating func compare(_ index: Int, _ product: Product) throws {
            guard product.innermost.number > lastNumber, compared.insert([index, product.number]).inserted
            else { return }
            let node = graph.nodes[index]
            var made = product
            for decorator in node.decorators.reversed() {
                try Problem.unless(
                    made.origin.maker == "d\(decorator.line)",
                    "\(node) is decorated by \(decorator), not \(made.origin.maker)")
                guard let base = made.origin.base else { throw Problem(text: "\(node) has no decorator") }
                made = base
            }
            let edges = graph.outgoingEdges[index]
            if let edge = edges.first, edge.kind == .alias {
                guard let target = edge.to else { throw Problem(text: "\(node) leads nowhere, and is resolved") }
                return try compare(target, made)
            }
            try Problem.unless(made.line == Int(node.line), "\(node) is built by \(made.origin.maker)")
            guard let recipe = reports.recipes[Int(node.line)], recipe.isAutowired else {
                return try Problem.unless(edges.isEmpty, "\(node) is a closure, and has dependencies")
            }
            var rest = edges[...]
            for (dependency, products) in zip(recipe.dependencies, made.origin.groups) {
                for case let product? in products {
                    guard let edge = rest.popFirst(), let target = edge.to else {
                        throw Problem(text: "\(dependency) is resolved, and no edge shows it")
                    }
                    try Problem.unless(
                        edge.isDeferred == dependency.isDeferred, "\(edge) is deferred: \(edge.isDeferred)")
                    try compare(target, product)
                }
                // Children may register it.
                while let edge = rest.first, edge.isOptional, let target = edge.to,
                    graph.nodes[target].isProvidedByChild
                {
                    rest.removeFirst()
                }
            }
            try Problem.unless(rest.isEmpty, "\(rest) are edges of \(recipe), and not resolved")
        }

        // MARK: Observed dependencies

        /// Collects the dependencies in the order in which factories run: each instance is built for its first user.
        mutating func visit(_ product: Product, user: Int?) {
            var decorated: [Product] = []
            var made = product
            while let base = made.origin.base {
                decorated.append(made)
                made = base
            }
            guard let line = made.line else { return }
            let recipe = reports.recipes[line]
            var built: [(product: Product, dependencies: [Program.Dependency], user: Int?)] = []
            if made.number > lastNumber, visited.insert(made.number).inserted {
                if let user { observed.insert(Dependency(from: user, to: line)) }
                built.append((made, recipe?.dependencies ?? [], line))
            }
            for product in decorated.reversed() where visited.insert(product.number).inserted {
                let decorator = Int(product.origin.maker.dropFirst()).flatMap { reports.decorators[$0] }
                built.append((product, decorator?.dependencies ?? [], decorator?.key == recipe?.key ? line : user))
            }
            for (product, dependencies, user) in built {
                let pairs = zip(dependencies, product.origin.groups)
                // Providers are called when all parameters are resolved.
                for isDeferred in [false, true] {
                    for (dependency, products) in pairs where dependency.isDeferred == isDeferred {
                        for case let product? in products { visit(product, user: user) }
                    }
                }
            }
        }
    }

    /// Compares the events with the dependencies that factories had.
    private func check(_ events: [ContainerEvent], _ expected: Set<Dependency>, _ graph: DependencyGraph) throws {
        var observed: Set<Dependency> = []
        var shown: Set<Dependency> = []
        for event in events {
            switch event.kind {
            case .building, .built:
                try Problem.unless(event.path.last === event.registration, "the path of \(event) ends elsewhere")
                try Problem.unless((event.duration != nil) == (event.kind == .built), "\(event) has a duration")
            default: continue
            }
            // A graph shows overridden registrations and aliases only if a declared dependency leads there.
            var user: Int?
            var isShown = true
            for registration in event.path where registration.file == "Program.swift" {
                isShown = isShown && graph.nodes.contains { $0.registration === registration }
                if registration.isAlias { continue }
                let line = Int(registration.line)
                if let user {
                    observed.insert(Dependency(from: user, to: line))
                    if isShown { shown.insert(Dependency(from: user, to: line)) }
                }
                user = line
                isShown = graph.nodes.contains { $0.registration === registration }
            }
        }
        try Problem.unless(observed == expected, "observed are \(observed), and happened \(expected)")
        let added = graph.adding(events)
        let factories = graph.factories
        for dependency in shown {
            let starts = factories.filter { graph.nodes[$0].line == dependency.from }
            let isShown = starts.contains { start in
                graph.reachable(from: start) { node in
                    node != start && factories.contains(node) ? [] : added.outgoingEdges[node].compactMap(\.to)
                }
                .contains { $0 != start && factories.contains($0) && Int(graph.nodes[$0].line) == dependency.to }
            }
            try Problem.unless(isShown, "the graph with events shows no \(dependency)")
        }
        for edge in added.edges where edge.kind == .observed && factories.contains(edge.from) {
            guard let target = edge.to, factories.contains(target), graph.nodes[target].file == "Program.swift"
            else { continue }
            let dependency = Dependency(from: Int(graph.nodes[edge.from].line), to: Int(graph.nodes[target].line))
            try Problem.unless(expected.contains(dependency), "the graph with events shows \(dependency)")
        }
    }

    // MARK: Validation that builds

    /// Checks that validation closes all that it opens, releases all that it builds, and changes nothing here.
    func checkBuilding() async throws {
        let living = run.world.living
        let built = container.registrations.map { "\($0)" }
        _ = (run.world.lines.takeAll(), events.all.takeAll())
        var findings: [ValidationFinding]
        do {
            findings = try await container.validate(.building(includingMainActor: true) { _ in [7] })
        } catch { findings = error.findings }
        if let mistake = run.program.closingMistakes(in: run.world.lines.takeAll()).first {
            throw Problem(text: "\(place): after validation, \(mistake)")
        }
        // A thread or a task that has built an instance may retain it for a moment.
        let isReleased = await eventually(within: ProgramRun.patience) { run.world.living <= living }
        try Problem.unless(isReleased, "\(place): \(run.world.living - living) instances of validation live")
        try Problem.unless(events.all.takeAll().isEmpty, "\(place): validation is observed")
        let after = container.registrations.map { "\($0)" }
        try Problem.unless(built == after, "\(place): validation changed \(built) to \(after)")
        // If validation finds no error, every request succeeds, unless a child has to register a dependency.
        let hasError = findings.contains { $0.isError && $0.kind != .failedOnClose }
        if hasError { return }
        for listed in container.graph.listed where listed.node.lifetime != nil {
            do { _ = try await resolve(listed) } catch {
                try Problem.unless(
                    (error as? ResolutionError)?.declaration != nil,
                    "\(place): validation finds no error, and \(listed.node) fails: \(error)")
            }
        }
    }
}

// Reports about declarations: listings, graphs and findings.
extension ContainerReports {
    /// Compares what listings, graphs and findings state about the declared registrations.
    func checkDeclarations() throws {
        let graph = container.graph
        do {
            try checkListing(graph)
            try checkFindings(graph)
        } catch let problem as Problem { throw Problem(text: "\(place): \(problem.text)\n\(graph)") }
    }

    // MARK: Listings

    private func checkListing(_ graph: DependencyGraph) throws {
        let registrations = container.registrations
        for node in registrations where homes[Int(node.line)] != nil && !node.isProvidedByChild {
            try Problem.unless(
                node.isInherited == (index != nil && homes[Int(node.line)] != index),
                "\(node): isInherited is \(node.isInherited)")
        }
        // Each alias of a key that is found belongs to one listed registration.
        var aliases = 0
        for listed in graph.listed {
            guard let edge = graph.outgoingEdges[listed.index].first, edge.kind == .alias, let target = edge.to,
                listed.node.decorators.isEmpty
            else { continue }
            aliases += 1
            let owner = graph.outgoingEdges.chain(from: target).first { index in
                graph.outgoingEdges[index].first.map { $0.kind != .alias || $0.to == nil } ?? true
                    || !graph.nodes[index].decorators.isEmpty
            }
            let shown = registrations.first { node in
                owner.map { graph.nodes[$0].line == node.line && graph.nodes[$0].key == node.key } ?? false
            }
            let name = listed.node.key.components(separatedBy: " named ")[0]
            try Problem.unless(
                shown?.aliases.contains { name.hasSuffix($0) || $0.hasSuffix(name) } == true,
                "\(listed.node) is no alias of \(shown.map { "\($0)" } ?? "nothing")")
        }
        let shown = registrations.map(\.aliases.count).reduce(0, +)
        try Problem.unless(shown == aliases, "\(shown) aliases are listed, and \(aliases) are found")
        // The line that describes the container counts the listed registrations.
        let counted = registrations.count { node in
            let isAlias = graph.edges.contains { edge in
                let user = graph.nodes[edge.from]
                return edge.kind == .alias && user.key == node.key && user.line == node.line
            }
            return !isAlias && !node.isProvidedByChild && node.lifetime != nil
        }
        let summary = "DIContainer with \(counted) registrations"
        try Problem.unless(container.description == summary, "\(container) is described, and \(summary) is listed")
    }

    // MARK: Findings

    private func checkFindings(_ graph: DependencyGraph) throws {
        let all = findings(container)
        try checkCaptive(all.filter { $0.kind == .captiveDependency }, graph)
        let reported = Set(all.filter { $0.kind == .error(.notRegistered) }.map(\.id.key))
        // A node that a parent caches must not need, even later, what children register.
        for user in graph.factories where graph.nodes[user].isCachedByOwner {
            let edges = graph.edges(reachableFrom: user) { _ in
                true
            } through: {
                !graph.nodes[$0].isCachedByOwner
            }
            for edge in edges where !edge.isOptional {
                guard let target = edge.to, graph.nodes[graph.base(of: target)].isProvidedByChild else { continue }
                try Problem.unless(reported.contains(edge.dependency.key), "no finding reports \(edge)")
            }
        }

        let cycles = all.filter { $0.kind == .error(.cycle) }
        // Each node with all that follow it without providers.
        let reached = graph.nodes.indices.map { node in
            graph.reachable(from: node) { graph.outgoingEdges[$0].filter { !$0.isDeferred }.compactMap(\.to) }
        }
        // The target of such an edge leads back to its source, without providers.
        let cyclic = graph.edges.filter { edge in
            !edge.isDeferred && edge.to.map { reached[$0].contains(edge.from) } ?? false
        }
        try Problem.unless(cycles.isEmpty == cyclic.isEmpty, "cycles are \(cycles), and \(cyclic) are cyclic")
        for edge in cyclic {
            // The nodes that the node reaches, and that reach it.
            let component = reached[edge.from].filter { reached[$0].contains(edge.from) }
            let lines = Set(component.map { graph.nodes[$0].line })
            try Problem.unless(
                cycles.contains { $0.path.allSatisfy { lines.contains($0.line) } }, "no cycle is found for \(edge)")
        }
        let replaced = Set(graph.nodes.filter { $0.replaced != nil }.map { "\($0.line)" })
        let shownAsReplaced = Set(all.filter { $0.kind == .replaced }.map { "\($0.line)" })
        try Problem.unless(shownAsReplaced == replaced, "replaced are \(replaced)")
        let unused = Set(graph.nodes.filter { $0.lifetime == nil && !$0.isProvidedByChild }.map(\.line))
        let shownAsUnused = Set(all.filter { $0.kind == .unusedDecorator }.map(\.line))
        try Problem.unless(shownAsUnused == unused, "unused are \(unused)")
        let missing = Set(graph.edges.filter { $0.to == nil }.map(\.dependency.key))
        try Problem.unless(missing.isSubset(of: reported), "missing are \(missing), reported \(reported)")
    }

    /// A captive dependency is a scoped node to which a path leads from a node that its owner caches: without
    /// providers, through nodes that nothing caches.
    private func checkCaptive(_ findings: [ValidationFinding], _ graph: DependencyGraph) throws {
        var explained: Set<Int> = []
        for user in graph.factories where graph.nodes[user].isCachedByOwner {
            let line = graph.nodes[user].line
            let edges = graph.edges(reachableFrom: user) { edge in
                !edge.isDeferred
            } through: {
                !graph.nodes[$0].isCachedByOwner && graph.nodes[$0].lifetime != .scoped
            }
            let scoped = edges.filter { edge in
                edge.to.map { graph.nodes[graph.base(of: $0)].lifetime == .scoped } ?? false
            }
            for (base, edges) in Dictionary(grouping: scoped, by: { graph.base(of: $0.to!) }) {
                let keys = Set(edges.map(\.dependency.key))
                let found = findings.indices.filter { findings[$0].line == line && keys.contains(findings[$0].id.key) }
                try Problem.unless(
                    !found.isEmpty, "no finding says that line \(line) captures line \(graph.nodes[base].line)")
                explained.formUnion(found)
            }
        }
        for (index, finding) in findings.enumerated() {
            try Problem.unless(
                explained.contains(index), "no path leads to the captive dependency of \(finding)")
        }
    }
}

// Searches by brute force.
extension DependencyGraph {
    /// A key of the program and the node that a request for it finds.
    struct Listed {
        let index: Int
        let node: RegistrationInfo
        let key: Program.Key
    }

    /// The node of each key, except those that no request resolves. The nodes that follow are overridden.
    fileprivate var listed: [Listed] {
        var known: Set<Program.Key> = []
        return nodes.enumerated().compactMap { index, node in
            guard let type = reportedTypes.firstIndex(where: { $0.type == node.type }), !node.isProvidedByChild
            else { return nil }
            let key = Program.Key(type: type, isNamed: node.name != nil)
            return known.insert(key).inserted ? Listed(index: index, node: node, key: key) : nil
        }
    }

    /// The nodes that have a factory of their own.
    fileprivate var factories: [Int] {
        nodes.indices.filter { outgoingEdges[$0].first?.kind != .alias && nodes[$0].lifetime != nil }
    }

    /// The edges on all paths from a node, except those of aliases.
    ///
    /// - Parameters:
    ///   - isPassable: Whether a path may lead over an edge.
    ///   - isInner: Whether a path may lead through a node.
    fileprivate func edges(
        reachableFrom start: Int, over isPassable: (Edge) -> Bool, through isInner: (Int) -> Bool
    ) -> [Edge] {
        let inner = reachable(from: start) { node in
            outgoingEdges[node].filter(isPassable).compactMap { $0.to.map { base(of: $0) } }
                .filter { nodes[$0].lifetime != nil && isInner($0) }
        }
        return inner.flatMap { outgoingEdges[$0].filter(isPassable) }
    }

    /// A node, and all that follow it directly or behind others.
    fileprivate func reachable(from start: Int, following: (Int) -> [Int]) -> Set<Int> {
        var visited: Set<Int> = [start]
        var rest = [start]
        while let node = rest.popLast() { rest += following(node).filter { visited.insert($0).inserted } }
        return visited
    }
}

extension RegistrationInfo {
    /// Whether the container of the registration caches the instance.
    fileprivate var isCachedByOwner: Bool { lifetime == .shared || lifetime == .weak }
}
