/// Says what a chain of containers answers, each the child of the one before, from nothing but what is registered. Apart from that,
/// it notes what each container keeps.
struct TreeModel {
    enum Key: CaseIterable {
        case part, engine, starter
    }

    enum Lifetime: CaseIterable {
        case shared, sharedAsync, scoped, scopedAsync, weak, graph, new

        var isAsync: Bool { self == .sharedAsync || self == .scopedAsync }
    }

    private enum Registered {
        case part(String, Lifetime)
        case alias(of: Key)
    }

    /// What one container has.
    private struct Level {
        var registered: [Key: Registered] = [:]
        var decorators: [Key: [String]] = [:]
        /// How often each key was changed: what was built before is outdated.
        var changes: [Key: Int] = [:]
        var resets = 0
        var isClosed = false
    }

    /// What answers a request.
    struct Instance {
        var text: String
        let lifetime: Lifetime
        /// The container that keeps it.
        var keeper: Int
        /// Tells what is kept, also weakly, from all else. As long as it is the same, so is the instance.
        var identity: String
        /// The identities of this, and of all that it was made of, if a container holds them.
        var parts: [String] = []
        /// What is put where, on the way to the answer.
        var puts: [Place: [String]] = [:]
    }

    /// Where one instance is kept.
    struct Place: Hashable {
        let level: Int
        let key: Key
    }

    enum Outcome {
        case instance(Instance)
        case missing
        case closed

        var instance: Instance? {
            if case .instance(let instance) = self { instance } else { nil }
        }
    }

    private var levels: [Level]
    /// The identities of what is kept, with all that it was made of.
    private var kept: [Place: [String]] = [:]

    init(depth: Int) { levels = Array(repeating: Level(), count: depth) }

    func isClosed(_ level: Int) -> Bool { levels[level].isClosed }
    var hasClosed: Bool { levels.contains { $0.isClosed } }

    // MARK: Changes

    /// Registers a part; one of another type than `Engine` has that as an alias.
    mutating func register(_ text: String, _ lifetime: Lifetime, as key: Key, at level: Int) {
        put(.part(text, lifetime), key, at: level)
        if key != .engine { put(.alias(of: key), .engine, at: level) }
    }

    mutating func unregister(_ key: Key, at level: Int) {
        let isRegistered = levels[level].registered[key] != nil
        let kept = kept
        put(nil, key, at: level)
        if !isRegistered { self.kept = kept }
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
        kept[Place(level: level, key: key)] = nil
    }

    mutating func reset(_ level: Int) {
        levels[level].registered = [:]
        levels[level].decorators = [:]
        resetInstances(level)
    }

    mutating func resetInstances(_ level: Int) {
        levels[level].resets += 1
        kept = kept.filter { $0.key.level != level }
    }

    mutating func close(_ level: Int) { levels[level].isClosed = true }

    // MARK: What is kept

    /// Notes what a request has put in the place of what was kept there.
    mutating func note(_ answered: Instance) { kept.merge(answered.puts) { $1 } }

    /// How many parts the containers hold.
    var keptCount: Int { Set(kept.values.joined()).count }

    // MARK: Requests

    func answer(_ key: Key, at level: Int) -> Outcome {
        if levels[level].isClosed { return .closed }
        let answer = answer(key, at: level, from: level)
        if case .missing = answer, levels[...level].contains(where: \.isClosed), !hasEntry(key, upTo: level) {
            return .closed
        }
        return answer
    }

    private func hasEntry(_ key: Key, upTo level: Int) -> Bool {
        levels[...level].contains { $0.registered[key] != nil }
    }

    /// The search for the key begins at `start`.
    private func answer(_ key: Key, at level: Int, from start: Int) -> Outcome {
        guard hasEntry(key, upTo: start),
            let found = (0...start).last(where: {
                levels[$0].registered[key] != nil || levels[$0].decorators[key] != nil
            })
        else { return .missing }
        if levels[found...start].contains(where: \.isClosed) { return .closed }
        let base: Outcome
        switch levels[found].registered[key] {
        case .part(let text, let lifetime): return .instance(part(text, lifetime, key, found, at: level))
        case .alias(let target): base = answer(target, at: level, from: level)
        case nil: base = answer(key, at: level, from: found - 1)
        }
        guard let instance = base.instance, levels[found].decorators[key] != nil else { return base }
        return .instance(decorated(instance, key, found))
    }

    private func part(_ text: String, _ lifetime: Lifetime, _ key: Key, _ found: Int, at level: Int) -> Instance {
        let isOwned = lifetime == .shared || lifetime == .sharedAsync || lifetime == .weak
        let keeper = isOwned ? found : level
        var instance = Instance(text: wrapped(text, key, found), lifetime: lifetime, keeper: keeper, identity: "")
        instance.identity = identity(instance, key, found)
        if lifetime != .weak, lifetime != .new, lifetime != .graph {
            instance.parts = [instance.identity] + wrappings(of: instance, key, found)
        }
        if lifetime != .new, lifetime != .graph { instance.puts[Place(level: keeper, key: key)] = instance.parts }
        return instance
    }

    private func decorated(_ base: Instance, _ key: Key, _ found: Int) -> Instance {
        var instance = base
        instance.text = wrapped(base.text, key, found)
        instance.keeper = max(base.keeper, found)
        instance.identity = "\(identity(instance, key, found)) of \(base.identity)"
        if !base.parts.isEmpty { instance.parts += wrappings(of: instance, key, found) }
        if !base.puts.isEmpty { instance.puts[Place(level: instance.keeper, key: key)] = instance.parts }
        return instance
    }

    /// What each decorator of a container makes, which holds what it wraps.
    private func wrappings(of instance: Instance, _ key: Key, _ found: Int) -> [String] {
        (levels[found].decorators[key] ?? []).map { "\($0) of \(instance.identity)" }
    }

    private func wrapped(_ text: String, _ key: Key, _ found: Int) -> String {
        (levels[found].decorators[key] ?? []).reduce(text) { "\($1)(\($0))" }
    }

    /// A change of the key in a container between may make it be built again.
    private func identity(_ instance: Instance, _ key: Key, _ found: Int) -> String {
        let changes = levels[found...instance.keeper].map { $0.changes[key] ?? 0 }
        return "\(key) \(instance.text) at \(instance.keeper), \(changes), \(levels[instance.keeper].resets)"
    }
}
