import DependencyInjection
import Foundation
import Synchronization
import Testing

/// A chain of three containers, each the child of the one before, and all that was changed there.
final class RandomTree: Sendable {
    static let depth = 3

    /// A change of a key in one container, which took effect at some moment between its begin and its end.
    struct Change {
        let begin: Int
        var end = Int.max
        /// The registered plan, or nil after a removal.
        let plan: RandomTreeRegistration?
    }

    struct Place: Hashable {
        let level: Int
        let key: Int
    }

    /// The results since the last change: for a container and a key the same instance each time.
    struct Results {
        var epoch = -1
        var parts: [Place: RandomTreePart] = [:]
    }

    /// Whether it is closed at the end. Then no worker resets it, so that each part knows the container that closes it.
    let isClosedAtEnd: Bool
    private let held: Locked<[DIContainer]>
    let randomTrees: RandomTrees
    let homes: [RandomTreeHome]
    private let root: Resolver
    let changes = Locked<[Place: [Change]]>([:])
    let results = Locked(Results())
    private let records = Locked<[RandomTreeRecord]>([])
    /// Further containers to close.
    private let others = Locked<[(DIContainer, RandomTreeHome)]>([])
    let clock = Counter()
    let begun = Counter()
    let ended = Counter()
    /// Whether a decorator may be in a container that doesn't register the type.
    let isDecorated = Counter()
    /// The number of running changes, or -1 minus that number once no change may begin.
    let changers = Locked(0)

    init(_ randomTrees: RandomTrees, isClosedAtEnd: Bool) {
        self.randomTrees = randomTrees
        self.isClosedAtEnd = isClosedAtEnd
        homes = (0..<Self.depth).map { RandomTreeHome($0, randomTrees.living) }
        var containers: [DIContainer] = []
        for home in homes {
            let basics = randomTrees.basics(home)
            containers.append(containers.last?.makeChild { basics } ?? DIContainer { basics })
        }
        held = Locked(containers)
        root = containers[0].resolve
        for key in 0..<RandomTrees.keys { register(.shared, key, at: 0) }
    }

    /// A container, or nil once the tree was released.
    func container(_ level: Int) -> DIContainer? { held.withLock { $0.isEmpty ? nil : $0[level] } }

