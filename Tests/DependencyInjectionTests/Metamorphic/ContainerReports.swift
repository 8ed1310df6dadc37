import DependencyInjection
@testable import DependencyInjectionDiagnostics
import Foundation

/// Compares the reports of one container with what happens in it.
struct ContainerReports {
    typealias Edge = DependencyGraph.Edge

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
        var (recipes, decorators, homes) = (
            [Int: Program.Recipe](), [Int: Program.Decorator](), [Int: Int]()
        )
        func add(_ statement: Program.Statement, _ home: Int) {
            switch statement {
            case .register(let recipe): (recipes[recipe.number], homes[recipe.number]) = (recipe, home)
            case .decorate(let decorator):
                (decorators[decorator.number], homes[decorator.number]) = (decorator, home)
            case .expect: break
            }
        }
        for (home, container) in run.program.containers.enumerated() {
            for statement in container.statements { add(statement, home) }
        }
        for case .add(let statement, let home) in run.program.steps { add(statement, home) }
        (self.recipes, self.decorators, self.homes) = (recipes, decorators, homes)
    }

    var place: String { index.map { "in c\($0)" } ?? "in a fork" }

    // MARK: Nodes

    /// A key of the program and the node that a request for it finds.
    struct Listed {
        let index: Int
        let node: RegistrationInfo
        let key: Program.Key
    }

    private static let types = Dictionary(
        uniqueKeysWithValues: reportedTypes.enumerated().map { (ObjectIdentifier($0.element.type), $0.offset) })

    func key(of node: RegistrationInfo) -> Program.Key? {
        Self.types[ObjectIdentifier(node.type)].map { Program.Key(type: $0, isNamed: node.name != nil) }
    }

    /// The node of each key, except those that no request resolves. The nodes that follow are overridden.
    func listed(_ graph: DependencyGraph) -> [Listed] {
        var known: Set<Program.Key> = []
        return graph.nodes.enumerated().compactMap { index, node in
            guard let key = key(of: node), !node.isProvidedByChild, known.insert(key).inserted else { return nil }
            return Listed(index: index, node: node, key: key)
        }
    }

    /// The recipe of a node that has a factory of its own.
    func recipe(of node: RegistrationInfo, _ edges: [Edge]) -> Program.Recipe? {
        edges.first?.kind == .alias || node.lifetime == nil ? nil : recipes[Int(node.line)]
    }

    // MARK: Requests

    func resolve(_ listed: Listed, in container: DIContainer? = nil) async throws -> Product {
        let resolve = (container ?? self.container).resolve
        let keys = keys(listed)
        let type = reportedTypes[listed.key.type]
        let request = keys.request(resolve)
        let product: Product?
        if run.program.isAsync {
            product = try await type.sendAsync(request)
        } else if listed.node.isMainActor {
            product = try await ProgramRun.onMain(.task) { OnMain.run { Result { try type.send(request) } } }.get()
        } else {
            product = try type.send(request)
        }
        guard let product else { throw Mistake(text: "resolves to another type") }
        return product
    }

    private func keys(_ listed: Listed) -> ProductPair.Keys {
        ProductPair.Keys(
            key: listed.key, name: run.writing.name(listed.key), argument: listed.node.arguments.isEmpty ? nil : 7)
    }

    private func resolvePair(_ listed: Listed) async throws -> ProductPair {
        let (resolve, keys) = (container.resolve, keys(listed))
        if run.program.isAsync {
            return try await resolve.async(ProductPair.Awaited.self, arguments: keys).pair
        }
        if listed.node.isMainActor {
            return try await ProgramRun.onMain(.task) {
                OnMain.run { Result { try resolve.orThrow(ProductPair.self, arguments: keys) } }
            }.get()
        }
        return try resolve.orThrow(ProductPair.self, arguments: keys)
    }

    // MARK: Lifetimes

    /// Compares the listed properties of each key with requests for it.
    func checkLifetimes() async throws {
        for key in listed(container.graph).map(\.key) {
            // Each request builds more.
            let graph = container.graph
            guard let listed = listed(graph).first(where: { $0.key == key }) else {
                throw Mistake(text: "\(reportedTypes[key.type].name) is no longer listed")
            }
            do { try await checkLifetime(listed) } catch let mistake as Mistake {
                throw Mistake(text: "\(place): \(listed.node): \(mistake.text)")
            }
        }
    }

    private func checkLifetime(_ listed: Listed) async throws {
        let node = listed.node
        weak var instance: Product?
        var lifetime: Lifetime?
        do {
            let lastNumber = run.world.lastNumber
            let first = try await resolve(listed)
            try Mistake.unless(node.lifetime != nil, "resolves without a lifetime")
            let isOld = first.innermost.number <= lastNumber
            try Mistake.unless(node.isBuilt == isOld, "isBuilt is \(node.isBuilt), and #\(first.number) is returned")
            try checkRefusal(of: listed)
            lifetime = try await self.lifetime(of: first, listed)
            try check(first, of: listed)
            instance = first.innermost
        } catch let error as ResolutionError { return try check(error, of: listed) }
        run.world.letGo()
        if lifetime == .shared, instance == nil { lifetime = .weak }
        // An instance that others retain can't be told from a shared one.
        if lifetime == .shared, node.lifetime == .weak, await isRetained({ instance }) { lifetime = .weak }
        guard let lifetime else { return }
        try Mistake.unless(node.lifetime == lifetime, "requests see the lifetime \(lifetime)")
    }

    /// The lifetime that two requests, two dependencies of one request and a child see.
    ///
    /// - Returns: Nil if the child can't build an instance.
    private func lifetime(of first: Product, _ listed: Listed) async throws -> Lifetime? {
        if try await resolve(listed).innermost !== first.innermost {
            let pair = try await resolvePair(listed)
            return pair.first?.innermost === pair.second?.innermost ? .graph : .new
        }
        let child = container.makeChild()
        // A later registration may have closed a cycle.
        let other = try? await resolve(listed, in: child)
        if run.program.hasEnds { try? await child.close() }
        return other.map { $0.innermost === first.innermost ? .shared : .scoped }
    }

    /// Whether another instance retains the instance, or the instance is released after all.
    private func isRetained(_ instance: () -> Product?) async -> Bool {
        func isRetained() -> Bool {
            guard let number = instance()?.number else { return true }
            return run.world.products.contains { other in
                other.origin.base?.number == number || other.origin.dependencies.contains { $0?.number == number }
            }
        }
        return run.program.isAsync ? await eventually(within: ProgramRun.patience) { isRetained() } : isRetained()
    }

    /// Compares the properties of the factory with the recipe that has built an instance.
    private func check(_ product: Product, of listed: Listed) throws {
        guard let recipe = product.innermost.line.flatMap({ recipes[$0] }) else {
            throw Mistake(text: "\(product.structure) is unknown")
        }
        let node = listed.node
        try Mistake.unless(node.isAsync == (recipe.manner == .async), "isAsync is \(node.isAsync)")
        try Mistake.unless(node.arguments.isEmpty != recipe.takesArgument, "takes \(node.arguments)")
    }

    /// Compares the listed isolation with a request off the main actor, which is refused even if the instance is built.
    private func checkRefusal(of listed: Listed) throws {
        if run.program.isAsync { return }
        let isMainActor = listed.node.isMainActor
        var isRefused = false
        do { _ = try reportedTypes[listed.key.type].send(keys(listed).request(container.resolve)) } catch {
            isRefused = (error as? ResolutionError)?.reason == .mainActorRequired
        }
        try Mistake.unless(isMainActor == isRefused, "isMainActor is \(isMainActor), and refused is \(isRefused)")
    }

    /// Checks that an error agrees with the listing.
    private func check(_ error: ResolutionError, of listed: Listed) throws {
        guard error.path.isEmpty else { return }
        switch error.reason {
        case .argumentMismatch: throw Mistake(text: "does not take \(listed.node.arguments)")
        case .mainActorRequired: throw Mistake(text: "is isolated to the main actor")
        case .asyncRequired: try Mistake.unless(listed.node.isAsync, "has to be awaited")
        case .notRegistered: try Mistake.unless(listed.node.lifetime == nil, "is not found")
        default: break
        }
    }
}
