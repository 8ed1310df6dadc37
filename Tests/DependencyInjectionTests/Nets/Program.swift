/// A random program: its registrations in a tree of containers, its changes and its requests.
struct Program: Sendable {
    enum Lifetime: CaseIterable, Sendable { case shared, scoped, weak, graph, new }
    enum Manner: Sendable { case plain, mainActor, async }

    struct Key: Hashable, Sendable {
        /// The index in ``programTypes``.
        var type: Int
        var isNamed = false
    }

    struct Dependency: Sendable {
        enum Form: CaseIterable, Sendable {
            case plain, optional, provider, optionalProvider, all

            /// The forms in programs that are written in two wordings.
            static let ofVariedPrograms: [Form] = [.plain, .optional, .provider]
        }
        var key: Key
        var form = Form.plain

        var isDeferred: Bool { form == .provider || form == .optionalProvider }
    }

    struct Recipe: Sendable {
        /// Serves as the line of the registration, so that errors show it.
        var number: Int
        var key: Key
        var lifetime: Lifetime
        var manner = Manner.plain
        /// The index of a protocol.
        var alias: Int?
        /// The index of the protocol to whose collection the instance is contributed.
        var collection: Int?
        /// Whether the instance is also contributed to the collection of `any Sendable`.
        var isMember = false
        var takesArgument = false
        var isAutowired = false
        var dependencies: [Dependency] = []
        /// The number of builds that fail before one succeeds.
        var failures = 0
        var ends: [End] = []
    }

    /// The way to close a factory's instance.
    struct End: Sendable {
        enum Form: CaseIterable, Sendable { case plain, withFailure, mainActor }
        var form: Form
        var fails = false
    }

    struct Decorator: Sendable {
        var number: Int
        var key: Key
        var isMainActor = false
        var dependencies: [Dependency] = []
    }

    enum Statement: Sendable {
        case register(Recipe)
        case decorate(Decorator)
        case expect(Key)

        /// The number that serves as the line of the statement. A declaration has none.
        var number: Int? {
            switch self {
            case .register(let recipe): recipe.number
            case .decorate(let decorator): decorator.number
            case .expect: nil
            }
        }
    }

    struct Request: Sendable {
        var key: Key
        var argument: Int?
        var isOnMain = false
    }

    enum Action: Sendable {
        case request(Request)
        /// Resolves the collection of `any Sendable`.
        case requestMembers
        case add(Statement)
        case unregister(Key)
        case reset, resetInstances
        case close(fails: Bool)
        case drop

        /// Whether it closes a container.
        var isEnd: Bool {
            switch self {
            case .close, .drop: true
            default: false
            }
        }
    }

    /// An action on a container.
    struct Step: Sendable {
        var container: Int
        var action: Action
    }

    struct Container: Sendable {
        var parent: Int?
        var statements: [Statement] = []
    }

    /// The seed of the program, and of all choices that a net makes for it.
    var seed: UInt64 = 0
    var containers: [Container] = []
    var steps: [Step] = []
    /// Whether the result of a request lives until the end.
    var holdsResults = false
    /// Whether factories begin tasks. Such a task may retain its current container a moment after its end.
    var startsTasks = false

    var statements: [Statement] {
        containers.flatMap(\.statements)
            + steps.compactMap { if case .add(let statement) = $0.action { statement } else { nil } }
    }

    var recipes: [Recipe] { statements.compactMap { if case .register(let recipe) = $0 { recipe } else { nil } } }

    var recipesByNumber: [Int: Recipe] { Dictionary(uniqueKeysWithValues: recipes.map { ($0.number, $0) }) }

    var decorators: [Decorator] {
        statements.compactMap { if case .decorate(let decorator) = $0 { decorator } else { nil } }
    }

    /// The container of each statement with a number.
    var homes: [Int: Int] {
        let first = containers.enumerated().flatMap { home, container in container.statements.map { ($0, home) } }
        let later = steps.compactMap { step in
            if case .add(let statement) = step.action { (statement, step.container) } else { nil }
        }
        return Dictionary(
            uniqueKeysWithValues: (first + later).compactMap { statement, home in statement.number.map { ($0, home) } })
    }

    var hasEnds: Bool { recipes.contains { !$0.ends.isEmpty } }
    var isAsync: Bool { recipes.contains { $0.manner == .async } }

