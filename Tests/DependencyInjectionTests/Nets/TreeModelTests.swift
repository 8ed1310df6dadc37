import DependencyInjection
import Testing

/// Changes trees of containers at random, and compares their results and cached instances with ``TreeModel``.
@Suite("A tree and its model", .mayHang, .ownThread)
struct TreeModelTests {
    private typealias Key = TreeModel.Key

    /// A part that counts the created and the released parts. A decorated part retains the wrapped one.
    private final class Part: Engine, Starter, Member {
        let kind: String
        private let base: (any Sendable)?
        private let released: Counter

        init(_ kind: String, around base: (any Sendable)? = nil, _ made: Counter, _ released: Counter) {
            self.kind = kind
            self.base = base
            self.released = released
            made.increment()
        }

        deinit { released.increment() }
        func start() -> String { kind }
    }

    /// The results of two requests for one key.
    private struct Pair: Sendable {
        let first: Part?
        let second: Part?
    }

    /// A chain of containers that is changed at random, and its model.
    private struct Tree {
        let made = Counter()
        let released = Counter()
        var random: SmallGenerator
        var containers: [DIContainer] = []
        var model: TreeModel
        private var steps = 0
        private var done: [String] = []

        init(seed: UInt64, depth: Int) {
            random = SmallGenerator(state: seed &* 0x9e37_79b9_7f4a_7c15)
            model = TreeModel(depth: depth)
            for _ in 0..<depth { containers.append(containers.last?.makeChild() ?? DIContainer()) }
            registerPair(in: containers[0])
        }

        private func registerPair(in container: DIContainer) {
            container.register(
                New(
                    async: { resolve, key in
                        let first = await TreeModelTests.part(key, by: resolve)
                        return Pair(first: first, second: await TreeModelTests.part(key, by: resolve))
                    } as @Sendable (Resolver, Key) async -> Pair))
        }

        // MARK: Changing

        private func part(_ text: String) -> @Sendable (Resolver) -> Part {
            { [made, released] _ in Part(text, made, released) }
        }

        private func partLater(_ text: String) -> @Sendable (Resolver) async -> Part {
            { [made, released] _ in
                await Task.yield()
                return Part(text, made, released)
            }
        }

        private func registration(
            _ text: String, _ lifetime: TreeModel.Lifetime, _ key: Key, contributes: Bool
        ) -> any RegistrationConvertible {
            let (part, later) = (part(text), partLater(text))
            let registration: any _LifetimeRegistration =
                switch key {
                case .part: form(lifetime, part, later, as: (any Engine).self)
                case .engine: form(lifetime, { part($0) as any Engine }, { await later($0) as any Engine })
                case .starter:
                    form(
                        lifetime, { part($0) as any Starter }, { await later($0) as any Starter },
                        as: (any Engine).self)
                }
            return contributes ? TreeModelTests.contributed(registration) : registration
        }

        private func form<Made: Sendable, each Alias>(
            _ lifetime: TreeModel.Lifetime, _ make: @escaping @Sendable (Resolver) -> Made,
            _ makeLater: @escaping @Sendable (Resolver) async -> Made, as aliases: repeat (each Alias).Type
        ) -> any _LifetimeRegistration {
            switch lifetime {
            case .shared: Shared(make, as: repeat each aliases)
            case .sharedAsync: Shared(async: makeLater, as: repeat each aliases)
            case .scoped: Scoped(make, as: repeat each aliases)
            case .scopedAsync: Scoped(async: makeLater, as: repeat each aliases)
            case .weak: Weak(make, as: repeat each aliases)
            case .graph: Graph(make, as: repeat each aliases)
            case .new: New(make, as: repeat each aliases)
            }
        }

        private func decorator(_ text: String, _ key: Key) -> Decorate {
            let (made, released) = (made, released)
            return switch key {
            case .part: Decorate(Part.self) { base, _ in Part("\(text)(\(base.kind))", around: base, made, released) }
            case .engine:
                Decorate((any Engine).self) { base, _ in Part("\(text)(\(base.kind))", around: base, made, released) }
            case .starter:
                Decorate((any Starter).self) { base, _ in Part("\(text)(\(base.start()))", around: base, made, released)
                }
            }
        }

