import DependencyInjection

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
