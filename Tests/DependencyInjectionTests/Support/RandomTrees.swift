import DependencyInjection
import Foundation
import Synchronization

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
