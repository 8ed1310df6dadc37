import DependencyInjection
import Foundation
import Testing

/// Threads and tasks perform the steps of a random program at the same time. ``ConcurrentRun`` has the checks.
@Suite("Programs on many threads", .serialized, .ownThread)
struct ConcurrentProgramTests {
    @Test("Rules C1, C2, C8, C10, 1, 7, 10, 11, 20, 23: changes and requests at the same time")
    func everythingAtOnce() async {
        let end = Date.now + (RandomPrograms.seconds ?? 0)
        var seed = RandomPrograms.firstSeed
        repeat {
            let hasEnded = Latch()
            Thread.detachNewThread { [seed] in
                hasEnded.wait("seed \(seed): the program did not end")
            }
            let failures = await ConcurrentRun.failures(of: Program(seed: seed, for: .threads))
            hasEnded.open()
            #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(5))")
            seed += 1
        } while seed < RandomPrograms.firstSeed + 8 || Date.now < end
    }
}

/// A program whose steps several workers perform, and the valid outcomes of its requests.
final class ConcurrentRun: Sendable {
    typealias Key = Program.Key

    private struct Place: Hashable {
        let container: Int
        let key: Key
    }

    /// A change of a key in one container, which took effect at some moment between its begin and its end.
    private struct Change {
        let begin: Int
        var end = Int.max
        /// The new registration, or nil after a removal.
        var recipe: Program.Recipe?
    }

    /// The results since the last change: for a container and a key the same instance each time.
    private struct Results {
        var changes = -1
        var products: [Place: Product] = [:]
    }

    /// The known facts when a request begins.
    fileprivate struct Begin {
        let time: Int
        let changesBegun: Int
        let changesEnded: Int
        let closed: Set<Int>

        init(in run: ConcurrentRun) {
            // In this order: a change that begins in between prevents a comparison.
            changesEnded = run.changesEnded.count
            changesBegun = run.changesBegun.count
            closed = run.closed.current
            time = run.clock.increment()
        }
    }

    private let program: Program
    private let homes: [Int: Int]
    private let recipes: [Int: Program.Recipe]
    private let keys: [Key]
    private let changes = Locked<[Place: [Change]]>([:])
    private let results = Locked(Results())
    private let failures = Log()
    private let closed = Locked<Set<Int>>([])
    private let clock = Counter()
    private let changesBegun = Counter()
    private let changesEnded = Counter()
    private let requestsOnRelease = Counter()
    private let isClosing = Latch()

    private init(_ program: Program) {
        self.program = program
        homes = program.homes
        recipes = program.recipesByNumber
        keys = Array(Set(program.recipes.flatMap(\.keys)))
        for (index, container) in program.containers.enumerated() {
            for case .register(let recipe) in container.statements { note(recipe.keys, recipe, in: index) {} }
        }
    }

    // MARK: Work

    static func failures(of program: Program) async -> [String] {
        let run = ConcurrentRun(program)
        var programRun = ProgramRun(program)
        let world = programRun.world
        // A scope, so that the containers are released before the run ends.
        do {
            let containers = programRun.containers.compactMap { $0 }
            let root = containers[0].resolve
            world.releaseWork.withLock { $0 = [{ run.request(from: root, afterReleaseOf: $0) }] }
            await run.work(in: containers, programRun.writing)
            run.isClosing.open()
            async let closing: Void = run.close(containers)
            await run.work(in: containers, programRun.writing)
            await closing
            world.releaseWork.withLock { $0 = [] }
            // Released outside the lock.
            let last = run.results.withLock { results in
                defer { results = Results(changes: .max) }
                return results
            }
            withExtendedLifetime(last) {}
        }
        await programRun.end()
        let lines = world.lines.takeAll()
        if program.hasEnds { program.closingMistakes(in: lines).forEach(run.failures.add) }
        // Tasks release their captures only after they have ended.
        if !(await eventually { world.living == 0 }) { run.failures.add("\(world.living) instances live on") }
        return run.failures.all
    }

    /// Performs all steps once, each by the next free worker.
    private func work(in containers: [DIContainer], _ writing: Writing) async {
        let (steps, begun, seed) = (program.steps, Counter(), program.seed)
        let next: @Sendable () -> Program.Step? = {
            let index = begun.increment() - 1
            return index < steps.count ? steps[index] : nil
        }
        let makeWorker: @Sendable (Int) -> ConcurrentWorker = { index in
            ConcurrentWorker(self, containers, writing, seed &* 31 &+ UInt64(index))
        }
        await withTaskGroup { group in
            group.addTask {
                _ = await awaitThreads(3) { index in
                    var worker = makeWorker(index)
                    while let step = next() { worker.perform(step) }
                }
            }
            for index in 3..<7 {
                group.addTask {
                    var worker = makeWorker(index)
                    while let step = next() { await worker.performInTask(step) }
                }
            }
        }
    }

