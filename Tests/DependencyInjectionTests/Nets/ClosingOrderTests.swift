import DependencyInjection
import Testing

/// Rule 20: closes random trees of containers, and compares the handlers and the releases with ``ClosingModel``.
@Suite("Closing random graphs", .mayHang, .ownThread)
struct ClosingOrderTests {
    /// The events of a tree, and the number of its recorded parts that aren't released.
    private struct Record: Sendable {
        let log = Log()
        let livingParts = Locked(0)
    }

    /// A part that records its release if a container caches it. Its text describes how it was built.
    private final class Part: Engine, Starter {
        let kind: String
        private let record: Record?

        init(_ kind: String, _ record: Record?) {
            self.kind = kind
            self.record = record
            record?.livingParts.withLock { $0 += 1 }
        }

        deinit {
            record?.log.add("released \(kind)")
            record?.livingParts.withLock { $0 -= 1 }
        }

        func start() -> String { kind }
    }

    /// The number of the container that a factory builds for. Each container registers its own.
    private struct Level: Sendable {
        let number: Int
    }

    private static let names: [RegistrationName?] = [nil, "1", "2", "3", "4", "5", "6", "7"]

    // MARK: Registrations

    private typealias Key = ClosingModel.Key

    private static func request(_ key: Key, by resolver: Resolver) async throws {
        switch key.view {
        case .part: _ = try await resolver.async(Part.self, name: names[key.name])
        case .engine: _ = try await resolver.async((any Engine).self, name: names[key.name])
        case .starter: _ = try await resolver.async((any Starter).self, name: names[key.name])
        }
    }

    private static func requestPlain(_ key: Key, by resolver: Resolver) throws {
        switch key.view {
        case .part: _ = try resolver.orThrow(Part.self, name: names[key.name])
        case .engine: _ = try resolver.orThrow((any Engine).self, name: names[key.name])
        case .starter: _ = try resolver.orThrow((any Starter).self, name: names[key.name])
        }
    }

    /// Registers a part, with aliases if required. A decorator is placed before or after the part.
    private static func registrations(
        _ plan: ClosingModel.Plan, _ name: Int, hasAliases: Bool, decoratesFirst: Bool, _ record: Record
    ) -> [Registration] {
        let (text, dependencies) = (plan.text, plan.dependencies)
        // The time of releasing an uncached or decorated instance isn't part of this test.
        let isRecorded = plan.lifetime.isCached && plan.decorators.isEmpty
        let part: @Sendable (Resolver) throws -> Part = { resolve in
            Part("\(text) at \(try resolve.orThrow(Level.self).number)", isRecorded ? record : nil)
        }
        let make: @Sendable (Resolver) throws -> Part = { resolve in
            for dependency in dependencies { try requestPlain(dependency, by: resolve) }
            return try part(resolve)
        }
        let makeLater: @Sendable (Resolver) async throws -> Part = { resolve in
            for dependency in dependencies { try await request(dependency, by: resolve) }
            await Task.yield()
            return try part(resolve)
        }
        let name = names[name]
        func closed<Form: _SharedOrScoped>(_ form: Form) -> [Registration] where Form.Instance == Part {
            plan.closers.reduce(form) { form, closer in form.onClose { record.log.add("\(closer): \($0.kind)") } }
                .registrations
        }
        let all: [Registration] =
            switch plan.lifetime {
            case .shared: closed(Shared(make, name: name, as: (any Engine).self, (any Starter).self))
            case .scoped: closed(Scoped(make, name: name, as: (any Engine).self, (any Starter).self))
            case .new: New(make, name: name, as: (any Engine).self, (any Starter).self).registrations
            case .weak: Weak(make, name: name, as: (any Engine).self, (any Starter).self).registrations
            case .sharedAsync:
                closed(Shared(async: makeLater, name: name, as: (any Engine).self, (any Starter).self))
            case .scopedAsync:
                closed(Scoped(async: makeLater, name: name, as: (any Engine).self, (any Starter).self))
            }
        let mine = hasAliases ? all : [all[0]]
        guard let added = plan.addedDecorator else { return mine }
        let decorator = Decorate(Part.self, name: name) { base, _ in
            Part("\(base.kind) \(added)", record)
        }
        return decoratesFirst ? decorator.registrations + mine : mine + decorator.registrations
    }

    // MARK: Random trees

    /// A chain of containers that is changed at random, and its model.
    private struct Tree {
        let record = Record()
        var random: SmallGenerator
        var containers: [DIContainer] = []
        let model: ClosingModel
        private var steps = 0