        /// Changes a container that is not closed.
        mutating func change() async throws {
            steps += 1
            let level = Int.random(in: 0..<containers.count, using: &random)
            if model.isClosed(level) { return }
            let container = containers[level]
            let key = Key.allCases.randomElement(using: &random)!
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<20:
                let lifetime = TreeModel.Lifetime.allCases.randomElement(using: &random)!
                let contributes = Bool.random(using: &random)
                container.register(registration("\(steps)", lifetime, key, contributes: contributes))
                model.register("\(steps)", lifetime, as: key, contributes: contributes, at: level)
                done.append("\(steps): \(lifetime) \(key)\(contributes ? " into the collection" : "") at \(level)")
            case 20..<31:
                container.register(decorator("\(steps)", key))
                model.decorate(key, by: "\(steps)", at: level)
                done.append("\(steps): decorator of \(key) at \(level)")
            case 31..<35:
                switch key {
                case .part: container.unregister(Part.self)
                case .engine: container.unregister((any Engine).self)
                case .starter: container.unregister((any Starter).self)
                }
                model.unregister(key, at: level)
                done.append("\(steps): no \(key) at \(level)")
            case 35, 36:
                container.reset()
                if level == 0 { registerPair(in: container) }
                model.reset(level)
                done.append("\(steps): reset of \(level)")
            case 37, 38:
                container.resetInstances()
                model.resetInstances(level)
                done.append("\(steps): reset of the instances of \(level)")
            default:
                // In most trees no container is closed, so that many changes follow.
                guard Int.random(in: 0..<4, using: &random) == 0 else { return }
                try await container.close()
                model.close(level)
                done.append("\(steps): end of \(level)")
            }
        }

        // MARK: Requests

        /// Resolves all keys from some containers and compares the results. Returns the differences.
        mutating func mistake(inAll: Bool) async -> String? {
            // The results of requests, by identity. They also retain weak instances.
            var known: [String: Part] = [:]
            for level in containers.indices where inAll || Bool.random(using: &random) {
                for key in Key.allCases.shuffled(using: &random) {
                    let expected = model.outcome(of: key, at: level)
                    let (part, reason) = await request(key, at: level, expected)
                    let mistake: String?
                    switch expected {
                    case .missing where reason == .notRegistered && part == nil: continue
                    case .misplaced where reason == .misplacedDecorator && part == nil: continue
                    case .closed where part == nil:
                        if case .closed = reason { continue }
                        mistake = "\(reason.map { "\($0)" } ?? "nothing") in a closed container"
                    case .instance(let instance):
                        if let part, part.kind == instance.text {
                            model.record(instance)
                            mistake = await sharing(part, instance, key, level, &known)
                        } else {
                            mistake = "\(part?.kind ?? "nothing"), not \(instance.text)"
                        }
                    default: mistake = "\(part?.kind ?? "nothing") instead of \(expected)"
                    }
                    if let mistake { return "\(key) at \(level), after \(done): \(mistake)" }
                }
                if let mistake = await mistakeInCollection(level) {
                    return "collection at \(level), after \(done): \(mistake)"
                }
            }
            return nil
        }

        /// Resolves the collection and compares its members with the results of their keys.
        private mutating func mistakeInCollection(_ level: Int) async -> String? {
            var outcomes: [TreeModel.Outcome] = []
            for key in model.collection(at: level) {
                outcomes.append(model.outcome(of: key, at: level))
                guard let instance = outcomes.last?.instance else { break }
                model.record(instance)
            }
            let resolve = containers[level].resolve
            do {
                let members = try await resolve.async([any Member].self)
                let texts = outcomes.compactMap { $0.instance?.text }
                let isRight = !texts.isEmpty && texts.count == outcomes.count && members.map(\.kind) == texts
                return isRight ? nil : "\(members.map(\.kind)) instead of \(outcomes)"
            } catch {
                let reason = (error as? ResolutionError)?.reason
                switch outcomes.last ?? .missing {
                case .misplaced where reason == .misplacedDecorator: return nil
                case .missing where reason == .notRegistered: return nil
                case .missing where outcomes.isEmpty && (0...level).contains(where: model.isClosed),
                    .closed:
                    if reason == .closed { return nil }
                default: break
                }
                return "\(error) instead of \(outcomes)"
            }
        }

