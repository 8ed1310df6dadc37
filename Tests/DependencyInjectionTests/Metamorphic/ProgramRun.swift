import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation

/// Runs a program in some words.
struct ProgramRun {
    private struct Filler: Sendable {}

    /// The time to wait for the release of instances, in seconds. It is short while a failing program is made smaller,
    /// because most of these waits end without success.
    @TaskLocal static var patience = longestWait

    let program: Program
    let variation: MetamorphicVariation
    /// The outcome of the program in its own words, or nil during that run.
    let reference: ProgramOutcome?
    /// Whether to list and validate the containers in the end, which takes longer than all else.
    let isListed: Bool
    let world: World
    let writing: Writing
    var containers: [DIContainer?] = []
    var decorators: [Int: Decorate] = [:]
    var closed: Set<Int> = []
    var fillers = 0
    /// Empty children of the containers, and theirs.
    var children: [(DIContainer, DIContainer)?] = []
    /// Whether the reports of the containers are checked.
    let isReported: Bool

    static func outcome(
        of program: Program, by variation: MetamorphicVariation = MetamorphicVariation(),
        comparedWith reference: ProgramOutcome? = nil,
        isListed: Bool
    ) async -> ProgramOutcome {
        var run = ProgramRun(program, variation, reference, isListed)
        return await run.outcome()
    }

    init(
        _ program: Program, _ variation: MetamorphicVariation, _ reference: ProgramOutcome?, _ isListed: Bool,
        isReported: Bool = false
    ) {
        self.program = program
        self.variation = variation
        self.reference = reference
        self.isListed = isListed
        self.isReported = isReported
        world = World(startsTasks: program.startsTasks, isTracking: isReported)
        writing = Writing(world: world, variation: variation)
    }

    mutating func outcome() async -> ProgramOutcome {
        var outcome = ProgramOutcome()
        for index in program.containers.indices { makeContainer(index) }
        for (index, step) in program.steps.enumerated() {
            if variation.filler == .between { fillAll(with: 60) }
            var record = ProgramRecord()
            record.result = await perform(step, index)
            record.isEnd = step.isEnd
            record.lines = world.takeLines()
            record.tasks = await world.takeTasks()
            outcome.records.append(record)
        }
        for container in containers where isListed {
            guard let container else { continue }
            outcome.listing += listing(of: container)
            outcome.findings += findings(in: container)
        }
        // The tables grow once more, with all instances in them.
        if variation.filler == .between { fillAll(with: 1_000) }
        for index in containers.indices.reversed() where program.hasEnds {
            let result = await close(index, fails: false)
            outcome.records.append(ProgramRecord(result: result, isEnd: true, lines: world.takeLines()))
        }
        for index in containers.indices.reversed() { drop(index) }
        world.letGo()
        let world = world
        if !(await eventually(within: Self.patience) { world.living == 0 }) {
            world.note("\(world.living) were never released")
        }
        outcome.records.append(ProgramRecord(lines: world.takeLines()))
        return outcome
    }

    // MARK: Registering

    mutating func makeContainer(_ index: Int) {
        let spec = program.containers[index]
        let container: DIContainer
        if let parent = spec.parent, let parent = containers[parent] {
            container = parent.makeChild()
            write(index, in: container)
        } else {
            let base = DIContainer()
            write(index, in: base)
            container =
                switch variation.root {
                case .container, .defaultContainer: base
                case .fork: base.fork()
                case .forkOfFork: base.fork().fork()
                case .overrides:
                    DIContainer.withContainer(base) {
                        DIContainer.withOverrides {
                        } operation: {
                            DIContainer.current
                        }
                    }
                }
        }
        if index == 0, variation.root == .defaultContainer { DIContainer.shared = container }
        containers.append(container)
        let child = variation.places == nil ? nil : container.makeChild()
        children.append(child.map { ($0, $0.makeChild()) })
        if variation.isObserved {
            container.observe { [weak container] _ in
                _ = World.current
                _ = try? container?.resolve.orThrow(Marker.self)
            }
        }
    }

    mutating func write(_ index: Int, in container: DIContainer) {
        mark(container, index)
        if variation.filler == .before { fill(container) }
        if repeatsDecorators {
            // Not those of the parent where there is a grandparent, so that others stand between.
            let ancestors = program.chain(from: index).dropFirst()
            for ancestor in (ancestors.count > 1 ? ancestors.dropFirst() : ancestors).reversed() {
                for case .decorate(let decorator) in program.containers[ancestor].statements
                where !registers(decorator.key, from: index, below: ancestor) {
                    container.register(decorate(decorator))
                }
            }
        }
        var statements: [any RegistrationConvertible] = []
        for statement in program.containers[index].statements { statements.append(written(statement)) }
        register(statements, in: container)
    }

    /// A decorator of a parent that was reset is left in its children.
    var repeatsDecorators: Bool {
        variation.repeatsDecorators
            && !program.steps.contains {
                switch $0 {
                case .reset, .close: true
                default: false
                }
            }
    }

