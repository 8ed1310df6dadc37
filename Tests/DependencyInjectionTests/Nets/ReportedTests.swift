import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private let programs = RandomPrograms(defaultCount: 40)

/// Runs random programs and compares what listings, graphs, findings and events report with what happens. Nothing that
/// is expected is written down: requests, weak references and searches by brute force show it.
@Suite("What is reported is what happens", .serialized, .ownThread)
struct ReportedTests {
    @Test("Listings, graphs, findings and events agree with what happens", arguments: 0..<10)
    func reports(part: UInt64) async {
        await programs.check(part: part, of: 10) {
            Program(seed: $0, for: .reports)
        } mistake: { program in
            var random = SmallGenerator(seed: program.seed &+ 0x4321)
            var variation = MetamorphicVariation()
            // Some registrations belong to modules.
            variation.grouping = .allCases.randomElement(using: &random)!
            var run = ProgramRun(program, variation)
            var mistake: String?
            do { try await run.checkReports(&random) } catch { mistake = (error as? Problem)?.text ?? "\(error)" }
            await run.end()
            return mistake
        }
    }

    @Test(
        "Unchecked are factories that get a resolver, and expressions other than literals",
        arguments: ValueForm.allCases)
    fileprivate func unchecked(_ form: ValueForm) {
        let container = DIContainer {
            form.registration(1, "integer")
            form.registration(2 as UInt8, "byte")
            form.registration(1.5 as Float, "number")
            form.registration("x" as Character, "character")
            form.registration("text", "string")
            form.registration(true, "Boolean")
            form.registration([1], "array")
            form.registration(Ticket(number: 1), "structure")
        }
        let expected =
            form.hasResolver
            ? ["integer", "byte", "number", "character", "string", "Boolean", "array", "structure"]
            : form.isDeclared ? [] : ["array", "structure"]
        let graph = container.graph
        #expect(graph.uncheckedRegistrations.map { $0.name?.rawValue } == expected)
        #expect((graph.uncheckedSummary == nil) == expected.isEmpty)
    }
}

/// The forms of a registration of a value, and what they declare.
private enum ValueForm: CaseIterable {
    case expression, initializer, trailing, factory, trailingFactory, autowiring, autowiringOnMainActor
    case mainActorExpression, mainActorInitializer, mainActorFactory

    /// Whether the author gets a resolver.
    var hasResolver: Bool { [.factory, .trailingFactory, .mainActorFactory].contains(self) }
    /// Whether an initializer declares its parameters.
    var isDeclared: Bool { [.autowiring, .autowiringOnMainActor].contains(self) }

    func registration<Value: Sendable>(_ value: Value, _ name: RegistrationName) -> Shared<Value> {
        switch self {
        case .expression: Shared(value, name: name)
        case .initializer: Shared({ value }, name: name)
        case .trailing: Shared(name: name) { value }
        case .factory: Shared({ (_: Resolver) in value }, name: name)
        case .trailingFactory: Shared(name: name) { (_: Resolver) in value }
        case .autowiring: Shared(autowiring: { value }, name: name)
        case .autowiringOnMainActor: Shared(autowiring: { @MainActor in value }, name: name)
        case .mainActorExpression: Shared(mainActor: value, name: name)
        case .mainActorInitializer: Shared(mainActor: { value }, name: name)
        case .mainActorFactory: Shared(mainActor: { (_: Resolver) in value }, name: name)
        }
    }
}

// Runs that compare reports with what happens.
extension ProgramRun {
    fileprivate mutating func checkReports(_ random: inout SmallGenerator) async throws {
        let events = ProgramEvents(of: containers)
        for (index, step) in program.steps.enumerated() {
            _ = await perform(step, index)
            world.letGo()
            try await checkReleases(events, "step \(index)")
            let isChecked = Int.random(in: 0..<8, using: &random) == 0
            guard isChecked, let (index, container) = open.randomElement(using: &random) else { continue }
            let reports = ContainerReports(of: container, index, in: self, events)
            try reports.checkDeclarations()
            try await reports.checkLifetimes()
            try await checkReleases(events, "the requests of c\(index)")
        }
        for (index, container) in open {
            let reports = ContainerReports(of: container, index, in: self, events)
            try reports.checkDeclarations()
            try await reports.checkLifetimes()
            try await reports.checkBuilding()
            try await reports.checkDependencies { for (_, container) in open { container.resetInstances() } }
            try await checkReleases(events, "the requests of c\(index)")
        }
        if let (_, container) = open.randomElement(using: &random) {
            let fork = container.fork()
            let reports = ContainerReports(of: fork, nil, in: self, ProgramEvents(of: [fork]))
            try reports.checkDeclarations()
            if Int.random(in: 0..<3, using: &random) == 0 { try await reports.checkLifetimes() }
            try await reports.checkDependencies { fork.resetInstances() }
            if program.hasEnds { try? await fork.close() }
        }
    }