        private mutating func request(
            _ key: Key, at level: Int, _ expected: TreeModel.Outcome
        ) async -> (part: Part?, reason: ResolutionError.Reason?) {
            let resolve = containers[level].resolve
            let isAsync = expected.instance?.isAsync == true
            do {
                let awaits = isAsync || Bool.random(using: &random)
                return (
                    awaits
                        ? try await TreeModelTests.later(key, by: resolve) : try TreeModelTests.now(key, by: resolve),
                    nil
                )
            } catch { return (nil, (error as? ResolutionError)?.reason) }
        }

        /// Whether exactly the expected requests share the instance.
        private func sharing(
            _ part: Part, _ instance: TreeModel.Instance, _ key: Key, _ level: Int, _ known: inout [String: Part]
        ) async -> String? {
            let pair = try? await containers[level].resolve.async(Pair.self, arguments: key)
            if let pair, (pair.first === pair.second) != (instance.lifetime != .new) {
                return "\(instance.lifetime) in one request"
            }
            switch instance.lifetime {
            case .new, .graph:
                return pair?.first === part ? "\(instance.lifetime) for two requests" : nil
            case .shared, .sharedAsync, .scoped, .scopedAsync, .weak:
                let others = known.filter { $0.key != instance.identity && $0.value === part }
                if let other = others.first { return "\(instance.identity) is also \(other.key)" }
                if let known = known[instance.identity], known !== part {
                    return "\(instance.identity) was built twice"
                }
                known[instance.identity] = part
                return pair.map { $0.first === part } == false ? "another for a pair" : nil
            }
        }

        /// The number of living parts, and the number that the containers should retain.
        var living: (seen: Int, expected: Int) { (made.count - released.count, model.retainedCount) }

        var history: String { "\(done)" }
    }

    private static func part(_ key: Key, by resolve: Resolver) async -> Part? {
        try? await later(key, by: resolve)
    }

    private static func contributed(_ registration: some _LifetimeRegistration) -> any RegistrationConvertible {
        registration.into((any Member).self)
    }

    @Test("Rules 1, 7, 10, 11, 17, 19, 23: a request follows the current registrations", arguments: 1...20)
    func randomChanges(seed: UInt64) async throws {
        for round in 0..<30 {
            var tree = Tree(seed: seed &+ UInt64(round) &* 1_000, depth: 1 + round % 4)
            for _ in 0..<25 {
                try await tree.change()
                // Sometimes only a part of the keys, so that some instances are built long before others.
                if let mistake = await tree.mistake(inAll: false) {
                    Issue.record("\(mistake)")
                    return
                }
            }
            if let mistake = await tree.mistake(inAll: true) {
                Issue.record("\(mistake)")
                return
            }
            // A task that has built a part may retain it for a moment after its request.
            let isReleased = await eventually { tree.living.seen == tree.living.expected }
            #expect(isReleased, "\(tree.living) after \(tree.history)")
        }
    }
}

/// The type of a collection.
private protocol Member: Sendable { var kind: String { get } }

extension TreeModelTests {
    /// Resolves a key, and returns the part.
    private static func later(_ key: Key, by resolve: Resolver) async throws -> Part? {
        switch key {
        case .part: try await resolve.async(Part.self)
        case .engine: try await resolve.async((any Engine).self) as? Part
        case .starter: try await resolve.async((any Starter).self) as? Part
        }
    }

    private static func now(_ key: Key, by resolve: Resolver) throws -> Part? {
        switch key {
        case .part: try resolve.orThrow(Part.self)
        case .engine: try resolve.orThrow((any Engine).self) as? Part
        case .starter: try resolve.orThrow((any Starter).self) as? Part
        }
    }
}

/// A model of a chain of containers, each the child of the one before. It derives the outcome of each request from the
/// registrations, and records which instances each container caches.
struct TreeModel {
    enum Key: CaseIterable {
        case part, engine, starter
    }

