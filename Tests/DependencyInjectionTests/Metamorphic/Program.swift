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
    }

    struct RequestStep: Sendable {
        var key: Key
        var container: Int
        var argument: Int?
        var isOnMain = false
    }

    enum Step: Sendable {
        case request(RequestStep)
        case add(Statement, to: Int)
        case unregister(Key, in: Int)
        case reset(Int)
        case resetInstances(Int)
        case close(Int, fails: Bool)
        /// Asks in a child for an operation.
        case requestInChild(RequestStep, fails: Bool)
        case drop(Int)
    }

    struct Container: Sendable {
        var parent: Int?
        var statements: [Statement] = []
    }

    var containers: [Container] = []
    var steps: [Step] = []
    /// Whether the result of a request lives until the end.
    var holdsResults = false
    /// Whether factories begin tasks. Such a task may retain its current container a moment after its end.
    var startsTasks = false

    var statements: [Statement] {
        containers.flatMap(\.statements)
            + steps.compactMap { if case .add(let statement, _) = $0 { statement } else { nil } }
    }

    var recipes: [Recipe] { statements.compactMap { if case .register(let recipe) = $0 { recipe } else { nil } } }
    var hasEnds: Bool { recipes.contains { !$0.ends.isEmpty } }
    var isAsync: Bool { recipes.contains { $0.manner == .async } }

    /// Whether a container is changed after the first request.
    var isEverChanged: Bool {
        steps.contains {
            switch $0 {
            case .request, .requestInChild, .drop: false
            case .add, .unregister, .reset, .resetInstances, .close: true
            }
        }
    }

    /// A container and its parents, the nearest first.
    func chain(from container: Int) -> [Int] {
        Array(sequence(first: container) { containers[$0].parent })
    }
}

extension Program {
    /// The program, with a line for each statement and step.
    var text: String {
        let made = containers.enumerated().flatMap { index, container in
            let parent = container.parent.map { ", a child of c\($0)" } ?? ""
            return ["c\(index)\(parent):"] + container.statements.map { "    \($0.text)" }
        }
        let done = steps.enumerated().map { "step \($0): \($1.text)" }
        let tasks = startsTasks ? ["factories begin tasks"] : []
        let ending = holdsResults ? ["all results are held until the end"] : []
        return (made + done + tasks + ending).joined(separator: "\n")
    }
}

extension Program.Key {
    fileprivate var text: String { reportedTypes[type].name + (isNamed ? " named n" : "") }
}

extension Program.Dependency {
    fileprivate var text: String {
        switch form {
        case .plain: key.text
        case .optional: "optional \(key.text)"
        case .provider: "provider of \(key.text)"
        case .optionalProvider: "optional provider of \(key.text)"
        case .all: "all \(key.text)"
        }
    }
}

extension Program.Statement {
    fileprivate var text: String {
        switch self {
        case .expect(let key): "expects \(key.text)"
        case .decorate(let decorator):
            "d\(decorator.number): \(decorator.isMainActor ? "main-actor " : "")decorator of \(decorator.key.text)"
                + dependencies(decorator.dependencies)
        case .register(let recipe): "r\(recipe.number): \(text(of: recipe))"
        }
    }

    private func dependencies(_ dependencies: [Program.Dependency]) -> String {
        dependencies.isEmpty ? "" : ", needs " + dependencies.map(\.text).joined(separator: " and ")
    }

    private func text(of recipe: Program.Recipe) -> String {
        var text = "\(recipe.manner) \(recipe.lifetime) \(recipe.key.text)"
        if let alias = recipe.alias { text += " as \(reportedTypes[alias].name)" }
        if let collection = recipe.collection { text += " into \(reportedTypes[collection].name)" }
        if recipe.isAutowired { text += ", autowired" }
        if recipe.takesArgument { text += ", takes an argument" }
        text += dependencies(recipe.dependencies)
        if recipe.failures > 0 { text += ", fails \(recipe.failures) times" }
        for end in recipe.ends { text += ", onClose \(end.form)\(end.fails ? " that fails" : "")" }
        return text
    }
}

extension Program.Step {
    fileprivate var text: String {
        switch self {
        case .request(let requestStep): "resolve \(Self.text(of: requestStep))"
        case .add(let statement, let container): "add to c\(container) \(statement.text)"
        case .unregister(let key, let container): "unregister \(key.text) in c\(container)"
        case .reset(let container): "reset c\(container)"
        case .resetInstances(let container): "reset the instances of c\(container)"
        case .close(let container, let fails): "close c\(container)\(fails ? " after a failure" : "")"
        case .requestInChild(let requestStep, let fails):
            "resolve in a child of \(Self.text(of: requestStep))\(fails ? ", and fail" : ""), and close it"
        case .drop(let container): "drop c\(container)"
        }
    }

    private static func text(of requestStep: Program.RequestStep) -> String {
        let argument = requestStep.argument.map { " with \($0)" } ?? ""
        return
            "c\(requestStep.container) for \(requestStep.key.text)\(argument)\(requestStep.isOnMain ? " on the main actor" : "")"
    }
}

extension Program {
    /// Removes parts of the program as long as a mistake is found in it.
    ///
    /// - Returns: The smallest program found and its mistake, or nil if there is no mistake.
    func reduced<Mistake>(_ mistake: (Program) async -> Mistake?) async -> (program: Program, mistake: Mistake)? {
        guard let first = await mistake(self) else { return nil }
        var smallest = (program: self, mistake: first)
        await ProgramRun.$patience.withValue(2) {
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for program in smallest.program.smaller {
                    if let found = await mistake(program) {
                        (smallest, isSmaller) = ((program, found), true)
                        break
                    }
                }
            }
        }
        return smallest
    }

    /// Programs with one part less.
    var smaller: [Program] {
        var all: [Program] = []
        for index in steps.indices.reversed() {
            var copy = self
            copy.steps.remove(at: index)
            all.append(copy)
        }
        for (index, container) in containers.enumerated() {
            for (place, statement) in container.statements.enumerated() {
                var copy = self
                copy.containers[index].statements.remove(at: place)
                all.append(copy)
                for simpler in Self.simpler(statement) {
                    var copy = self
                    copy.containers[index].statements[place] = simpler
                    all.append(copy)
                }
            }
        }
        if holdsResults, !isAsync {
            var copy = self
            copy.holdsResults = false
            all.append(copy)
        }
        if startsTasks {
            var copy = self
            copy.startsTasks = false
            all.append(copy)
        }
        return all
    }

    private static func simpler(_ statement: Statement) -> [Statement] {
        switch statement {
        case .expect: return []
        case .decorate(let decorator):
            return decorator.dependencies.indices.map { index in
                var copy = decorator
                copy.dependencies.remove(at: index)
                return .decorate(copy)
            }
        case .register(let recipe):
            var all: [Recipe] = recipe.dependencies.indices.map { index in
                var copy = recipe
                copy.dependencies.remove(at: index)
                return copy
            }
            var (unaliased, uncollected, certain, plain) = (recipe, recipe, recipe, recipe)
            unaliased.alias = nil
            uncollected.collection = nil
            certain.failures = 0
            plain.isAutowired = false
            for index in recipe.ends.indices {
                var copy = recipe
                copy.ends.remove(at: index)
                all.append(copy)
            }
            if recipe.alias != nil { all.append(unaliased) }
            if recipe.collection != nil { all.append(uncollected) }
            if recipe.failures > 0 { all.append(certain) }
            if recipe.isAutowired { all.append(plain) }
            return all.map { .register($0) }
        }
    }
}