    /// The containers that are neither released nor closed, and no parent of which is closed.
    private var open: [(Int, DIContainer)] {
        containers.indices.compactMap { index in
            program.chain(from: index).contains { closed.contains($0) } ? nil : containers[index].map { (index, $0) }
        }
    }

    // MARK: Instances

    /// Compares the instances that the events of each container leave in its cache with the instances that live.
    private func checkReleases(_ events: ProgramEvents, _ moment: String) async throws {
        var mistake: String?
        // A task that has built an instance may retain it for a moment.
        _ = await eventually(within: program.isAsync ? Self.patience : 0) {
            mistake = releaseMistake(events)
            return mistake == nil
        }
        if let mistake { throw Problem(text: "after \(moment): \(mistake)") }
    }

    private func releaseMistake(_ events: ProgramEvents) -> String? {
        let (cached, living) = (events.cached, events.living)
        for (place, count) in cached where count != 0 && count != 1 {
            return "the events of \(place) leave \(count) instances"
        }
        let products = world.products
        let retained = Set(products.flatMap { $0.uses.map(\.number) })
        let recipes = program.recipesByNumber
        var owners: [ProgramEvents.Place: Int] = [:]
        for product in products where !retained.contains(product.number) {
            let made = product.innermost
            guard let line = made.line, let recipe = recipes[line] else { return "\(product.structure) is unknown" }
            let place = ProgramEvents.Place(container: made.home, line: line)
            // What has to be closed is retained until then.
            let isOpen = living.contains(made.home) && !events.closed.current.contains(made.home)
            if !recipe.ends.isEmpty, isOpen { continue }
            guard cached[place] == 1, recipe.lifetime == .shared || recipe.lifetime == .scoped else {
                return "\(product.structure) lives, which \(made.home) has not reported as cached"
            }
            if let other = owners.updateValue(made.number, forKey: place), other != made.number {
                return "\(place) retains #\(other) and #\(made.number)"
            }
        }
        let places = Set(
            products.compactMap { product in
                product.line.map { ProgramEvents.Place(container: product.home, line: $0) }
            })
        for (place, count) in cached where count == 1 && living.contains(place.container) {
            guard let recipe = recipes[place.line], recipe.lifetime != .weak else { continue }
            if !places.contains(place) { return "\(place) has not reported the release of its instance" }
        }
        return nil
    }
}

extension Product {
    /// The line of the registration that has built it, or nil for a decorator's product.
    var line: Int? { origin.maker.hasPrefix("r") ? Int(origin.maker.dropFirst()) : nil }

    /// The instances that it retains.
    var uses: [Product] { (origin.dependencies + [origin.base]).compactMap { $0 } }

    /// The product without the decorators.
    var innermost: Product {
        var product = self
        while let base = product.origin.base { product = base }
        return product
    }
}

/// The events of a program's containers.
final class ProgramEvents: Sendable {
    /// A registration whose instance a container caches.
    struct Place: Hashable, CustomStringConvertible {
        let container: String
        let line: Int
        var description: String { "r\(line) in \(container)" }
    }

    let all = Locked<[ContainerEvent]>([])
    private let containers: Locked<[(name: String, reference: Reference<DIContainer>)]>
    let closed = Locked<Set<String>>([])
    /// The instances that were built and not released, for each registration that caches.
    private let counts = Locked<[Place: Int]>([:])

    /// Observes the containers.
    init(of containers: [DIContainer?]) {
        let named = containers.enumerated().compactMap { index, container in container.map { ("c\(index)", $0) } }
        self.containers = Locked(named.map { ($0, Reference($1, isWeak: true)) })
        for (name, container) in named {
            container.observe { [all, counts, closed] event in
                all.withLock { $0.append(event) }
                if event.kind == .closed { closed.withLock { _ = $0.insert(name) } }
                guard let registration = event.registration, !registration.isAlias,
                    registration.file == "Program.swift", [.shared, .scoped, .weak].contains(registration.lifetime)
                else { return }
                let place = Place(container: name, line: Int(registration.line))
                switch event.kind {
                case .built: counts.withLock { $0[place, default: 0] += 1 }
                case .released: counts.withLock { $0[place, default: 0] -= 1 }
                default: break
                }
            }
        }
    }

    /// The number of instances that the events of living containers leave in their caches.
    var cached: [Place: Int] {
        let living = living
        return counts.current.filter { living.contains($0.key.container) }
    }

    /// The names of the containers that are not released.
    var living: Set<String> { Set(containers.current.filter { $0.reference.object != nil }.map(\.name)) }
}
