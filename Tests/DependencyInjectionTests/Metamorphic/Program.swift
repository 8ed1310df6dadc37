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
