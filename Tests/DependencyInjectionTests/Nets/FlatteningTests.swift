@testable import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private let programs = RandomPrograms(defaultCount: 200)

/// Compares the fork of a container in a random tree with one container that has all registrations, those of the root
/// first.
@Suite("Rule C9: The fork of a child owns the registrations of its parents", .serialized, .ownThread)
struct FlatteningTests {
    @Test("A fork has the instances, collections, listings, events and errors of one container", arguments: 0..<6)
    func fork(part: UInt64) async {
        await programs.check(part: part, of: 6) {
            Program(seed: $0, for: .contributions).branch
        } mistake: {
            await $0.differenceFromOneContainer()
        }
    }
}

extension Program {
    /// The last container and its parents. All steps are in the last container.
    fileprivate var branch: Program {
        let chain = Array(chain(from: containers.count - 1).reversed())
        var copy = self
        copy.containers = chain.enumerated().map { index, container in
            Container(parent: index == 0 ? nil : index - 1, statements: containers[container].statements)
        }
        copy.steps = steps.compactMap { step in
            switch step.action {
            case .close, .drop, .requestMembers: nil
            default: Step(container: 0, action: step.action)
            }
        }
        return copy
    }
}

extension Program {
    /// The lines of a fork of the tree and of one container with all its registrations that differ, or nil if none do.
    fileprivate func differenceFromOneContainer() async -> String? {
        // Preparing repeats a failed build in any order.
        if isAsync, recipes.contains(where: { $0.failures > 0 }) { return nil }
        var tree = self
        tree.steps = []
        var flat = tree
        for level in tree.containers.indices {
            tree.containers[level].statements = tree.containers[level].statements.filter { statement in
                guard case .decorate(let decorator) = statement else { return true }
                return !tree.separatesCollection(decorator.key, at: level)
            }
            flat.containers[level].statements = tree.containers[level].statements.filter { statement in
                // A child's registration doesn't have the decorators of a parent.
                guard case .decorate(let decorator) = statement else { return true }
                return !tree.registers(decorator.key, in: level + 1..<tree.containers.count)
            }
        }
        // Statements that steps add are last.
        let levels = tree.homes
        let statements = flat.containers.flatMap(\.statements)
        // The fork of a child builds scoped instances ahead.
        let parents = tree.containers.count > 1 ? [Container()] : []
        flat.containers = parents + [Container(parent: parents.isEmpty ? nil : 0, statements: statements)]
        (tree.steps, flat.steps) = (steps, steps)
        // If the one container is also forked, errors have the same text.
        let isForked = seed % 2 == 0
        var fork = await ProgramRun(inLastContainerOf: tree, isForked: true)
        var one = await ProgramRun(inLastContainerOf: flat, isForked: isForked)
        let seen = await fork.lines(showsTexts: isForked) { _ in 0 }
        let expected = await one.lines(showsTexts: isForked) { line in
            // A child's registrations are listed before its parent's, and later ones at the end.
            levels[line].map { -$0 } ?? 1
        }
        let changes = seen.difference(from: expected).map { change in
            switch change {
            case .insert(let offset, let line, _): "fork, line \(offset): \(line)"
            case .remove(let offset, let line, _): "one container, line \(offset): \(line)"
            }
        }
        return changes.isEmpty ? nil : changes.joined(separator: "\n")
    }

    /// Whether one of some containers ever registers a key, as a type or as an alias. A type that is only found in its
    /// collection doesn't count.
    private func registers(_ key: Key, in containers: some Collection<Int>) -> Bool {
        let homes = homes
        return recipes.contains { recipe in
            containers.contains(homes[recipe.number]!) && recipe.key.isNamed == key.isNamed
                && (recipe.alias == key.type || recipe.key.type == key.type && recipe.collection != key.type)
        }
    }

    /// Whether a decorator at a level wraps some contributions of its key, and not others or not a registration. One
    /// container can't have such a decorator.
    fileprivate func separatesCollection(_ key: Key, at level: Int) -> Bool {
        let homes = homes
        let levels = recipes.filter { $0.collection == key.type && $0.key.isNamed == key.isNamed }.map {
            homes[$0.number]!
        }
        return levels.contains { $0 > level } || !levels.isEmpty && registers(key, in: level..<containers.count)
    }
}

extension ProgramRun {
    /// Creates the containers of a program, and uses only the last one or a fork of it.
    fileprivate init(inLastContainerOf program: Program, isForked: Bool) async {
        // With optimization, code after a request on the main actor may continue on the main thread. So all requests have
        // a thread of their own.
        var variation = MetamorphicVariation()
        variation.thread = .thread
        self.init(program, variation)
        let last = containers[containers.count - 1]!
        let container = isForked ? last.fork() : last
        (containers, children) = ([container], [nil])
        container.register(New { _ in Ticket(number: 0) })
        if isAsync { try? await container.prepare() }
    }

    /// Performs the steps in the only container, and returns all that a user can see.
    ///
    /// - Parameter level: The position of a line in lists, before other lines with the same position.
    fileprivate mutating func lines(showsTexts: Bool, level: (Int) -> Int) async -> [String] {
        let container = containers[0]!
        func sorted<Element>(_ elements: [Element], _ line: (Element) -> Int) -> [Element] {
            elements.enumerated().sorted {
                (level(line($0.element)), $0.offset) < (level(line($1.element)), $1.offset)
            }.map(\.element)
        }
        let events = EventLog(container)
        var lines: [String] = []
        for (index, step) in program.steps.enumerated() {
            let result = await perform(step, index)
            // Asynchronous builds end in any order.
            if !program.isAsync {
                lines += world.lines.takeAll()
                // A task may run after its container was closed.
                for task in world.tasks.takeAll() where !step.action.isEnd { lines.append(await task.value) }
                // A task that a factory begins requests the ticket that marks its container.
                lines += events.events.filter { $0.registration?.type != Ticket.self }.map { event in
                    let path = event.path.map { "\($0.line)" }
                    return "\(event.kind) \(event.registration.map { "\($0.id):\($0.line)" } ?? "") \(path)"
                }
            }
            guard let result else { continue }
            // A container is named by its first registration.
            let text = result.message?.replacing(/, in a child of .*/, with: "") ?? result.text
            lines.append("step \(index): \(showsTexts ? text : result.text)")
        }
        let registrations = container.listing.filter { !$0.isProvidedByChild }
        lines += sorted(registrations) { Int($0.line) }.map(\.properties)
        // A replacement in a fork isn't a mistake. A finding may name any registration of a cycle.
        let kinds = findings(container).map { "\($0.kind)" }
        lines += kinds.filter { $0 != "replaced" }.sorted().map { "finding: \($0)" }
        for type in programTypes {
            let collected = container.core.collectedEntries(of: type.type).map { Int($0.registration.line) }
            // A factory that fails a few times, fails for another element in the other order.
            let isSteady = !program.isAsync && program.recipes.allSatisfy { $0.failures == 0 }
            // The makers of a collection's elements. Empty if one of them fails.
            var all: [String] = []
            if isSteady {
                all = await Self.onQueue(isMain: true) {
                    let products = try? type.dependency(.all).obtained(by: container.resolve, nil, 0)()
                    return (products ?? []).map { $0?.structure.replacing(/#[0-9]+\ /, with: "") ?? "nil" }
                }
            }
            lines.append("all of \(type.name) are registered at \(sorted(collected) { $0 })")
            guard all.count == collected.count else { continue }
            lines.append("all of \(type.name): \(sorted(Array(zip(collected, all))) { $0.0 }.map(\.1))")
        }
        await end()
        return ProgramOutcome.renumbered(lines)
    }
}
