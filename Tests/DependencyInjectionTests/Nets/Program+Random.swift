import Foundation
import Testing

extension Program {
    /// The net that runs a random program.
    enum Use {
        /// It is written in two wordings.
        case wordings
        /// As before, and some registrations are contributions.
        case contributions
        /// Its reports are checked. Then more is declared, and nothing fails by chance.
        case reports
        /// ``ProgramModel`` predicts it.
        case model
        /// Several threads perform it.
        case threads
    }

    /// Creates a program that is the same for the same seed.
    init(seed: UInt64, for use: Use = .wordings) {
        self = Maker(seed: seed, use: use).program
    }

    private struct Maker {
        var random: SmallGenerator
        var program = Program()
        private var number = 0
        private var mayBeAsync = false
        /// The keys that are registered at this point.
        private var known: [Key] = []

        private let use: Use
        private var hasEnds = true
        private var types: [Int]

        private var isReported: Bool { use == .reports }
        /// Whether something simple predicts its results.
        private var isModeled: Bool { use == .model || use == .threads }

        /// Creates a program.
        init(seed: UInt64, use: Use) {
            random = SmallGenerator(seed: seed)
            self.use = use
            types = Array((use == .reports ? reportedTypes : programTypes).indices)
            program.seed = seed
            mayBeAsync = chance(isReported ? 8 : 4)
            program.holdsResults = mayBeAsync || chance(2)
            if isReported {
                program.holdsResults = false
                hasEnds = chance(2)
            }
            if isModeled {
                mayBeAsync = chance(3)
                program.holdsResults = mayBeAsync
                // A smaller number of types, so that more changes concern the same.
                let classes = types[..<firstProtocolType].shuffled(using: &random)
                let protocols = types[firstProtocolType...].shuffled(using: &random)
                types = Array(
                    classes.prefix(Int.random(in: 1...3, using: &random)) + protocols.prefix(chance(2) ? 1 : 2))
            }
            for index in 0..<Int.random(in: 1...4, using: &random) {
                // Many trees are deep, so that layers meet.
                let parent = index == 0 ? nil : chance(2) ? index - 1 : Int.random(in: 0..<index, using: &random)
                var container = Container(parent: parent)
                for _ in 0..<Int.random(in: index == 0 ? 3...8 : 0...4, using: &random) {
                    container.statements.append(statement())
                }
                program.containers.append(container)
            }
            if isModeled {
                makeModeledSteps()
            } else {
                for _ in 0..<Int.random(in: 4...16, using: &random) {
                    program.steps.append(Step(container: container(), action: action()))
                }
                if isReported { addShapes() }
                program.startsTasks = !isReported && !program.isAsync && chance(2)
            }
        }

        /// Adds changes, each followed by some requests, and finally a request for each key in each container.
        private mutating func makeModeledSteps() {
            for _ in 0..<Int.random(in: use == .threads ? 60...100 : 5...25, using: &random) {
                let container = self.container()
                let change: Action =
                    switch Int.random(in: 0..<40, using: &random) {
                    case 0..<31: .add(statement())
                    case 31..<35: .unregister(key())
                    case 35, 36: .reset
                    case 37, 38: .resetInstances
                    // In most trees no container is closed, so that many changes follow.
                    default: chance(4) ? .close(fails: chance(2)) : .resetInstances
                    }
                program.steps.append(Step(container: container, action: change))
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    let container = self.container()
                    let action: Action = chance(6) ? .requestMembers : .request(Request(key: key()))
                    program.steps.append(Step(container: container, action: action))
                }
            }
            for container in program.containers.indices {
                for key in Set(known).sorted(by: { ($0.type, $0.isNamed ? 1 : 0) < ($1.type, $1.isNamed ? 1 : 0) }) {
                    program.steps.append(Step(container: container, action: .request(Request(key: key))))
                }
                program.steps.append(Step(container: container, action: .requestMembers))
            }
        }

        // MARK: Shapes that statements seldom form by chance