    /// Closes the containers, children first.
    private func close(_ containers: [DIContainer]) async {
        for (index, container) in containers.enumerated().reversed() {
            await Task.yield()
            do { try await container.close() } catch { if !(error is CloseError) { failures.add("\(error)") } }
            closed.withLock { _ = $0.insert(index) }
        }
    }

    @TaskLocal private static var releaseDepth = 0

    /// Uses containers in the `deinit` of an instance. This may release more instances, which do the same.
    private func request(from root: Resolver, afterReleaseOf number: Int) {
        // Each level takes space on the stack.
        if Self.releaseDepth == 10 || requestsOnRelease.increment() > 1_000 { return }
        let key = keys[number % keys.count]
        Self.$releaseDepth.withValue(Self.releaseDepth + 1) {
            switch number % 3 {
            case 0: _ = try? reportedTypes[key.type].send(ProgramRequest(resolve: root, key: key, line: 0))
            case 1: _ = try? root.orThrow.all((any Sendable).self)
            default:
                let container = DIContainer { Shared(Ticket(number: number)) }
                _ = container.makeChild().resolve(Ticket.self)
                container.register(Shared(Ticket(number: 0)))
            }
        }
    }

    // MARK: Changes

    fileprivate func perform(_ step: Program.Step, in containers: [DIContainer], _ writing: Writing) {
        if isClosing.isOpen { return }
        let (keys, recipe): ([Key], Program.Recipe?) =
            switch step.action {
            case .add(.register(let recipe)): (recipe.keys, recipe)
            case .unregister(let key): ([key], nil)
            case .reset: (keys, nil)
            default: ([], nil)
            }
        note(keys, recipe, in: step.container) { writing.change(containers[step.container], by: step) }
    }

    private func note(_ keys: [Key], _ recipe: Program.Recipe?, in container: Int, _ change: () -> Void) {
        changesBegun.increment()
        let begin = clock.increment()
        let places = keys.map { Place(container: container, key: $0) }
        changes.withLock { for place in places { $0[place, default: []].append(Change(begin: begin, recipe: recipe)) } }
        change()
        let end = clock.increment()
        changes.withLock { changes in
            for place in places {
                let index = changes[place]!.firstIndex { $0.begin == begin }!
                changes[place]![index].end = end
            }
        }
        changesEnded.increment()
    }

    // MARK: Valid outcomes

    /// Checks the result of a request to a container.
    ///
    /// - Parameter key: The requested key, or nil for a collection or an element of it.
    fileprivate func check(
        _ result: Result<Product?, any Error>, for key: Key?, at container: Int, since begin: Begin
    ) {
        let error: (any Error)?
        switch result {
        case .success(let product?): return check(product, for: key, at: container, since: begin)
        case .success(nil): error = nil
        case .failure(let failure): error = failure
        }
        let end = clock.increment()
        switch error.map({ ($0 as? ResolutionError)?.reason }) {
        case .none, .notRegistered:
            guard let key, (error as? ResolutionError)?.path.isEmpty ?? true else { return }
            if begin.closed.contains(container) { return failures.add("\(key) is nil in c\(container) after close()") }
            changes.withLock { changes in
                for home in program.chain(from: container)
                where isRegistered(changes, Place(container: home, key: key), from: begin.time, to: end) {
                    failures.add("\(key) of c\(home) was not found in c\(container): \(error.map { "\($0)" } ?? "nil")")
                }
            }
        case .closed: if !isClosing.isOpen { failures.add("closed too early: \(error!)") }
        case .asyncRequired: if !program.isAsync { failures.add("\(error!)") }
        case .misplacedDecorator: if program.decorators.isEmpty { failures.add("\(error!)") }
        case .factoryFailed: break
        default: if !(error is CancellationError) { failures.add("\(error!)") }
        }
    }

