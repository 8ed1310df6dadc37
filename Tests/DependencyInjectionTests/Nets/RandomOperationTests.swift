import DependencyInjection
import Foundation
import Synchronization
import Testing

/// Threads and tasks concurrently perform random operations on trees of containers. ``RandomTree`` has the checks.
@Suite("Random concurrent operations", .serialized, .ownThread)
struct RandomOperationTests {
    @Test("Rules C1, C2, C8, C10, 1, 7, 10, 11, 20: random changes and requests")
    func everythingAtOnce() async {
        let totals = Locked<[String: Int]>([:])
        let end = Date.now + (RandomTestSettings.seconds ?? 0)
        var seed = RandomTestSettings.firstSeed
        repeat {
            let hasEnded = Latch()
            Thread.detachNewThread { [seed] in
                if !hasEnded.opens() { Issue.record("seed \(seed): still running after \(longestWait) seconds") }
            }
            let round = await Self.run(seed, totals)
            hasEnded.open()
            #expect(round.failures.isEmpty, "seed \(seed): \(round.failures.prefix(5))")
            // Tasks release their captures only after they have ended.
            let isReleased = await eventually { round.living.count == 0 }
            #expect(isReleased, "seed \(seed): \(round.living.count) parts live on")
            seed += 1
        } while seed < RandomTestSettings.firstSeed + 2 || Date.now < end
        print(totals.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }

    struct Round {
        let failures: [String]
        /// The number of parts that live on.
        let living: Counter
    }

    static func run(_ seed: UInt64, _ totals: Locked<[String: Int]>) async -> Round {
        let randomTrees = RandomTrees(seed)
        await withTaskGroup { group in
            group.addTask {
                _ = await awaitThreads(3) { index in
                    var worker = RandomTreeWorker(randomTrees, seed &* 31 &+ UInt64(index) &+ 1)
                    for _ in 0..<400 { worker.act() }
                    worker.add(to: totals)
                }
            }
            for index in 0..<4 {
                group.addTask {
                    var worker = RandomTreeWorker(randomTrees, seed &* 31 &+ UInt64(index) &+ 100)
                    for _ in 0..<200 {
                        worker.act()
                        await worker.await()
                    }
                    worker.add(to: totals)
                }
            }
        }
        return Round(failures: await randomTrees.end(), living: randomTrees.living)
    }
}

/// A view of a part that is requested by type and alias.
protocol RandomTreeAlias: AnyObject, Sendable { var part: RandomTreePart { get } }

/// The type of the collection to which all parts are contributed.
protocol RandomTreeMember: Sendable { var part: RandomTreePart { get } }

/// Where a part is at home: the container that its factory resolved from.
final class RandomTreeHome: Sendable {
    let level: Int
    let isClosed = Counter()
    /// The number of living parts of all trees.
    let living: Counter

    init(_ level: Int, _ living: Counter) {
        self.level = level
        self.living = living
    }
}

/// The known facts about a part, also after its release.
final class RandomTreeRecord: Sendable {
    let plan: RandomTreeRegistration
    let home: RandomTreeHome
    /// Its dependencies.
    let dependencies: [RandomTreeRecord]
    /// The number of times that it was closed.
    let closings = Counter()

    init(_ plan: RandomTreeRegistration, _ home: RandomTreeHome, _ dependencies: [RandomTreeRecord]) {
        self.plan = plan
        self.home = home
        self.dependencies = dependencies
    }
}

/// A registration.
struct RandomTreeRegistration: Sendable {
    enum Lifetime: CaseIterable, Sendable {
        case shared, scoped, sharedAsync, scopedAsync, weak, graph, new

        var isAsync: Bool { self == .sharedAsync || self == .scopedAsync }
        var isScoped: Bool { self == .scoped || self == .scopedAsync }
        var isCached: Bool { self != .weak && self != .graph && self != .new }
        /// Whether the container that has the registration builds it.
        var isOwned: Bool { self == .shared || self == .sharedAsync || self == .weak }
    }

    let number: Int
    let level: Int
    let key: Int
    let lifetime: Lifetime
}

/// An instance, or a decorated instance.
final class RandomTreePart: RandomTreeAlias, RandomTreeMember {
    let record: RandomTreeRecord
    private let base: RandomTreePart?
    private let dependencies: [RandomTreePart]
    private let atEnd: @Sendable () -> Void
    private let state = Atomic<Int>(0xA11CE)

    init(
        _ record: RandomTreeRecord, base: RandomTreePart? = nil, dependencies: [RandomTreePart] = [],
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.record = record
        self.base = base
        self.dependencies = dependencies
        self.atEnd = atEnd
        record.home.living.increment()
    }

