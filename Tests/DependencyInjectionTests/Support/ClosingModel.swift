/// A model that predicts the closing of a chain of containers, each the child of the one before. It retains no
/// instances.
///
/// The names of the registered parts are numbers. Each part has two aliases, which every container can resolve.
final class ClosingModel {
    enum View: CaseIterable {
        case part, engine, starter
    }

    /// The key of a request: a part, directly or by an alias.
    struct Key: Hashable {
        let view: View
        let name: Int
    }

    enum Lifetime: CaseIterable {
        case shared, sharedAsync, scoped, scopedAsync, new, weak

        var isCached: Bool { self != .new && self != .weak }
        /// Whether the container with the registration builds the instance.
        var isOwned: Bool { self == .shared || self == .sharedAsync || self == .weak }
    }

    /// A registration with a unique text.
    struct Plan: Equatable {
        let text: String
        let lifetime: Lifetime
        let dependencies: [Key]
        /// Its decorators, the innermost first.
        let decorators: [String]
        /// The decorator that is registered together with it.
        let addedDecorator: String?
        /// The names of the close handlers, in the order of registration.
        let closers: [String]
    }

    /// An instance that a container caches, or cached until its replacement.
    private struct Built {
        let plan: Plan
        let name: Int
        /// The container that has the registration.
        let owner: Int
        /// The factory's instance.
        let product: String
        var isReleased = false

        /// The cached instance.
        var text: String { ([product] + plan.decorators).joined(separator: " ") }
    }

    private(set) var plans: [[Int: Plan]]
    private var built: [[Built]]

    init(depth: Int) {
        plans = Array(repeating: [:], count: depth)
        built = Array(repeating: [], count: depth)
    }

    // MARK: Changes

    /// Returns a registration with the decorators of the one that it replaces.
    func plan(
        _ text: String, _ lifetime: Lifetime, dependencies: [Key], decorator: String?, closers: [String], _ name: Int,
        at level: Int
    ) -> Plan {
        let known = plans[level][name]?.decorators ?? []
        return Plan(
            text: text, lifetime: lifetime, dependencies: dependencies,
            decorators: known + (decorator.map { [$0] } ?? []),
            addedDecorator: decorator, closers: lifetime.isCached ? closers : [])
    }

    /// Registers a plan, or unregisters the part. The container releases its instances of the old registration, and the
    /// instances of a parent's registration that the new one hides.
    func put(_ plan: Plan?, _ name: Int, at level: Int) {
        release(at: level) { $0.name == name && ($0.owner == level || plan != nil) }
        plans[level][name] = plan
    }

    /// Releases all cached instances of a container.
    func release(at level: Int) { release(at: level) { _ in true } }

    func reset(_ level: Int) {
        release(at: level)
        plans[level] = [:]
    }

    private func release(at level: Int, where isIncluded: (Built) -> Bool) {
        for index in built[level].indices where isIncluded(built[level][index]) && !built[level][index].isReleased {
            built[level][index].isReleased = true
        }
    }

    // MARK: Building

    /// The container whose registration satisfies a request to a level.
    private func owner(_ name: Int, at level: Int) -> Int? { (0...level).last { plans[$0][name] != nil } }

    /// Builds the result of a request to a level.
    func resolve(_ key: Key, at level: Int) {
        guard let owner = owner(key.name, at: level), let plan = plans[owner][key.name] else { return }
        let builder = plan.lifetime.isOwned ? owner : level
        if built[builder].contains(where: { $0.plan == plan && !$0.isReleased }) { return }
        for dependency in plan.dependencies { resolve(dependency, at: builder) }
        guard plan.lifetime.isCached else { return }
        built[builder].append(
            Built(plan: plan, name: key.name, owner: owner, product: "\(plan.text) at \(builder)"))
    }

    // MARK: Closing

    /// The number of instances that are cached, or that are retained until closing although they were replaced.
    var livingParts: Int {
        built.joined().count { !$0.isReleased || !$0.plan.closers.isEmpty && $0.plan.decorators.isEmpty }
    }

    /// The events of closing a container. It closes all instances in reverse order, and then releases them.
    func closing(_ level: Int) -> [String] {
        let all = built[level].reversed()
        let closings = all.flatMap { part in part.plan.closers.reversed().map { "\($0): \(part.product)" } }
        let released = all.compactMap { part -> String? in
            if !part.isReleased { return "released \(part.text)" }
            // Decorated instances were released together with it.
            return part.plan.closers.isEmpty || !part.plan.decorators.isEmpty ? nil : "released \(part.text)"
        }
        return closings + released
    }
}