        init(seed: UInt64, depth: Int) {
            random = SmallGenerator(state: seed &* 0x9e37_79b9_7f4a_7c15)
            model = ClosingModel(depth: depth)
            for level in 0..<depth {
                let container = containers.last?.makeChild() ?? DIContainer()
                container.register(Shared(Level(number: level)))
                containers.append(container)
                // The root has everything, and each child some of it.
                for name in names.indices where level == 0 || Int.random(in: 0..<3, using: &random) == 0 {
                    register(name, at: level)
                }
            }
        }

        private var leaf: Int { containers.count - 1 }

        private mutating func key(below limit: Int) -> Key {
            Key(
                view: ClosingModel.View.allCases.randomElement(using: &random)!,
                name: Int.random(in: 0..<limit, using: &random))
        }

        private mutating func register(_ name: Int, at level: Int, _ lifetimes: [ClosingModel.Lifetime]? = nil) {
            steps += 1
            var dependencies: [Key] = []
            // Only parts with a lower number, so that there is no cycle.
            for _ in 0..<Int.random(in: 0..<3, using: &random) where name > 0 { dependencies.append(key(below: name)) }
            let decorates = Int.random(in: 0..<5, using: &random) == 0
            let closers = (0..<Int.random(in: 0..<3, using: &random)).map { "close \(steps) \($0)" }
            let plan = model.plan(
                "\(name)/\(steps)", (lifetimes ?? ClosingModel.Lifetime.allCases).randomElement(using: &random)!,
                dependencies: dependencies, decorator: decorates ? "by \(steps)" : nil, closers: closers, name,
                at: level)
            containers[level].register {
                registrations(
                    plan, name, hasAliases: level == 0 || Bool.random(using: &random),
                    decoratesFirst: Bool.random(using: &random), record)
            }
            model.put(plan, name, at: level)
        }

        mutating func step() async throws {
            let level = Int.random(in: 0...leaf, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<14:
                let key = key(below: names.count)
                let resolver = containers[level].resolve
                try await request(key, by: resolver)
                model.resolve(key, at: level)
            case 14, 15: register(Int.random(in: 0..<names.count, using: &random), at: leaf)
            case 16:
                // A child's instances of a parent's `Scoped` are released later, which is the subject of another test.
                let name = Int.random(in: 0..<names.count, using: &random)
                if model.plans[level][name]?.lifetime.isOwned == true {
                    register(name, at: level, [.shared, .sharedAsync, .new, .weak])
                }
            case 17 where leaf > 0:
                let name = Int.random(in: 0..<names.count, using: &random)
                // Otherwise the decorators would remain, and would be misplaced for the parent's registration.
                guard model.plans[leaf][name]?.decorators == [] else { return }
                let part = names[name]
                containers[leaf].unregister(Part.self, name: part)
                model.put(nil, name, at: leaf)
            case 18:
                containers[level].resetInstances()
                model.release(at: level)
                containers[level].register(Shared(Level(number: level)))
            case 19 where leaf > 0:
                containers[leaf].reset()
                model.reset(leaf)
                let number = leaf
                containers[leaf].register(Shared(Level(number: number)))
            default: break
            }
        }

        /// Builds all that the last container can see.
        mutating func resolveAll() async throws {
            let resolver = containers[leaf].resolve
            for name in names.indices {
                let key = Key(view: .engine, name: name)
                try await request(key, by: resolver)
                model.resolve(key, at: leaf)
            }
        }

        /// Closes all containers, and returns the actual and the expected events of each.
        mutating func close() async throws -> [(seen: [String], expected: [String])] {
            // The task of an asynchronous build may retain a replaced instance a moment longer.
            #expect(await eventually { record.livingParts.withLock { $0 } == model.livingParts })
            let isRootFirst = Bool.random(using: &random)
            var results: [(seen: [String], expected: [String])] = []
            for level in isRootFirst ? Array(containers.indices) : containers.indices.reversed() {
                let before = record.log.all.count
                try await containers[level].close()
                results.append((Array(record.log.all[before...]), model.closing(level)))
            }
            return results
        }
    }

    @Test("runs handlers and releases instances in the order that the model predicts", arguments: 1...50)
    func randomGraphs(seed: UInt64) async throws {
        var closed = 0
        for depth in 1...3 {
            var tree = Tree(seed: seed &+ UInt64(depth) &* 1_000, depth: depth)
            for _ in 0..<40 { try await tree.step() }
            try await tree.resolveAll()
            let results = try await tree.close()
            for (level, result) in results.enumerated() {
                #expect(result.seen == result.expected, "depth \(depth), container \(level)")
            }
            closed += results.reduce(0) { $0 + $1.expected.count { $0.hasPrefix("close") } }
        }
        // Each random tree has instances to close.
        #expect(closed > 0)
    }
}