    deinit {
        atEnd()
        state.store(0xDEAD, ordering: .relaxed)
        record.home.living.decrement()
    }

    var part: RandomTreePart { self }
    var isWhole: Bool { state.load(ordering: .relaxed) == 0xA11CE && dependencies.allSatisfy { $0.isWhole } }
}

struct RandomTreeDetail: Sendable { let id: Int }

/// The trees that all workers use, and the record of their operations.
final class RandomTrees: Sendable {
    static let keys = 5

    /// The number of living parts.
    let living = Counter()
    let trees: Locked<[RandomTree]>
    let failures = Locked<[String]>([])
    /// The `deinit`s that may still do something.
    let endings = Atomic<Int>(2_000)
    let comparisons = Counter()
    /// The trees that were closed.
    let closed = Locked<[RandomTree]>([])
    private let owner = Locked<(Owner, DIContainer)?>(nil)
    private let numbers = Counter()

    init(_ seed: UInt64) {
        trees = Locked([])
        trees.withLock { $0 = (0..<4).map { RandomTree(self, isClosedAtEnd: $0 % 2 == 0) } }
        renewOwner()
    }

    /// Closes a factory's instance.
    func close(_ part: RandomTreePart) {
        let record = part.record
        if !part.isWhole { fail("closed after its release") }
        if record.closings.increment() > 1 { fail("closed twice") }
        for dependency in record.dependencies where dependency.plan.lifetime.isCached && dependency.home === record.home
        {
            if dependency.closings.count > 0 { fail("closed before what uses it") }
        }
    }

    /// The common registrations of every container of a tree.
    func basics(_ home: RandomTreeHome) -> Module {
        Module {
            New { _ in home }
            New { _, id in RandomTreeDetail(id: id) }
        }
    }

    /// Removes a tree, which the caller ends.
    func renew(_ index: Int) -> RandomTree {
        let new = RandomTree(self, isClosedAtEnd: index % 2 == 0)
        return trees.withLock { trees in
            defer { trees[index] = new }
            return trees[index]
        }
    }

    // MARK: Lazy wrappers

    final class Owner: @unchecked Sendable {  // The wrapper is never set.
        @LazyInject(name: "lazy") var part: RandomTreePart
        let first = Locked<RandomTreePart?>(nil)
    }

    func makeOther() -> DIContainer {
        let plan = RandomTreeRegistration(number: 0, level: 0, key: 0, lifetime: .new)
        return DIContainer { [living] in
            New({ _ in RandomTreePart(RandomTreeRecord(plan, RandomTreeHome(0, living), [])) }, name: "lazy")
            Shared({ _ in RandomTreePart(RandomTreeRecord(plan, RandomTreeHome(0, living), [])) }, name: "other")
        }
    }

    func renewOwner() {
        let container = makeOther()
        let owner = DIContainer.withContainer(container) { Owner() }
        let old = self.owner.withLock { known in
            defer { known = (owner, container) }
            return known
        }
        withExtendedLifetime(old) {}
    }

    func readOwner() {
        guard let (owner, container) = owner.withLock({ $0 }) else { return }
        let part = owner.part
        let isSame = owner.first.withLock { first in
            if first == nil { first = part }
            return first === part
        }
        if !isSame || !part.isWhole { fail("a lazy wrapper has two values") }
        _ = container.resolve(RandomTreePart.self, name: "other")
    }

    // MARK: Actions of a `deinit`

    /// Is called by the `deinit` of a part.
    func ending(_ root: Resolver, _ key: Int) {
        let left = endings.wrappingSubtract(1, ordering: .relaxed).newValue
        if left < 0 { return }
        switch left % 5 {
        case 0: _ = try? root.orThrow(RandomTreePart.self, name: randomTreeName(key))
        case 1: _ = try? root.orThrow.all(RandomTreePart.self)
        case 2:
            let container = makeOther()
            _ = container.makeChild().resolve(RandomTreePart.self, name: "other")
            container.register(Shared(RandomTreeDetail(id: 1)))
        case 3: readOwner()
        default:
            guard let (_, container) = owner.withLock({ $0 }) else { return }
            container.register(Shared(RandomTreeDetail(id: left), name: "\(left % 3)"))
            container.resetInstances()
        }
    }

    func fail(_ text: String) { failures.withLock { $0.append(text) } }
    func nextNumber() -> Int { numbers.increment() }

    /// Releases everything, and returns the failures.
    func end() async -> [String] {
        endings.store(0, ordering: .sequentiallyConsistent)
        let all = trees.withLock { trees in
            defer { trees = [] }
            return trees
        }
        for tree in all { await tree.end() }
        closed.withLock { $0 }.forEach { $0.checkClosings() }
        let last = owner.withLock { owner in
            defer { owner = nil }
            return owner
        }
        withExtendedLifetime(last) {}
        return failures.withLock { $0 }
    }
}

func randomTreeName(_ key: Int) -> RegistrationName { RegistrationName("\(key)") }

// The valid results and the valid errors.

extension RandomTree {
    /// The known facts when a request begins.
    struct Begin {
        let time: Int
        let begun: Int
        let ended: Int
        /// The levels whose containers are closed.
        let closed: Set<Int>
    }