    /// Whether a container or a parent of it, up to an ancestor, ever registers a key. An ancestor's decorator leaves
    /// that alone.
    private func registers(_ key: Program.Key, from index: Int, below ancestor: Int) -> Bool {
        program.chain(from: index).prefix { $0 != ancestor }.contains { container in
            let later = program.steps.compactMap { step -> Program.Statement? in
                if case .add(let statement, container) = step { statement } else { nil }
            }
            return (program.containers[container].statements + later).contains { statement in
                guard case .register(let recipe) = statement, recipe.key.isNamed == key.isNamed else { return false }
                return recipe.key.type == key.type || recipe.alias == key.type
            }
        }
    }

    func mark(_ container: DIContainer, _ index: Int) {
        container.register { New { _ in Marker(container: index) } }
        if isReported { container.register(ProductPair.registration) }
    }

    mutating func fillAll(with count: Int) {
        for container in containers.indices where !closed.contains(container) {
            fill(containers[container], with: count)
        }
    }

    mutating func fill(_ container: DIContainer?, with count: Int = 60) {
        container?.register {
            for number in 0..<count { New(Filler(), name: RegistrationName("\(fillers + number)")) }
        }
        fillers += count
    }

    mutating func written(_ statement: Program.Statement) -> any RegistrationConvertible {
        switch statement {
        case .register(let recipe): reportedTypes[recipe.key.type].registration(recipe, writing)
        case .decorate(let decorator): decorate(decorator)
        case .expect(let key): reportedTypes[key.type].declaration(writing.name(key))
        }
    }

    /// The same value each time.
    mutating func decorate(_ decorator: Program.Decorator) -> Decorate {
        let made = decorators[decorator.number] ?? reportedTypes[decorator.key.type].decorator(decorator, writing)
        decorators[decorator.number] = made
        return made
    }

    private func register(_ statements: [any RegistrationConvertible], in container: DIContainer) {
        switch variation.grouping {
        case .one: container.register { for statement in statements { Module(statement) } }
        case .each: for statement in statements { container.register { Module(statement) } }
        case .list: container.register { Module(statements) }
        case .module: container.register { Module { Module(statements) } }
        case .namedModule: container.register { Module("M") { Module(statements) } }
        case .nestedModules:
            container.register { Module { Module("M") { Module { Module("N") { Module(statements) } } } } }
        case .condition:
            container.register {
                if statements.isEmpty { Module() } else { for statement in statements { Module(statement) } }
            }
        case .twice:
            let module = Module(statements)
            container.register { module }
            container.register { module }
        }
    }

    // MARK: Steps

    mutating func perform(_ step: Program.Step, _ index: Int) async -> ProgramResult? {
        switch step {
        case .request(let requestStep): return await perform(requestStep, index)
        case .add(let statement, let container):
            let statement = written(statement)
            change(container) { $0.register { Module(statement) } }
        case .unregister(let key, let container):
            change(container) { reportedTypes[key.type].unregister(writing.name(key), in: $0) }
        case .reset(let container):
            change(container) {
                $0.reset()
                mark($0, container)
            }
        case .resetInstances(let container): change(container) { $0.resetInstances() }
        case .close(let container, let fails): return await close(container, fails: fails)
        case .requestInChild(let requestStep, let fails): return await requestInChild(requestStep, index, fails: fails)
        case .drop(let container):
            // A container that is released without being closed reports that.
            let result = program.hasEnds ? await close(container, fails: false) : nil
            drop(container)
            return result
        }
        return nil
    }

    mutating func close(_ container: Int, fails: Bool) async -> ProgramResult? {
        closed.insert(container)
        do { try await containers[container]?.close(dueTo: fails ? Sabotage() : nil) } catch {
            return ProgramResult(error)
        }
        return nil
    }

    /// Changes a container, unless it is released or closed.
    func change(_ container: Int, _ work: (DIContainer) -> Void) {
        if !closed.contains(container), let container = containers[container] { work(container) }
    }

    mutating func drop(_ index: Int) {
        if index == 0, variation.root == .defaultContainer { DIContainer.shared = DIContainer() }
        children[index] = nil
        containers[index] = nil
    }

    // MARK: Output

    func listing(of container: DIContainer) -> [String] {
        container.registrations.filter { $0.type != Filler.self && $0.type != Marker.self }.map {
            "\($0.key):\($0.line) \($0.lifetime.map { "\($0)" } ?? "") \($0.aliases) \($0.decorators.map(\.line)) "
                + "\($0.isBuilt) \($0.isInherited) \($0.isAsync) \($0.isMainActor)"
        }
    }

    func findings(in container: DIContainer) -> [String] {
        let all: [ValidationFinding]
        do { all = try container.validate() } catch { all = error.findings }
        return all.map { "\($0.kind) \($0.key):\($0.line)" }
    }
}
