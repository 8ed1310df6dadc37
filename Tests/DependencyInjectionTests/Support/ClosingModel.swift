/// Says what happens when a chain of containers, each the child of the one before, is closed. It keeps no instances.
///
/// Parts are registered under names, which are numbers here, each with two aliases that every container sees.
final class ClosingModel {
    enum View: CaseIterable {
        case part, engine, starter
    }

    /// What is asked for, or closed: a part, directly or by an alias.
    struct Key: Hashable {
        let view: View
        let name: Int
    }

    enum Lifetime: CaseIterable {
        case shared, sharedAsync, scoped, scopedAsync, new, weak

        var isKept: Bool { self != .new && self != .weak }
        /// Whether the container builds it that has the registration.
        var isOwned: Bool { self == .shared || self == .sharedAsync || self == .weak }
    }

    /// A registration. Each has another text.
    struct Plan: Equatable {
        let text: String
        let lifetime: Lifetime
        let needs: [Key]
        /// All that decorate it, the innermost first.
        let decorators: [String]
        /// The one that is registered with it.
        let addedDecorator: String?
    }

    /// What a container keeps, or kept until it was replaced.
    private struct Built {
        let plan: Plan
        let name: Int
        /// The container that has the registration.
        let owner: Int
        let text: String
        /// The statements that concerned it when it was built or dropped, in the order in which they run.
        var statements: [String] = []
        var isDropped = false
    }

    private(set) var plans: [[Int: Plan]]
    private var statements: [[(key: Key, text: String)]]
    private var built: [[Built]]

    init(depth: Int) {
        plans = Array(repeating: [:], count: depth)
        statements = Array(repeating: [], count: depth)
        built = Array(repeating: [], count: depth)
    }

    // MARK: Changes

    /// A registration, which takes over the decorators of the one that it replaces.
    func plan(
        _ text: String, _ lifetime: Lifetime, needs: [Key], decorator: String?, _ name: Int, at level: Int
    ) -> Plan {
        let known = plans[level][name]?.decorators ?? []
        return Plan(
            text: text, lifetime: lifetime, needs: needs, decorators: known + (decorator.map { [$0] } ?? []),
            addedDecorator: decorator)
    }

    /// Registers or unregisters. The container drops what it built from the old one, and what is hidden now.
    func put(_ plan: Plan?, _ name: Int, at level: Int) {
        drop(at: level) { $0.name == name && ($0.owner == level || plan != nil) }
        plans[level][name] = plan
    }

    func add(_ key: Key, _ text: String, at level: Int) {
        if !statements[level].contains(where: { $0.text == text }) { statements[level].append((key, text)) }
    }

    /// Drops all that a container keeps.
    func drop(at level: Int) { drop(at: level) { _ in true } }

    func reset(_ level: Int) {
        drop(at: level)
        plans[level] = [:]
        statements[level] = []
    }

    private func drop(at level: Int, where isMeant: (Built) -> Bool) {
        for index in built[level].indices where isMeant(built[level][index]) && !built[level][index].isDropped {
            note(index, at: level)
            built[level][index].isDropped = true
        }
    }

    // MARK: Building

    /// The container whose registration answers a request to a level.
    private func owner(_ name: Int, at level: Int) -> Int? { (0...level).last { plans[$0][name] != nil } }

    /// Builds what a request to a level leads to.
    func resolve(_ key: Key, at level: Int) {
        guard let owner = owner(key.name, at: level), let plan = plans[owner][key.name] else { return }
        let keeper = plan.lifetime.isOwned ? owner : level
        if built[keeper].contains(where: { $0.plan == plan && !$0.isDropped }) { return }
        for need in plan.needs { resolve(need, at: keeper) }
        guard plan.lifetime.isKept else { return }
        let text = (["\(plan.text) at \(keeper)"] + plan.decorators).joined(separator: " ")
        built[keeper].append(Built(plan: plan, name: key.name, owner: owner, text: text))
        note(built[keeper].count - 1, at: keeper)
    }

    // MARK: Closing

    /// The statements that concern an instance now: those of the container that keeps it first, and the last that was
    /// registered before the others. A statement of a parent concerns what its own container has under the name.
    private func statements(about instance: Built, at keeper: Int) -> [String] {
        var texts: [String] = []
        for level in (instance.owner...keeper).reversed() {
            for (key, text) in statements[level].reversed()
            where key.name == instance.name && !texts.contains(text) {
                let isOfOutdated =
                    level == keeper && key.view == .part && owner(key.name, at: keeper) != instance.owner
                if isOfOutdated || owner(key.name, at: level) == instance.owner { texts.append(text) }
            }
        }
        return texts
    }

    /// Adds what concerns an instance now to what did before.
    private func note(_ index: Int, at keeper: Int) {
        let now = statements(about: built[keeper][index], at: keeper)
        built[keeper][index].statements = now + built[keeper][index].statements.filter { !now.contains($0) }
    }

    /// What happens when a container is closed.
    func closing(_ level: Int) -> [String] {
        for index in built[level].indices where !built[level][index].isDropped { note(index, at: level) }
        return built[level].reversed().filter { !$0.isDropped || !$0.statements.isEmpty }.flatMap { instance in
            instance.statements.map { "\($0): \(instance.text)" } + ["released \(instance.text)"]
        }
    }
}