    func begin(_ level: Int) -> Begin {
        let ended = ended.count
        let begun = begun.count
        let closed = Set((0...level).filter { homes[$0].isClosed.count > 0 })
        return Begin(time: clock.increment(), begun: begun, ended: ended, closed: closed)
    }

    /// Checks a result.
    ///
    /// - Parameter isOwn: Whether the resolving container is retained, and is one of the tree's.
    func check(
        _ part: RandomTreePart, _ key: Int, at level: Int, since begin: Begin, isOwn: Bool = true,
        _ line: Int = #line
    ) {
        let end = clock.increment()
        let plan = part.record.plan
        // An open parent serves a closed child.
        let isServed = plan.lifetime.isOwned && !begin.closed.contains(plan.level)
        // An open child serves the instances that it has cached, even if a closed parent has registered them.
        let home = part.record.home
        let isOfOpenChild = plan.lifetime.isScoped && home.level > level && home.isClosed.count == 0
        if begin.closed.contains(level), !isServed, !isOfOpenChild {
            return randomTrees.fail("line \(line): \(plan) answered at \(level) after close()")
        }
        if !part.isWhole { return randomTrees.fail("answered after its release") }
        if plan.key != key { return randomTrees.fail("answered \(plan.key) for \(key)") }
        changes.withLock { changes in
            let own = changes[Place(level: plan.level, key: key)] ?? []
            guard let made = own.first(where: { $0.plan?.number == plan.number }) else {
                return randomTrees.fail("answered by what was never registered")
            }
            if made.begin > end { randomTrees.fail("answered by what was not yet registered") }
            if own.contains(where: { $0.begin > made.end && $0.end < begin.time }) {
                randomTrees.fail("line \(line): \(plan) answered at \(level), and was replaced: \(own.suffix(4))")
            }
            for nearer in RandomTree.levels(from: plan.level + 1, to: level)
            where isRegistered(changes, nearer, key, from: begin.time, to: end) {
                randomTrees.fail("line \(line): \(plan) answered at \(level), though \(nearer) has the key")
            }
        }
        guard isOwn, plan.lifetime.isCached, begin.begun == begin.ended else { return }
        var old: Results?
        defer { withExtendedLifetime(old) {} }
        results.withLock { results in
            // Nothing has changed since the request began.
            guard begun.count == begin.begun, results.epoch <= begin.begun else { return }
            if results.epoch < begin.begun {
                old = results
                results = Results(epoch: begin.begun)
            }
            let place = Place(level: level, key: key)
            if let known = results.parts[place], known !== part {
                randomTrees.fail("two instances: \(plan) at \(level)")
            }
            results.parts[place] = part
            randomTrees.comparisons.increment()
        }
    }

    /// Checks an error, or nil for a result of nil.
    func check(
        _ error: (any Error)?, _ key: Int, at level: Int, since begin: Begin,
        _ line: Int = #line
    ) {
        let end = clock.increment()
        let reason = error.map { ($0 as? ResolutionError)?.reason }
        switch reason {
        case .none, .notRegistered:
            if begin.closed.contains(level) { return randomTrees.fail("nil after close()") }
            changes.withLock { changes in
                for place in 0...level where isRegistered(changes, place, key, from: begin.time, to: end) {
                    randomTrees.fail("line \(line): \(key) of \(place) was not found at \(level)")
                }
            }
        case .closed:
            if changers.withLock({ $0 >= 0 }) { randomTrees.fail("closed too early: \(error!)") }
        case .asyncRequired: if begin.closed.contains(0) { randomTrees.fail("not closed after close()") }
        case .misplacedDecorator: if isDecorated.count == 0 { randomTrees.fail("\(error!)") }
        default: if !(error is CancellationError) { randomTrees.fail("\(error!)") }
        }
    }

    private static func levels(from first: Int, to last: Int) -> Range<Int> { first..<max(first, last + 1) }

    /// Whether something was registered at every moment.
    private func isRegistered(
        _ changes: [Place: [Change]], _ level: Int, _ key: Int, from begin: Int, to end: Int
    ) -> Bool {
        let own = changes[Place(level: level, key: key)] ?? []
        return own.contains { change in
            change.plan != nil && change.end < begin
                && !own.contains { $0.plan == nil && $0.end > change.begin && $0.begin < end }
        }
    }
}
