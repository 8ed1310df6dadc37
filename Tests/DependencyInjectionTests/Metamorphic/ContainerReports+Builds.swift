import DependencyInjection
@testable import DependencyInjectionDiagnostics

// Reports about builds: dependencies, events, and validation that builds.
extension ContainerReports {
    /// Builds each key anew, and compares the edges of its graph and the observed dependencies with the products.
    ///
    /// - Parameter reset: Releases all instances of all containers.
    func checkDependencies(_ reset: () -> Void) async throws {
        let graph = container.graph
        for listed in listed(graph) {
            reset()
            _ = events.take()
            let lastNumber = run.world.lastNumber
            guard let product = try? await resolve(listed) else { continue }
            var walk = Walk(reports: self, graph: graph, lastNumber: lastNumber)
            let events = events.take()
            do {
                try walk.compare(listed.index, product)
                if !run.program.isAsync {
                    walk.visit(product, user: nil)
                    try check(events, walk.observed, graph)
                }
            } catch let mistake as Mistake {
                throw Mistake(text: "\(place): \(listed.node): \(mistake.text)\n\(product.structure)\n\(graph)")
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
                try Mistake.unless(
                    made.origin.maker == "d\(decorator.line)",
                    "\(node) is decorated by \(decorator), not \(made.origin.maker)")
                guard let base = made.origin.base else { throw Mistake(text: "\(node) has no decorator") }
                made = base
            }
            let edges = graph.outgoingEdges[index]
            if let edge = edges.first, edge.kind == .alias {
                guard let target = edge.to else { throw Mistake(text: "\(node) leads nowhere, and is resolved") }
                return try compare(target, made)
            }
            try Mistake.unless(made.line == Int(node.line), "\(node) is built by \(made.origin.maker)")
            guard let recipe = reports.recipes[Int(node.line)], recipe.isAutowired else {
                return try Mistake.unless(edges.isEmpty, "\(node) is a closure, and has dependencies")
            }
            try compare(recipe, edges, made)
        }

        private mutating func compare(_ recipe: Program.Recipe, _ edges: [Edge], _ product: Product) throws {
            var edges = edges[...]
            for (dependency, products) in zip(recipe.dependencies, product.origin.groups) {
                let isDeferred = dependency.form == .provider || dependency.form == .optionalProvider
                for product in products {
                    if product == nil { continue }
                    guard let edge = edges.popFirst(), let target = edge.to, let product else {
                        throw Mistake(text: "\(dependency) is resolved, and no edge shows it")
                    }
                    try Mistake.unless(edge.isDeferred == isDeferred, "\(edge) is deferred: \(edge.isDeferred)")
                    try compare(target, product)
                }
                // Children may register it.
                while let edge = edges.first, edge.isOptional, let target = edge.to,
                    graph.nodes[target].isProvidedByChild
                {
                    edges.removeFirst()
                }
            }
            try Mistake.unless(edges.isEmpty, "\(edges) are edges of \(recipe), and not resolved")
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
            if made.number > lastNumber, visited.insert(made.number).inserted {
                if let user { observed.insert(Dependency(from: user, to: line)) }
                let recipe = reports.recipes[line]
                visit(made, recipe?.dependencies ?? [], user: line)
            }
            for product in decorated.reversed() where visited.insert(product.number).inserted {
                let decorator = Int(product.origin.maker.dropFirst()).flatMap { reports.decorators[$0] }
                let isOwn = decorator?.key == reports.recipes[line]?.key
                visit(product, decorator?.dependencies ?? [], user: isOwn ? line : user)
            }
        }

        private mutating func visit(_ product: Product, _ dependencies: [Program.Dependency], user: Int?) {
            let pairs = zip(dependencies, product.origin.groups)
            // Providers are called when all parameters are resolved.
            for isDeferred in [false, true] {
                for (dependency, products) in pairs {
                    let form = dependency.form
                    guard (form == .provider || form == .optionalProvider) == isDeferred else { continue }
                    for product in products.compactMap({ $0 }) { visit(product, user: user) }
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
                try Mistake.unless(event.path.last === event.registration, "the path of \(event) ends elsewhere")
                try Mistake.unless((event.duration != nil) == (event.kind == .built), "\(event) has a duration")
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
        try Mistake.unless(observed == expected, "observed are \(observed), and happened \(expected)")
        let added = graph.adding(events)
        for dependency in shown {
            let starts = graph.nodes.indices.filter { graph.isFactory($0) && graph.nodes[$0].line == dependency.from }
            let isShown = starts.contains { start in
                var rest = added.outgoingEdges[start].compactMap(\.to)
                var visited: Set<Int> = []
                while let node = rest.popLast() {
                    guard visited.insert(node).inserted else { continue }
                    if !graph.isFactory(node) {
                        rest += added.outgoingEdges[node].compactMap(\.to)
                    } else if Int(graph.nodes[node].line) == dependency.to {
                        return true
                    }
                }
                return false
            }
            try Mistake.unless(isShown, "the graph with events shows no \(dependency)")
        }
        for edge in added.edges where edge.kind == .observed && graph.isFactory(edge.from) {
            guard let target = edge.to, graph.isFactory(target), graph.nodes[target].file == "Program.swift"
            else { continue }
            let dependency = Dependency(from: Int(graph.nodes[edge.from].line), to: Int(graph.nodes[target].line))
            try Mistake.unless(expected.contains(dependency), "the graph with events shows \(dependency)")
        }
    }

    // MARK: Validation that builds

    /// Checks that validation closes all that it opens, releases all that it builds, and changes nothing here.
    func checkBuilding() async throws {
        let living = run.world.living
        let built = container.registrations.map { "\($0)" }
        _ = (run.world.takeLines(), events.take())
        var findings: [ValidationFinding]
        do {
            findings = try await container.validate(.building(includingMainActor: true) { _ in [7] })
        } catch { findings = error.findings }
        let lines = run.world.takeLines()
        var opened: [String: Int] = [:]
        for line in lines {
            if let match = line.firstMatch(of: /^r(\d+) makes (#\d+)/), let recipe = recipes[Int(match.1)!] {
                opened[String(match.2), default: 0] += recipe.ends.count
            } else if let match = line.firstMatch(of: /^r\d+ closes (#\d+),/) {
                opened[String(match.1), default: 0] -= 1
            }
        }
        if let instance = opened.first(where: { $0.value != 0 }) {
            throw Mistake(
                text: "\(place): \(instance.value) handlers of \(instance.key), which validation opened, are left")
        }
        // A thread or a task that has built an instance may retain it for a moment.
        let isReleased = await eventually(within: ProgramRun.patience) { run.world.living <= living }
        try Mistake.unless(isReleased, "\(place): \(run.world.living - living) instances of validation live")
        try Mistake.unless(events.take().isEmpty, "\(place): validation is observed")
        let after = container.registrations.map { "\($0)" }
        try Mistake.unless(built == after, "\(place): validation changed \(built) to \(after)")
        try await checkErrors(findings)
    }

    /// If validation finds no error, every request succeeds.
    private func checkErrors(_ findings: [ValidationFinding]) async throws {
        let isChecked = findings.allSatisfy { !$0.isError || $0.kind == .failedOnClose }
        if !isChecked { return }
        for listed in listed(container.graph) where listed.node.lifetime != nil {
            do { _ = try await resolve(listed) } catch {
                throw Mistake(text: "\(place): validation finds no error, and \(listed.node) fails: \(error)")
            }
        }
    }
}