    private func check(_ product: Product, for key: Key?, at container: Int, since begin: Begin) {
        let end = clock.increment()
        // Reads all instances that it is made of.
        let text = "\(product.structure), requested in c\(container),"
        guard let recipe = product.innermost.line.flatMap({ recipes[$0] }), let home = homes[recipe.number] else {
            return failures.add("\(text) is unknown")
        }
        let key = key ?? recipe.key
        let chain = program.chain(from: container)
        let isServed = recipe.lifetime == .shared || recipe.lifetime == .weak
        if begin.closed.contains(container), !isServed || begin.closed.contains(home) {
            failures.add("\(text) came after close()")
        }
        guard let distance = chain.firstIndex(of: home) else { return failures.add("\(text) is of another container") }
        changes.withLock { changes in
            let isAlias = chain.contains { container in
                changes[Place(container: container, key: key)]?.contains { $0.recipe?.key == recipe.key } ?? false
            }
            if recipe.key != key, !isAlias { failures.add("\(text) has another key") }
            let own = changes[Place(container: home, key: recipe.key)] ?? []
            guard let made = own.first(where: { $0.recipe?.number == recipe.number }), made.begin <= end else {
                return failures.add("\(text) was not yet registered")
            }
            let isReplaced = own.contains { $0.begin > made.end && $0.end < begin.time }
            if isReplaced { failures.add("\(text) was replaced") }
            for nearer in chain[..<distance]
            where isRegistered(changes, Place(container: nearer, key: recipe.key), from: begin.time, to: end) {
                failures.add("\(text) is hidden by c\(nearer)")
            }
        }
        // The same instance as before, if nothing has changed since then.
        guard recipe.lifetime == .shared || recipe.lifetime == .scoped,
            begin.changesBegun == begin.changesEnded
        else { return }
        let place = Place(container: container, key: key)
        var old: Results?
        // Released outside the lock.
        defer { withExtendedLifetime(old) {} }
        results.withLock { results in
            guard changesBegun.count == begin.changesBegun, results.changes <= begin.changesBegun else { return }
            if results.changes < begin.changesBegun {
                old = results
                results = Results(changes: begin.changesBegun)
            }
            let known = results.products.updateValue(product.innermost, forKey: place)
            if let known, known !== product.innermost { failures.add("\(text) is a second instance") }
        }
    }

    /// Whether a key was registered at every moment, and not as an alias.
    private func isRegistered(_ changes: [Place: [Change]], _ place: Place, from begin: Int, to end: Int) -> Bool {
        let all = changes[place] ?? []
        return all.contains { change in
            change.recipe?.key == place.key && change.end < begin
                && !all.contains { $0.recipe?.key != place.key && $0.end > change.begin && $0.begin < end }
        }
    }
}

/// Performs steps one after the other, in forms chosen by chance.
private struct ConcurrentWorker {
    private let run: ConcurrentRun
    private let containers: [DIContainer]
    private let writing: Writing
    private var random: SmallGenerator

    init(_ run: ConcurrentRun, _ containers: [DIContainer], _ writing: Writing, _ seed: UInt64) {
        self.run = run
        self.containers = containers
        self.writing = writing
        random = SmallGenerator(seed: seed)
    }

    /// The handles of a request that may fail.
    private static let handles = MetamorphicVariation.Handle.allCases.filter { !$0.traps && $0 != .alias }

    private mutating func request(_ key: Program.Key, of container: DIContainer) -> ProgramRequest {
        var request = ProgramRequest(resolve: container.resolve, key: key, name: writing.name(key), line: 1)
        request.container = container
        request.handle = Self.handles.randomElement(using: &random)!
        if Bool.random(using: &random) {
            request.surroundings = container
            request.resolve = DIContainer.resolve
        }
        return request
    }

    /// Performs a step on any thread.
    mutating func perform(_ step: Program.Step) {
        let container = containers[step.container]
        switch step.action {
        case .request(let request):
            let (key, request) = (request.key, self.request(request.key, of: container))
            let begin = ConcurrentRun.Begin(in: run)
            run.check(Result { try reportedTypes[key.type].send(request) }, for: key, at: step.container, since: begin)
        case .requestMembers:
            let begin = ConcurrentRun.Begin(in: run)
            do {
                for member in try container.resolve.orThrow.all((any Sendable).self) {
                    run.check(.success(member as? Product), for: nil, at: step.container, since: begin)
                }
            } catch { run.check(.failure(error), for: nil, at: step.container, since: begin) }
        default: run.perform(step, in: containers, writing)
        }
    }

    /// Performs a step in a task.
    mutating func performInTask(_ step: Program.Step) async {
        let container = containers[step.container]
        switch step.action {
        case .request(let request) where Bool.random(using: &random):
            let key = request.key
            var request = self.request(key, of: container)
            request.resolve = container.resolve
            let begin = ConcurrentRun.Begin(in: run)
            let task = Task { [request] in try await reportedTypes[key.type].sendAsync(request) }
            for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
            if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
            run.check(await task.result, for: key, at: step.container, since: begin)
        case .resetInstances:
            run.perform(step, in: containers, writing)
            let task = Task { try await container.prepare() }
            if Bool.random(using: &random) { task.cancel() }
            _ = await task.result
        default: perform(step)
        }
    }
}

extension Program.Recipe {
    /// The key and its alias.
    fileprivate var keys: [Program.Key] {
        [key] + (alias.map { [Program.Key(type: $0, isNamed: key.isNamed)] } ?? [])
    }
}