    enum Lifetime: CaseIterable {
        case shared, sharedAsync, scoped, scopedAsync, weak, graph, new

        var isAsync: Bool { self == .sharedAsync || self == .scopedAsync }
        /// Whether the container that has the registration builds the instance.
        var isOwned: Bool { self == .shared || self == .sharedAsync || self == .weak }
        /// Whether a container retains the instance.
        var isRetained: Bool { self != .weak && self != .graph && self != .new }
    }

    private enum Registered {
        case part(String, Lifetime)
        case alias(of: Key)
    }

    /// The registrations of one container.
    private struct Level {
        var registered: [Key: Registered] = [:]
        var decorators: [Key: [String]] = [:]
        /// The number of changes of each key. A change releases the instance.
        var changes: [Key: Int] = [:]
        /// The keys whose registrations contribute to the collection, in order.
        var contributed: [Key] = []
        var resets = 0
        var isClosed = false
    }

    /// The instance that a request gets.
    struct Instance {
        var text: String
        var lifetime: Lifetime
        let isAsync: Bool
        /// The container whose resolver the factory gets.
        let builder: Int
        /// Two requests get the same instance if its identity is the same.
        var identity: String
        /// The changes of the caches that the request makes.
        var puts: [Place: Cached] = [:]
    }

    /// The slot of a cache: of a key or, for the instance of a decorated alias, of the alias and its target.
    struct Place: Hashable {
        let level: Int
        let key: Key
        var alias: Key?
    }

    /// The instances that a slot retains.
    struct Cached {
        /// The container that owns the registration of the alias, or of the instance.
        let owner: Int
        let identities: [String]
    }

    enum Outcome {
        case instance(Instance)
        case missing
        case misplaced
        case closed

        var instance: Instance? {
            if case .instance(let instance) = self { instance } else { nil }
        }
    }

    private var levels: [Level]
    private var cache: [Place: Cached] = [:]

    init(depth: Int) { levels = Array(repeating: Level(), count: depth) }

    func isClosed(_ level: Int) -> Bool { levels[level].isClosed }

    // MARK: Changes

    /// Registers a part. A part of another type than `Engine` has `Engine` as an alias.
    mutating func register(_ text: String, _ lifetime: Lifetime, as key: Key, contributes: Bool, at level: Int) {
        put(.part(text, lifetime), key, at: level)
        if key != .engine { put(.alias(of: key), .engine, at: level) }
        if contributes { levels[level].contributed = levels[level].contributed.filter { $0 != key } + [key] }
    }

    mutating func unregister(_ key: Key, at level: Int) {
        put(nil, key, at: level)
        levels[level].decorators[key] = nil
        levels[level].contributed.removeAll { $0 == key }
    }

    private mutating func put(_ registered: Registered?, _ key: Key, at level: Int) {
        levels[level].registered[key] = registered
        change(key, at: level)
    }

    mutating func decorate(_ key: Key, by text: String, at level: Int) {
        levels[level].decorators[key, default: []].append(text)
        change(key, at: level)
    }

    private mutating func change(_ key: Key, at level: Int) {
        levels[level].changes[key, default: 0] += 1
        cache = cache.filter { place, cached in
            place.level != level || place.key != key && (place.alias != key || cached.owner != level)
        }
    }

    mutating func reset(_ level: Int) {
        levels[level].registered = [:]
        levels[level].decorators = [:]
        levels[level].contributed = []
        resetInstances(level)
    }

    mutating func resetInstances(_ level: Int) {
        levels[level].resets += 1
        cache = cache.filter { $0.key.level != level }
    }

    mutating func close(_ level: Int) {
        levels[level].isClosed = true
        cache = cache.filter { $0.key.level != level }
    }

    // MARK: Caches

    /// Records the changes of the caches by a request.
    mutating func record(_ resolved: Instance) {
        for (place, new) in resolved.puts.sorted(by: { ($0.key.alias == nil) && ($1.key.alias != nil) }) {
            if place.alias == nil, cache[place]?.identities != new.identities {
                // The instances of decorated aliases are released with the target.
                cache = cache.filter { $0.key.level != place.level || $0.key.key != place.key }
            }
            cache[place] = new
        }
    }

