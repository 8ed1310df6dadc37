import DependencyInjection
import Foundation
import Synchronization

/// A chain of three containers, each the child of the one before, and all that was changed there.
final class GroveTree: Sendable {
    static let depth = 3

    /// A change of a key in one container, which took effect at some moment between its begin and its end.
    struct Change {
        let begin: Int
        var end = Int.max
        /// The registered plan, or nil after a removal.
        let plan: GrovePlan?
    }

    struct Place: Hashable {
        let level: Int
        let key: Int
    }

    /// The results since the last change: for a container and a key the same instance each time.
    struct Answers {
        var epoch = -1
        var parts: [Place: GrovePart] = [:]
    }

    /// Whether it is closed at the end. Then no worker resets it, so that each part knows the container that closes it.
    let isClosedAtEnd: Bool
    private let held: Locked<[DIContainer]>
    let grove: Grove
    let homes: [GroveHome]
    private let root: Resolver
    let changes = Locked<[Place: [Change]]>([:])
    let answers = Locked(Answers())
    private let records = Locked<[GroveRecord]>([])
    /// Further containers to close.
    private let others = Locked<[(DIContainer, GroveHome)]>([])
    let clock = Counter()
    let begun = Counter()
    let ended = Counter()
    /// Whether a decorator may be in a container that doesn't register the type.
    let isDecorated = Counter()
    /// The number of running changes, or -1 minus that number once no change may begin.
    let changers = Locked(0)

    init(_ grove: Grove, isClosedAtEnd: Bool) {
        self.grove = grove
        self.isClosedAtEnd = isClosedAtEnd
        homes = (0..<Self.depth).map { GroveHome($0) }
        var containers: [DIContainer] = []
        for home in homes {
            let basics = grove.basics(home)
            containers.append(containers.last?.makeChild { basics } ?? DIContainer { basics })
        }
        held = Locked(containers)
        root = containers[0].resolve
        for key in 0..<Grove.keys { register(.shared, key, at: 0) }
    }

    /// A container, or nil once the tree was released.
    func container(_ level: Int) -> DIContainer? { held.withLock { $0.isEmpty ? nil : $0[level] } }

    /// Lets go of the containers, which others may hold.
    func drop() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        let parts = answers.withLock { answers in
            defer { answers = Answers(epoch: .max) }
            return answers
        }
        withExtendedLifetime((all, parts)) {}
    }

    // MARK: Changes

    /// Runs a change, unless the tree is being closed.
    private func change(_ keys: [Int], _ plan: GrovePlan?, at level: Int, _ work: (DIContainer) -> Void) {
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
        await eventually { changers.withLock { $0 } == -1 }
    }

    func register(_ lifetime: GrovePlan.Lifetime, _ key: Int, at level: Int) {
        let plan = GrovePlan(number: grove.nextNumber(), level: level, key: key, lifetime: lifetime)
        let module = registration(plan)
        change([key], plan, at: level) { $0.register(module) }
    }

    func unregister(_ key: Int, at level: Int) {
        change([key], nil, at: level) { $0.unregister(GrovePart.self, name: groveName(key)) }
    }

    func decorate(_ key: Int, at level: Int) {
        if level > 0 { isDecorated.increment() }
        change([], nil, at: level) {
            $0.register(
                Decorate(GrovePart.self, name: groveName(key)) { base, _ in GrovePart(base.record, base: base) })
        }
    }

    func resetInstances(_ level: Int) { change([], nil, at: level) { $0.resetInstances() } }

    func reset(_ level: Int) {
        if isClosedAtEnd { return resetInstances(level) }
        change(Array(0..<Grove.keys), nil, at: level) { $0.reset() }
        change([], nil, at: level) { $0.register(grove.basics(homes[level])) }
    }

    private func registration(_ plan: GrovePlan) -> Module {
        let (records, grove, root, isClosedAtEnd) = (records, grove, root, isClosedAtEnd)
        let make: @Sendable (Resolver, [GrovePart]) throws -> GrovePart = { resolve, needs in
            let home = try resolve.orThrow(GroveHome?.self) ?? GroveHome(-1)
            if isClosedAtEnd, plan.lifetime.isOwned, home.level >= 0, home.level != plan.level {
                grove.fail("built by the wrong container")
            }
            let record = GroveRecord(plan, home, needs.map(\.record))
            if plan.lifetime.isKept { records.withLock { $0.append(record) } }
            return GrovePart(record, needs: needs) { grove.ending(root, plan.key) }
        }
        let needed = (0..<plan.key).filter { ($0 + plan.number) % 2 == 0 }
        let plainly: @Sendable (Resolver) throws -> GrovePart = { resolve in
            try make(
                resolve,
                try needed.compactMap { key in
                    try groveOptional { try resolve.orThrow(GrovePart.self, name: groveName(key)) }
                })
        }
        let later: @Sendable (Resolver) async throws -> GrovePart = { resolve in
            if plan.number % 3 == 0 { await Task.yield() }
            var needs: [GrovePart] = []
            for key in needed {
                do { needs.append(try await resolve.async(GrovePart.self, name: groveName(key))) } catch let error
                    as ResolutionError
                    where error.reason == .notRegistered
                {}
            }
            if plan.number % 5 == 0 { try await Task.sleep(for: .microseconds(100)) }
            return try make(resolve, needs)
        }
        let key = groveName(plan.key)
        return switch plan.lifetime {
        case .shared: closed(Shared(plainly, name: key, as: (any GroveView).self)) { $0.onClose(grove.close) }
        case .scoped: closed(Scoped(plainly, name: key, as: (any GroveView).self)) { $0.onClose(grove.close) }
        case .weak: Module(Weak(plainly, name: key, as: (any GroveView).self))
        case .graph: Module(Graph(plainly, name: key, as: (any GroveView).self))
        case .new: Module(New(plainly, name: key, as: (any GroveView).self))
        case .sharedAsync:
            closed(Shared(async: later, name: key, as: (any GroveView).self)) { $0.onClose(grove.close) }
        case .scopedAsync:
            closed(Scoped(async: later, name: key, as: (any GroveView).self)) { $0.onClose(grove.close) }
        }
    }

    private func closed<Form: RegistrationConvertible>(_ form: Form, _ close: (Form) -> Form) -> Module {
        Module(isClosedAtEnd ? close(form) : form)
    }

    // MARK: Further containers and the end

    /// Creates a child or a fork for further requests, or nil if the tree was released or is being closed.
    func makeOther(_ level: Int, isFork: Bool) -> DIContainer? {
        guard let container = container(level), mayChange() else { return nil }
        defer { endChange() }
        let home = GroveHome(isFork ? -1 : level + 1)
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
        grove.closed.withLock { $0.append(self) }
    }

    /// Checks that each part was closed if its container was.
    func checkClosings() {
        for record in records.withLock({ $0 }) where (record.closings.count > 0) != (record.home.isClosed.count > 0) {
            grove.fail("closed \(record.closings.count) times: \(record.plan) of \(record.home.level)")
        }
    }

    private func close(_ container: DIContainer, _ home: GroveHome) async {
        do { try await container.close() } catch { grove.fail("\(error)") }
        home.isClosed.increment()
    }
}

/// Nil if nothing is registered.
func groveOptional<T>(_ ask: () throws -> T) throws -> T? {
    do { return try ask() } catch let error as ResolutionError where error.reason == .notRegistered { return nil }
}