    /// Lets go of the containers, which others may hold.
    func drop() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        let parts = results.withLock { results in
            defer { results = Results(epoch: .max) }
            return results
        }
        withExtendedLifetime((all, parts)) {}
    }

    // MARK: Changes

    /// Runs a change, unless the tree is being closed.
    private func change(_ keys: [Int], _ plan: RandomTreeRegistration?, at level: Int, _ work: (DIContainer) -> Void) {
        guard let container = container(level), mayChange() else { return }
        defer { endChange() }
        begun.increment()
        let begin = clock.increment()
        let places = keys.map { Place(level: level, key: $0) }
        changes.withLock { for place in places { $0[place, default: []].append(Change(begin: begin, plan: plan)) } }
        work(container)
        let end = clock.increment()
        changes.withLock { changes in
            for place in places {
                let index = changes[place]!.lastIndex { $0.begin == begin }!
                changes[place]![index].end = end
            }
        }
        ended.increment()
    }

    /// Whether a change may begin, which has to be ended.
    private func mayChange() -> Bool {
        changers.withLock { changers in
            if changers < 0 { return false }
            changers += 1
            return true
        }
    }

    private func endChange() { changers.withLock { $0 -= $0 < 0 ? -1 : 1 } }

    /// Lets no change begin, and waits for those under way.
    private func endChanges() async {
        changers.withLock { $0 = -1 - $0 }
        #expect(await eventually { changers.withLock { $0 } == -1 })
    }

    func register(_ lifetime: RandomTreeRegistration.Lifetime, _ key: Int, at level: Int) {
        let plan = RandomTreeRegistration(number: randomTrees.nextNumber(), level: level, key: key, lifetime: lifetime)
        let module = registration(plan)
        change([key], plan, at: level) { $0.register(module) }
    }

    func unregister(_ key: Int, at level: Int) {
        change([key], nil, at: level) { $0.unregister(RandomTreePart.self, name: randomTreeName(key)) }
    }

    func decorate(_ key: Int, at level: Int) {
        if level > 0 { isDecorated.increment() }
        change([], nil, at: level) {
            $0.register(
                Decorate(RandomTreePart.self, name: randomTreeName(key)) { base, _ in
                    RandomTreePart(base.record, base: base)
                })
        }
    }

    func resetInstances(_ level: Int) { change([], nil, at: level) { $0.resetInstances() } }

    func reset(_ level: Int) {
        if isClosedAtEnd { return resetInstances(level) }
        change(Array(0..<RandomTrees.keys), nil, at: level) { $0.reset() }
        change([], nil, at: level) { $0.register(randomTrees.basics(homes[level])) }
    }

    private func registration(_ plan: RandomTreeRegistration) -> Module {
        let (records, randomTrees, root, isClosedAtEnd) = (records, randomTrees, root, isClosedAtEnd)
        let make: @Sendable (Resolver, [RandomTreePart]) throws -> RandomTreePart = { resolve, dependencies in
            let home = try resolve.orThrow(RandomTreeHome?.self) ?? RandomTreeHome(-1, randomTrees.living)
            if isClosedAtEnd, plan.lifetime.isOwned, home.level >= 0, home.level != plan.level {
                randomTrees.fail("built by the wrong container")
            }
            let record = RandomTreeRecord(plan, home, dependencies.map(\.record))
            if plan.lifetime.isCached { records.withLock { $0.append(record) } }
            return RandomTreePart(record, dependencies: dependencies) { randomTrees.ending(root, plan.key) }
        }
        let needed = (0..<plan.key).filter { ($0 + plan.number) % 2 == 0 }
        let plainly: @Sendable (Resolver) throws -> RandomTreePart = { resolve in
            try make(
                resolve,
                try needed.compactMap { key in
                    try randomTreeOptional { try resolve.orThrow(RandomTreePart.self, name: randomTreeName(key)) }
                })
        }
        let later: @Sendable (Resolver) async throws -> RandomTreePart = { resolve in
            if plan.number % 3 == 0 { await Task.yield() }
            var dependencies: [RandomTreePart] = []
            for key in needed {
                do {
                    dependencies.append(try await resolve.async(RandomTreePart.self, name: randomTreeName(key)))
                } catch let
                    error
                    as ResolutionError
                    where error.reason == .notRegistered
                {}
            }
            if plan.number % 5 == 0 { try await Task.sleep(for: .microseconds(100)) }
            return try make(resolve, dependencies)
        }
        let key = randomTreeName(plan.key)
        let alias = (any RandomTreeAlias).self
        return switch plan.lifetime {
        case .shared: closed(Shared(plainly, name: key, as: alias)) { $0.onClose(randomTrees.close) }
        case .scoped: closed(Scoped(plainly, name: key, as: alias)) { $0.onClose(randomTrees.close) }
        case .weak: contributed(Weak(plainly, name: key, as: alias))
        case .graph: contributed(Graph(plainly, name: key, as: alias))
        case .new: contributed(New(plainly, name: key, as: alias))
        case .sharedAsync: closed(Shared(async: later, name: key, as: alias)) { $0.onClose(randomTrees.close) }
        case .scopedAsync: closed(Scoped(async: later, name: key, as: alias)) { $0.onClose(randomTrees.close) }
        }
    }

    private func closed<Form: _LifetimeRegistration>(_ form: Form, _ close: (Form) -> Form) -> Module {
        contributed(isClosedAtEnd ? close(form) : form)
    }

    private func contributed(_ form: some _LifetimeRegistration) -> Module {
        Module(form.into((any RandomTreeMember).self))
    }

    // MARK: Further containers and the end

    /// Creates a child or a fork for further requests, or nil if the tree was released or is being closed.
    func makeOther(_ level: Int, isFork: Bool) -> DIContainer? {
        guard let container = container(level), mayChange() else { return nil }
        defer { endChange() }
        let home = RandomTreeHome(isFork ? -1 : level + 1, randomTrees.living)
        let other = isFork ? container.fork { New { _ in home } } : container.makeChild { New { _ in home } }
        if isClosedAtEnd { others.withLock { $0.append((other, home)) } }
        return other
    }

    /// Closes everything and checks that each part was closed once, or releases everything.
    func end() async {
        defer { drop() }
        guard isClosedAtEnd, mayChange() else { return }
        endChange()
        await endChanges()
        let all = others.withLock { others in
            defer { others = [] }
            return others
        }
        for (container, home) in all { await close(container, home) }
        for level in (0..<Self.depth).reversed() {
            if let container = container(level) { await close(container, homes[level]) }
        }
        randomTrees.closed.withLock { $0.append(self) }
    }

    /// Checks that each part was closed if its container was.
    func checkClosings() {
        for record in records.withLock({ $0 }) where (record.closings.count > 0) != (record.home.isClosed.count > 0) {
            randomTrees.fail("closed \(record.closings.count) times: \(record.plan) of \(record.home.level)")
        }
    }

    private func close(_ container: DIContainer, _ home: RandomTreeHome) async {
        do { try await container.close() } catch { randomTrees.fail("\(error)") }
        home.isClosed.increment()
    }
}

/// Nil if nothing is registered.
func randomTreeOptional<T>(_ attempt: () throws -> T) throws -> T? {
    do { return try attempt() } catch let error as ResolutionError where error.reason == .notRegistered { return nil }
}