    /// Checks that each instance was closed once by each of its handlers, and before its dependencies.
    ///
    /// - Parameter lines: The lines of a ``World``.
    func closingMistakes(in lines: [String]) -> [String] {
        let recipes = recipesByNumber
        var mistakes: [String] = []
        var dependencies: [Substring: [Substring]] = [:]
        var closings: [Substring: Int] = [:]
        for line in lines {
            if let made = line.wholeMatch(of: /r([0-9]+) makes (#[0-9]+) of (.*) in .*/) {
                guard let recipe = recipes[Int(made.1)!], !recipe.ends.isEmpty else { continue }
                dependencies[made.2] = made.3.split(separator: " ")
                closings[made.2] = recipe.ends.count
            } else if let end = line.wholeMatch(of: /r[0-9]+ closes (#[0-9]+), .*/) {
                closings[end.1, default: 0] -= 1
                let early = dependencies[end.1]?.first { closings[$0] == 0 }
                if let early { mistakes.append("\(early) was closed before \(end.1), which uses it") }
            }
        }
        return mistakes + closings.filter { $0.value != 0 }.map { "\($0) has \($1) unused handlers" }
    }

    /// A container and its parents, the nearest first.
    func chain(from container: Int) -> [Int] {
        Array(sequence(first: container) { containers[$0].parent })
    }
}

extension Program: CustomStringConvertible {
    /// The seed, and a line for each statement and step.
    var description: String {
        let made = containers.enumerated().flatMap { index, container in
            let parent = container.parent.map { ", a child of c\($0)" } ?? ""
            return ["c\(index)\(parent):"] + container.statements.map { "    \($0)" }
        }
        let done = steps.enumerated().map { "step \($0), c\($1.container): \($1.action)" }
        let tasks = startsTasks ? ["factories begin tasks"] : []
        let ending = holdsResults ? ["all results are held until the end"] : []
        return (["seed \(seed)"] + made + done + tasks + ending).joined(separator: "\n")
    }
}

extension Program.Key: CustomStringConvertible {
    var description: String { reportedTypes[type].name + (isNamed ? " named n" : "") }
}

extension Program.Dependency: CustomStringConvertible {
    var description: String { "\(form) \(key)" }
}

extension Program.Recipe: CustomStringConvertible {
    var description: String {
        let plain = Self(number: number, key: key, lifetime: lifetime)
        return "r\(number): \(lifetime) \(key), \(differences(of: self, from: plain))"
    }
}

/// Describes the properties that a value and another one of the same type don't have in common.
func differences(of value: Any, from other: Any) -> String {
    zip(Mirror(reflecting: value).children, Mirror(reflecting: other).children)
        .filter { "\($0.value)" != "\($1.value)" }
        .map { "\($0.0.label ?? ""): \($0.0.value)" }
        .joined(separator: ", ")
}

/// An error with a text: a difference between a report and the events, or the reason of a failure.
struct Problem: Error {
    let text: String

    static func unless(_ condition: Bool, _ text: @autoclosure () -> String) throws(Problem) {
        if !condition { throw Problem(text: text()) }
    }
}

/// A reference to an object, which may be weak.
struct Reference<Object: AnyObject> {
    private let retained: Object?
    private weak var unretained: Object?

    init(_ object: Object, isWeak: Bool) {
        retained = isWeak ? nil : object
        unretained = object
    }

    var object: Object? { retained ?? unretained }
}

// MARK: Smaller programs

/// Something in which a mistake is searched.
protocol Reducible: Sendable {
    /// Copies with one part less each.
    var smaller: [Self] { get }
}

extension Reducible {
    var smaller: [Self] { [] }

    /// Removes parts as long as a mistake is found.
    ///
    /// - Returns: The smallest copy found and its mistake, or nil if there is no mistake.
    func reduced<Mistake>(_ mistake: (Self) async -> Mistake?) async -> (smallest: Self, mistake: Mistake)? {
        guard let first = await mistake(self) else { return nil }
        var found = (smallest: self, mistake: first)
        await ProgramRun.$patience.withValue(2) {
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for candidate in found.smallest.smaller {
                    if let other = await mistake(candidate) {
                        (found, isSmaller) = ((candidate, other), true)
                        break
                    }
                }
            }
        }
        return found
    }

    /// Copies without one element of a list each, the last one first, and then those in which one element is smaller.
    func reducing<Element: Reducible>(oneOf list: WritableKeyPath<Self, [Element]>) -> [Self] {
        let elements = self[keyPath: list]
        let removals = elements.indices.reversed().map { ($0, [] as [Element]) }
        let reductions = elements.indices.flatMap { index in elements[index].smaller.map { (index, [$0]) } }
        return (removals + reductions).map { index, replacement in
            var copy = self
            copy[keyPath: list].replaceSubrange(index...index, with: replacement)
            return copy
        }
    }

    /// A copy with another value, or none if it has that value.
    func changing<Value: Equatable>(_ path: WritableKeyPath<Self, Value>, to value: Value) -> [Self] {
        if self[keyPath: path] == value { return [] }
        var copy = self
        copy[keyPath: path] = value
        return [copy]
    }
}

extension Program: Reducible {
    var smaller: [Program] {
        // In a long program, most steps don't matter.
        var (begin, end) = (self, self)
        begin.steps.removeLast(steps.count / 2)
        end.steps.removeFirst(steps.count / 2)
        return (steps.count < 16 ? [] : [begin, end]) + reducing(oneOf: \.steps)
            + containers.indices.flatMap { reducing(oneOf: \.containers[$0].statements) }
            + (isAsync ? [] : changing(\.holdsResults, to: false)) + changing(\.startsTasks, to: false)
    }
}

extension Program.Step: Reducible {}
extension Program.Dependency: Reducible {}
extension Program.End: Reducible {}

extension Program.Statement: Reducible {
    var smaller: [Self] {
        switch self {
        case .expect: []
        case .decorate(let decorator): decorator.smaller.map { .decorate($0) }
        case .register(let recipe): recipe.smaller.map { .register($0) }
        }
    }
}

extension Program.Decorator: Reducible {
    var smaller: [Self] { reducing(oneOf: \.dependencies) }
}

extension Program.Recipe: Reducible {
    var smaller: [Self] {
        reducing(oneOf: \.dependencies) + reducing(oneOf: \.ends) + changing(\.alias, to: nil)
            + changing(\.collection, to: nil) + changing(\.isMember, to: false) + changing(\.failures, to: 0)
            + changing(\.isAutowired, to: false)
    }
}