    /// The number of parts that the containers retain.
    var retainedCount: Int { Set(cache.values.flatMap(\.identities)).count }

    // MARK: Requests

    /// The members of the collection: a container's before its parent's, and each key once.
    func collection(at level: Int) -> [Key] {
        levels[...level].reversed().reduce(into: []) { keys, level in
            keys += level.contributed.filter { [keys] in !keys.contains($0) }
        }
    }

    func outcome(of key: Key, at level: Int) -> Outcome {
        guard let found = (0...level).last(where: { levels[$0].registered[key] != nil }) else {
            return levels[...level].contains(where: \.isClosed) ? .closed : .missing
        }
        if levels[found...level].dropFirst().contains(where: { $0.decorators[key] != nil }) { return .misplaced }
        switch levels[found].registered[key] {
        case .part(let text, let lifetime): return part(text, lifetime, key, found, at: level)
        case .alias(let target):
            let outcome = outcome(of: target, at: level)
            guard let instance = outcome.instance else { return outcome }
            return decorated(instance, key, of: target, found)
        case nil: return .missing
        }
    }

    private func part(_ text: String, _ lifetime: Lifetime, _ key: Key, _ found: Int, at level: Int) -> Outcome {
        let builder = lifetime.isOwned ? found : level
        var instance = Instance(
            text: decorated(text, key, found), lifetime: lifetime, isAsync: lifetime.isAsync, builder: builder,
            identity: "")
        instance.identity = identity(instance.text, key, found, builder)
        let place = Place(level: builder, key: key)
        if lifetime.isRetained {
            let identities = [instance.identity] + wrapped(instance.identity, key, found)
            let isCached = cache[place]?.identities == identities
            if levels[builder].isClosed || levels[found].isClosed && !isCached { return .closed }
            instance.puts[place] = Cached(owner: found, identities: identities)
        } else {
            if levels[builder].isClosed || levels[found].isClosed { return .closed }
            if lifetime == .weak { instance.puts[place] = Cached(owner: found, identities: []) }
        }
        return .instance(instance)
    }

    private func decorated(_ target: Instance, _ key: Key, of targetKey: Key, _ found: Int) -> Outcome {
        var instance = target
        let place = Place(level: target.builder, key: targetKey, alias: key)
        let isStored = found <= target.builder && target.lifetime != .new
        guard levels[found].decorators[key] != nil else {
            // The undecorated box takes the place of a decorated one.
            if target.lifetime.isRetained { instance.puts[place] = Cached(owner: found, identities: []) }
            return .instance(instance)
        }
        instance.text = decorated(target.text, key, found)
        instance.identity = "\(identity(instance.text, key, found, found)) of \(target.identity)"
        if !isStored {
            if levels[found].isClosed { return .closed }
            instance.lifetime = .new
            return .instance(instance)
        }
        let identities = [instance.identity] + wrapped(instance.identity, key, found).dropFirst()
        if target.lifetime.isRetained {
            if levels[found].isClosed, cache[place]?.identities != identities { return .closed }
            instance.puts[place] = Cached(owner: found, identities: identities)
        } else if levels[found].isClosed {
            return .closed
        }
        return .instance(instance)
    }

    /// The instances that decorators return and that other decorators retain.
    private func wrapped(_ identity: String, _ key: Key, _ found: Int) -> [String] {
        (levels[found].decorators[key] ?? []).map { "\($0) of \(identity)" }
    }

    private func decorated(_ text: String, _ key: Key, _ found: Int) -> String {
        (levels[found].decorators[key] ?? []).reduce(text) { "\($1)(\($0))" }
    }

    private func identity(_ text: String, _ key: Key, _ found: Int, _ builder: Int) -> String {
        let changes = [levels[found].changes[key] ?? 0, levels[builder].changes[key] ?? 0]
        return "\(key) \(text) of \(found) at \(builder), \(changes), \(levels[builder].resets)"
    }
}