        private mutating func addShapes() {
            for container in program.containers.indices {
                let parent = program.containers[container].parent
                let keys = types.shuffled(using: &random).map { Key(type: $0) }
                let lifetimes = Lifetime.allCases.shuffled(using: &random)
                let ofClass = Key(type: Int.random(in: 0..<firstProtocolType, using: &random))
                let named = Key(type: ofClass.type, isNamed: true)
                var (own, inherited): ([Recipe], [Recipe]) = ([], [])
                switch Int.random(in: 0..<9, using: &random) {
                case 0:
                    // From a cached registration, several paths lead through uncached ones to a scoped one.
                    let forms: [Dependency.Form] = [.plain, .provider, .optionalProvider].shuffled(using: &random)
                    let uncached: [Lifetime] = [.new, .graph].shuffled(using: &random)
                    own = [
                        recipe(keys[0], .scoped),
                        recipe(keys[1], uncached[0], [Dependency(key: keys[0])]),
                        recipe(keys[2], uncached[1], forms.map { Dependency(key: keys[1], form: $0) }),
                        recipe(keys[3], chance(2) ? .shared : .weak, [Dependency(key: keys[2])]),
                    ]
                case 1 where parent != nil:
                    // The target of a parent's alias is overridden.
                    let alias = Int.random(in: firstProtocolType..<programTypes.count, using: &random)
                    inherited = [recipe(ofClass, lifetimes[0], alias: alias)]
                    own = [recipe(ofClass, lifetimes[1])]
                case 2:
                    // The target of an alias is removed. A registration depends on the key without the name.
                    own = [
                        recipe(named, .shared, alias: firstProtocolType),
                        recipe(Key(type: firstProtocolType + 1), .new, [Dependency(key: ofClass)]),
                    ]
                    program.steps += [named, ofClass].map { Step(container: container, action: .unregister($0)) }
                case 3:
                    // Two types with the same name, which often are missing.
                    let ghosts = types[programTypes.count...].map { Dependency(key: Key(type: $0)) }
                    let user = Key(type: Int.random(in: 0..<programTypes.count, using: &random))
                    own = [recipe(user, .graph, ghosts)]
                case 4:
                    // A named registration, and one that depends on all of its type.
                    own = [
                        recipe(Key(type: keys[0].type, isNamed: true), lifetimes[0]),
                        recipe(keys[1], .new, [Dependency(key: keys[0], form: .all)]),
                    ]
                case 5 where parent != nil:
                    // One of the registrations of a parent's cycle is overridden.
                    inherited = [
                        recipe(keys[0], .shared, [Dependency(key: keys[1])]),
                        recipe(keys[1], .shared, [Dependency(key: keys[0])]),
                    ]
                    own = [recipe(keys[1], .new)]
                default: break
                }
                program.containers[container].statements += own.map { .register($0) }
                if let parent { program.containers[parent].statements += inherited.map { .register($0) } }
            }
        }

        private mutating func recipe(
            _ key: Key, _ lifetime: Lifetime, _ dependencies: [Dependency] = [], alias: Int? = nil
        ) -> Recipe {
            number += 1
            return Recipe(
                number: number, key: key, lifetime: lifetime, alias: alias, isAutowired: !key.isNamed,
                dependencies: dependencies)
        }

        private mutating func chance(_ inverse: Int) -> Bool { Int.random(in: 0..<inverse, using: &random) == 0 }

        private mutating func container() -> Int { program.containers.indices.randomElement(using: &random)! }

        /// Any key, or mostly one that is registered.
        private mutating func key(isAny: Bool = false) -> Key {
            if !isAny, !chance(4), let key = known.randomElement(using: &random) { return key }
            return Key(type: types.randomElement(using: &random)!, isNamed: chance(5))
        }

        private mutating func dependencies(of key: Key) -> [Dependency] {
            if isReported {
                // Often the same key in two forms, and unnamed keys, which initializers can have.
                var all: [Dependency] = []
                for _ in 0..<[0, 1, 1, 2, 2, 3].randomElement(using: &random)! {
                    var key = chance(3) ? all.last?.key ?? self.key() : self.key()
                    if !chance(10) { key.isNamed = false }
                    let form = chance(2) ? .plain : Dependency.Form.allCases.randomElement(using: &random)!
                    all.append(Dependency(key: key, form: form))
                }
                return all
            }
            if isModeled {
                // Dependencies on types with a lower number, so that there is no cycle.
                let lower = types.filter { $0 < key.type }
                if lower.isEmpty { return [] }
                return (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    Dependency(
                        key: Key(type: lower.randomElement(using: &random)!, isNamed: chance(5)),
                        form: chance(3) ? .plain : .optional)
                }
            }
            return (0..<[0, 0, 1, 1, 2].randomElement(using: &random)!).map { _ in
                Dependency(key: self.key(), form: Dependency.Form.ofVariedPrograms.randomElement(using: &random)!)
            }
        }