/// Does one thing after the other, at random.
struct RandomTreeWorker {
    /// A handle for requests, which may outlive its container.
    private struct Handle: Sendable {
        let tree: RandomTree
        let level: Int
        let key: Int
        let attempt: @Sendable () throws -> RandomTreePart?
    }

    private let randomTrees: RandomTrees
    private var random: SmallGenerator
    private var handles: [Handle] = []
    private var counts: [String: Int] = [:]

    init(_ randomTrees: RandomTrees, _ seed: UInt64) {
        self.randomTrees = randomTrees
        random = SmallGenerator(state: seed &* 0x9e37_79b9_7f4a_7c15)
    }

    func add(to totals: Locked<[String: Int]>) {
        totals.withLock { totals in totals.merge(counts, uniquingKeysWith: +) }
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    /// Sends a request, and checks the result.
    private func request(
        _ tree: RandomTree, _ key: Int, at level: Int, isOwn: Bool = true, since begin: RandomTree.Begin? = nil,
        line: Int = #line, _ attempt: () throws -> RandomTreePart?
    ) {
        let begin = begin ?? tree.begin(level)
        do {
            if let part = try attempt() {
                tree.check(part, key, at: level, since: begin, isOwn: isOwn, line)
            } else {
                tree.check(nil, key, at: level, since: begin, line)
            }
        } catch { tree.check(error, key, at: level, since: begin, line) }
    }

    // MARK: On any thread

    mutating func act() {
        let index = pick(4)
        let tree = randomTrees.trees.withLock { $0[index] }
        let (level, key) = (pick(RandomTree.depth), pick(RandomTrees.keys))
        guard let container = tree.container(level) else { return }
        let lifetime = RandomTreeRegistration.Lifetime.allCases[pick(7)]
        switch pick(40) {
        case 0...14: attempt(container, tree, key, at: level)
        case 15...19:
            count("by handle")
            if handles.isEmpty { return }
            let handle = handles[pick(handles.count)]
            request(handle.tree, handle.key, at: handle.level, isOwn: false, handle.attempt)
        case 20, 21: storeHandle(container, tree, key, at: level)
        case 22...24:
            count("register")
            tree.register(lifetime, key, at: level)
        case 25:
            count("unregister")
            tree.unregister(key, at: level)
        case 26:
            count("decorate")
            tree.decorate(key, at: level)
        case 27:
            count("resetInstances")
            tree.resetInstances(level)
        case 28:
            count("reset")
            tree.reset(level)
        case 29, 30:
            count("child")
            guard let child = tree.makeOther(level, isFork: false) else { return }
            for _ in 0..<3 {
                request(tree, key, at: level, isOwn: false) { try child.resolve.orThrow(name: randomTreeName(key)) }
            }
        case 31:
            count("fork")
            let begin = tree.begin(level)
            guard let fork = tree.makeOther(level, isFork: true) else { return }
            request(tree, key, at: level, isOwn: false, since: begin) {
                try fork.resolve.orThrow(name: randomTreeName(key))
            }
        case 32:
            count("withOverrides")
            let begin = tree.begin(level)
            DIContainer.withContainer(container) {
                DIContainer.withOverrides {
                    Shared(RandomTreeDetail(id: 7), name: "over")
                } operation: {
                    if DIContainer.resolve(RandomTreeDetail.self, name: "over").id != 7 {
                        randomTrees.fail("no override")
                    }
                    if tree.isClosedAtEnd { return }
                    request(tree, key, at: level, isOwn: false, since: begin) {
                        try DIContainer.resolve.orThrow(name: randomTreeName(key))
                    }
                }
            }
        case 33:
            count("arguments")
            do {
                if try container.resolve.orThrow(RandomTreeDetail.self, arguments: key).id != key {
                    randomTrees.fail("other arguments")
                }
            } catch {
                if tree.isClosedAtEnd ? error.reason != .closed : error.reason != .notRegistered {
                    randomTrees.fail("\(error)")
                }
            }
        case 34, 35:
            count("lazy")
            if pick(5) == 0 { randomTrees.renewOwner() }
            randomTrees.readOwner()
        case 36: if pick(4) == 0, index % 2 == 1 { renew(index) }
        default: if !handles.isEmpty { handles.remove(at: pick(handles.count)) }
        }
    }

    private mutating func renew(_ index: Int) {
        count("drop")
        randomTrees.renew(index).drop()
    }

    private mutating func attempt(_ container: DIContainer, _ tree: RandomTree, _ key: Int, at level: Int) {
        let name = randomTreeName(key)
        switch pick(8) {
        case 7:
            count("collection")
            let begin = tree.begin(level)
            do {
                for member in try container.resolve.orThrow.all((any RandomTreeMember).self) {
                    tree.check(member.part, member.part.record.plan.key, at: level, since: begin)
                }
            } catch {
                // A contribution is unregistered together with its part.
                if error.reason == .notRegistered { randomTrees.fail("\(error)") }
                if error.reason == .closed { tree.check(error, key, at: level, since: begin) }
            }
        case 0:
            count("all")
            let begin = tree.begin(level)
            do {
                for part in try container.resolve.orThrow.all(RandomTreePart.self) {
                    tree.check(part, part.record.plan.key, at: level, since: begin)
                }
            } catch {
                if (error as ResolutionError).reason == .closed { tree.check(error, key, at: level, since: begin) }
            }
        case 1:
            count("alias")
            request(tree, key, at: level) { try container.resolve.orThrow((any RandomTreeAlias).self, name: name).part }
        case 2:
            count("optional")
            request(tree, key, at: level) { try container.resolve.orThrow(RandomTreePart?.self, name: name) }
        case 3:
            count("provider")
            request(tree, key, at: level) {
                try container.resolve.orThrow(Provider<RandomTreePart>.self, name: name).orThrow()
            }
        case 4:
            count("withContainer")
            DIContainer.withContainer(container) {
                request(tree, key, at: level) { try DIContainer.resolve.orThrow(name: name) }
            }
        default:
            count("plain")
            request(tree, key, at: level) { try container.resolve.orThrow(name: name) }
        }
    }

    private mutating func storeHandle(_ container: DIContainer, _ tree: RandomTree, _ key: Int, at level: Int) {
        count("handle")
        let name = randomTreeName(key)
        let isOther = pick(2) == 0
        let begin = tree.begin(level)
        let target = isOther ? tree.makeOther(level, isFork: pick(2) == 0) : container
        guard let target else { return }
        if tree.isClosedAtEnd, isOther { return }
        let resolve: Resolver = target.resolve
        let attempt: @Sendable () throws -> RandomTreePart?
        switch pick(4) {
        case 0: attempt = { try resolve.orThrow(name: name) }
        case 1: attempt = { try resolve.orThrow(RandomTreePart?.self, name: name) }
        case 2:
            guard let provider = try? resolve.orThrow(Provider<any RandomTreeAlias>.self, name: name) else { return }
            attempt = { try provider.orThrow().part }
        default: attempt = { try target.resolve.orThrow(name: name) }
        }
        // A fork retains the registrations from the time of its creation.
        if isOther { return request(tree, key, at: level, isOwn: false, since: begin, attempt) }
        if handles.count < 8 { handles.append(Handle(tree: tree, level: level, key: key, attempt: attempt)) }
    }

    // MARK: In tasks

    mutating func await() async {
        let index = pick(4)
        let tree = randomTrees.trees.withLock { $0[index] }
        let (level, key) = (pick(RandomTree.depth), pick(RandomTrees.keys))
        guard let container = tree.container(level) else { return }
        let name = randomTreeName(key)
        switch pick(12) {
        case 0...3:
            count("async")
            let isCancelled = pick(3) == 0
            let begin = tree.begin(level)
            let task = Task { try await container.resolve.async(RandomTreePart.self, name: name) }
            for _ in 0..<pick(4) { await Task.yield() }
            if isCancelled { task.cancel() }
            switch await task.result {
            case .success(let part): tree.check(part, key, at: level, since: begin)
            case .failure(let error): tree.check(error, key, at: level, since: begin)
            }
        case 4:
            count("prepare")
            let isCancelled = pick(3) == 0
            let task = Task { try await container.prepare() }
            for _ in 0..<pick(4) { await Task.yield() }
            if isCancelled { task.cancel() }
            _ = await task.result
        case 5, 6:
            count("register and prepare")
            tree.register(.sharedAsync, key, at: level)
            try? await container.prepare()
        case 7, 8:
            count("withChild")
            let home = RandomTreeHome(level + 1, randomTrees.living)
            do {
                try await container.withChild {
                    New { _ in home }
                } operation: { child in
                    for _ in 0..<2 {
                        let begin = tree.begin(level)
                        do {
                            let part = try await DIContainer.resolve.async(RandomTreePart.self, name: name)
                            tree.check(part, key, at: level, since: begin, isOwn: false)
                        } catch { tree.check(error, key, at: level, since: begin) }
                        await Task.yield()
                        request(tree, key, at: level, isOwn: false) { try child.resolve.orThrow(name: name) }
                    }
                }
                home.isClosed.increment()
            } catch { tree.check(error, key, at: level, since: tree.begin(level)) }
        case 9:
            if pick(3) > 0 { return }
            count(index % 2 == 0 ? "close" : "drop")
            await randomTrees.renew(index).end()
        default: await Task.yield()
        }
    }
}
