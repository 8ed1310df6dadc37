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