        private mutating func statement() -> Statement {
            number += 1
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<8: return .register(recipe())
            case 8..<11:
                // Often the first of all, so that decorators of one key stand in several containers.
                let key = chance(2) ? self.key() : known.first ?? self.key()
                var decorator = Decorator(number: number, key: key)
                decorator.isMainActor = !isModeled && !mayBeAsync && chance(isReported ? 30 : 8)
                // A closure with dependencies may run again for each asynchronous one.
                if !isModeled || !mayBeAsync { decorator.dependencies = dependencies(of: key) }
                return .decorate(decorator)
            default: return .expect(key(isAny: true))
            }
        }

        private mutating func recipe() -> Recipe {
            let key = self.key(isAny: !isReported || !chance(3))
            let lifetime = Lifetime.allCases.randomElement(using: &random)!
            var recipe = Recipe(number: number, key: key, lifetime: lifetime, dependencies: dependencies(of: key))
            if mayBeAsync {
                if recipe.lifetime == .shared || recipe.lifetime == .scoped, chance(2) { recipe.manner = .async }
            } else if !isModeled, chance(isReported ? 20 : 6) {
                recipe.manner = .mainActor
            }
            if recipe.key.type < firstProtocolType, isModeled ? !chance(4) : chance(3) {
                let protocols = isModeled ? types : Array(programTypes.indices)
                recipe.alias = protocols.filter { $0 >= firstProtocolType }.randomElement(using: &random)
            }
            if isModeled { recipe.isMember = chance(2) }
            if use == .contributions, chance(3) {
                recipe.collection = Int.random(in: firstProtocolType..<programTypes.count, using: &random)
            }
            if recipe.manner == .plain {
                recipe.takesArgument = !isModeled && chance(7)
                recipe.isAutowired =
                    !recipe.takesArgument && recipe.dependencies.allSatisfy { !$0.key.isNamed }
                    && (chance(2) || isReported && chance(2))
            }
            if hasEnds, recipe.lifetime == .shared || recipe.lifetime == .scoped, isReported || chance(2) {
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    recipe.ends.append(
                        End(form: End.Form.allCases.randomElement(using: &random)!, fails: chance(6)))
                }
            }
            known.append(recipe.key)
            if isModeled, let alias = recipe.alias { known.append(Key(type: alias, isNamed: key.isNamed)) }
            // Decorators in several containers wrap the contributions of one type.
            if let collection = recipe.collection { known.append(Key(type: collection, isNamed: key.isNamed)) }
            if !isReported, !isModeled || !mayBeAsync, chance(10) {
                recipe.failures = Int.random(in: 1...2, using: &random)
            }
            return recipe
        }

        private mutating func action() -> Action {
            switch Int.random(in: 0..<30, using: &random) {
            case 0..<4: return .add(statement())
            case 4: return .unregister(key())
            case 5: return .reset
            case 6: return .resetInstances
            case 7: return chance(2) ? .close(fails: chance(2)) : .resetInstances
            case 8...9 where !isReported || chance(3): return .drop
            default: break
            }
            // Mostly for registered keys.
            let known = program.recipes.randomElement(using: &random)
            let recipe = chance(4) ? nil : known
            let takes = recipe?.takesArgument ?? false
            return .request(
                Request(
                    key: recipe?.key ?? key(),
                    argument: takes != chance(12) ? Int.random(in: 1...9, using: &random) : nil,
                    isOnMain: !mayBeAsync && chance(3)))
        }
    }
}

/// The random programs that a suite checks. Each program has a seed. Environment variables, which CONTRIBUTING.md
/// describes, set the extent of the tests.
struct RandomPrograms {
    /// The first seed.
    static let firstSeed = setting("DI_TEST_SEED") ?? 0
    /// The time for random operations in seconds, or nil for the default of a suite.
    static let seconds = setting("DI_TEST_SECONDS").map { TimeInterval($0) }

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    private let seeds: Range<UInt64>

    init(defaultCount: UInt64) {
        seeds = Self.firstSeed..<Self.firstSeed + (Self.setting("DI_TEST_PROGRAMS") ?? defaultCount)
    }

    /// Checks the programs of one of several parts, and records the smallest one found with a mistake as an issue.
    func check<Case: Reducible & CustomStringConvertible>(
        part: UInt64, of parts: Int, _ makeCase: (_ seed: UInt64) -> Case, mistake: (Case) async -> String?
    ) async {
        for seed in stride(from: seeds.lowerBound + part, to: seeds.upperBound, by: parts) {
            guard let found = await makeCase(seed).reduced(mistake) else { continue }
            Issue.record("\(found.smallest)\n\(found.mistake)")
            return
        }
    }
}

/// A random number generator with a seed: Marsaglia's xorshift.
struct SmallGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts where neighboring seeds are far apart.
    init(seed: UInt64) {
        state = (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15
        for _ in 0..<4 { _ = next() }
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
