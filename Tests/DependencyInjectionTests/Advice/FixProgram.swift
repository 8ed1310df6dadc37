@testable import DependencyInjection

// The types of the generated programs. They are internal, because the library can't look up private protocols.

protocol Gear: AnyObject, Sendable {}
final class Anchor: Gear, Sendable {}
final class Boat: Sendable {}

/// A program: registrations in a container and its parent, and a request to the container or its child.
struct FixProgram: Hashable, Sendable {
    /// The place of the container in its tree.
    enum Shape: CaseIterable { case root, child, grandchild, forkOfRoot, forkOfChild, forkOfGrandchild }

    enum Kind: String {
        case anchor = "Anchor"
        case gear = "any Gear"
        case boat = "Boat"
    }

    struct Request: Hashable, Sendable {
        var kind: Kind
        var name: String?
        var hasArgument = false
        var isAwaited = false
        var isOnMainActor = false
        /// Whether a provider makes the request after the factory has returned.
        var isLater = false
    }

    struct Registered: Hashable, Sendable {
        var kind: Kind
        var lifetime: Lifetime
        var isInParent = false
        var isAsync = false
        var isMainActor = false
        var takesArgument = false
        var name: String?
        /// Whether it is also registered as `any Gear`.
        var hasAlias = false
        var dependency: Request?
    }

    var registered: [Registered]
    var request: Request
    /// Whether the container decorates `Anchor`.
    var isDecorating = false
    var isDecoratingParent = false
    /// Whether the container declares that children register `Anchor`.
    var isDeclaring = false
    var shape = Shape.child
    /// Whether the container is a fork of its parent instead of a child.
    var isFork = false
    var isPrepared = false
    /// Whether a child of the container makes the request.
    var isInChild = false
    var registeredInChild: [Registered] = []

    static let file: StaticString = "Fix/Program.swift"

    /// Runs the program. Throws the error of the request, or of a provider that an instance received.
    func run() async throws {
        let parent = DIContainer()
        let decorator = Decorate(Anchor.self) { base, _ in base }
        for (line, known) in registered.enumerated() where known.isInParent {
            parent.register(known.registrations(at: line))
        }
        if isDecoratingParent { parent.register(decorator) }
        let own = isFork ? parent.fork() : container(below: parent)
        for (line, known) in registered.enumerated() where !known.isInParent {
            own.register(known.registrations(at: line))
        }
        if isDecorating { own.register(decorator) }
        if isDeclaring { own.register(ProvidedByChild(Anchor.self)) }
        let place = shape.isFork ? own.fork() : own
        let container = isInChild ? place.makeChild() : place
        for known in registeredInChild { container.register(known.registrations(at: 99)) }
        if isPrepared {
            // A fork has no parent.
            if !shape.isFork { try await parent.prepare() }
            try await container.prepare()
        }
        try await request.awaitInstance(of: container.resolve)
        for later in registered.compactMap(\.dependency) where later.isLater {
            try await later.awaitInstance(of: container.resolve)
        }
        withExtendedLifetime(parent) {}
    }

    private func container(below parent: DIContainer) -> DIContainer {
        switch shape {
        case .root, .forkOfRoot: parent
        case .child, .forkOfChild: parent.makeChild()
        case .grandchild, .forkOfGrandchild: parent.makeChild().makeChild()
        }
    }
}

extension FixProgram.Shape {
    /// Whether the request is sent to a fork of the container.
    fileprivate var isFork: Bool {
        switch self {
        case .root, .child, .grandchild: false
        case .forkOfRoot, .forkOfChild, .forkOfGrandchild: true
        }
    }
}

extension FixProgram.Request {
    /// Makes the request as it is written, which may await it.
    func awaitInstance(of resolve: Resolver) async throws {
        if isOnMainActor { try await makeOnMainActor(of: resolve) } else { try await make(of: resolve) }
    }

    @MainActor private func makeOnMainActor(of resolve: Resolver) async throws { try await make(of: resolve) }

    /// Makes the request in the caller's isolation.
    private func make(of resolve: Resolver) async throws {
        if !isAwaited { return try requestInstance(of: resolve) }
        switch kind {
        case .anchor: try await awaitInstance(Anchor.self, of: resolve)
        case .gear: try await awaitInstance((any Gear).self, of: resolve)
        case .boat: try await awaitInstance(Boat.self, of: resolve)
        }
    }

    private func awaitInstance<T: Sendable>(_ type: T.Type, of resolve: Resolver) async throws {
        let name = name.map { RegistrationName($0) }
        if hasArgument {
            _ = try await resolve.async(type, name: name, arguments: 7)
        } else {
            _ = try await resolve.async(type, name: name)
        }
    }

    func requestInstance(of resolve: Resolver) throws {
        switch kind {
        case .anchor: try requestInstance(Anchor.self, of: resolve)
        case .gear: try requestInstance((any Gear).self, of: resolve)
        case .boat: try requestInstance(Boat.self, of: resolve)
        }
    }

    private func requestInstance<T>(_ type: T.Type, of resolve: Resolver) throws {
        let name = name.map { RegistrationName($0) }
        if hasArgument {
            _ = try resolve.orThrow(type, name: name, arguments: 7)
        } else {
            _ = try resolve.orThrow(type, name: name)
        }
    }
}

extension FixProgram.Registered {
    /// Returns the registration and its alias, at a line of the program.
    func registrations(at line: Int) -> [Registration] {
        switch kind {
        case .anchor: registrations(at: line) { Anchor() }
        case .gear: registrations(at: line) { Anchor() as any Gear }
        case .boat: registrations(at: line) { Boat() }
        }
    }

    private func registrations<T: Sendable>(at line: Int, _ create: @escaping @Sendable () -> T) -> [Registration] {
        let immediate = dependency.flatMap { $0.isLater ? nil : $0 }
        let make: @Sendable (Resolver) throws -> T = { resolve in
            try immediate?.requestInstance(of: resolve)
            return create()
        }
        let factory: Registration.Kind =
            if isAsync {
                .asyncFactory { resolve, _ in
                    try await immediate?.awaitInstance(of: resolve)
                    return Box(create())
                }
            } else if takesArgument {
                .factory(Factory<T, Int> { (resolve: Resolver, _: Int) in try make(resolve) })
            } else {
                .factory(Factory<T> { (resolve: Resolver) in try make(resolve) })
            }
        let registration = Registration(
            T.self, name.map { RegistrationName($0) }, factory, lifetime: lifetime, isMainActor: isMainActor,
            arguments: takesArgument ? [Int.self] : [], CallSite(file: FixProgram.file, line: UInt(line)))
        return hasAlias ? [registration, registration.alias((any Gear).self)] : [registration]
    }
}

// MARK: Following a fix

extension FixProgram {
    /// A fix that an error may have, and the change that follows it.
    struct Rule: Sendable {
        let pattern: String
        /// Changes a program, with the captured texts. The Boolean is whether the factory of `Boat` made the request.
        let follow: @Sendable (inout FixProgram, [String], Bool) -> Void
        /// Changes a program as a part of the fix does. The fix isn't needed if the program then works.
        let followInPart: (@Sendable (inout FixProgram) -> Void)?

        init(
            _ pattern: String, unless followInPart: (@Sendable (inout FixProgram) -> Void)? = nil,
            _ follow: @escaping @Sendable (inout FixProgram, [String], Bool) -> Void
        ) {
            self.pattern = pattern
            self.follow = follow
            self.followInPart = followInPart
        }
    }

    /// The failed request.
    private mutating func changeRequest(ofBoat isOfBoat: Bool, _ change: (inout Request) -> Void) {
        guard isOfBoat else { return change(&request) }
        for index in registered.indices where registered[index].kind == .boat {
            if registered[index].dependency != nil { change(&registered[index].dependency!) }
        }
    }

    private mutating func changeBoat(_ change: (inout Registered) -> Void) {
        for index in registered.indices where registered[index].kind == .boat { change(&registered[index]) }
    }

    private func request(ofBoat isOfBoat: Bool) -> Request {
        isOfBoat ? registered.lazy.compactMap(\.dependency).first ?? request : request
    }

    static let rules = [
        Rule(#"register (any Gear|\w+)(?: named "(\w+)")?( with a factory that takes \(Int\))?( in the parent)?"#) {
            program, parts, _ in
            program.registered.append(
                Registered(
                    kind: Kind(rawValue: parts[0])!, lifetime: .new, isInParent: !parts[3].isEmpty,
                    takesArgument: !parts[2].isEmpty, name: parts[1].isEmpty ? nil : parts[1]))
        },
        Rule(#"resolve from the container that registers it, with .+"#) { program, _, isOfBoat in
            // The advice assumes that there is one.
            let request = program.request(ofBoat: isOfBoat)
            program.registered.append(
                Registered(
                    kind: request.kind, lifetime: .new, takesArgument: request.hasArgument, name: request.name))
        },
        Rule(#"register (\w+) with `Scoped` or `New`, so that the child builds it"#) { program, _, _ in
            program.changeBoat { $0.lifetime = .scoped }
        },
        Rule(#"register (\w+) in a child, and resolve from that child"#) { program, parts, _ in
            program.isInChild = true
            program.registeredInChild = [Registered(kind: Kind(rawValue: parts[0])!, lifetime: .shared)]
        },
        Rule(#"request it by its name "(\w+)"(?: in a closure, which replaces `autowiring:`)?"#) {
            program, parts, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) { $0.name = parts[0] }
        },
        Rule("request it without a name") { program, _, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) { $0.name = nil }
        },
        Rule(#"register it (?:under the name "(\w+)"|without a name)"#) { program, parts, isOfBoat in
            let kind = program.request(ofBoat: isOfBoat).kind
            guard var known = program.registered.first(where: { $0.kind == kind || $0.hasAlias }) else { return }
            known.name = parts[0].isEmpty ? nil : parts[0]
            program.registered.append(known)
        },
        Rule(#"add `as: \(any Gear\).self` to the registration at Fix/Program.swift:(\d+)"#) { program, parts, _ in
            program.registered[Int(parts[0])!].hasAlias = true
        },
        Rule(#"request the registered type, any Gear(?: named "(\w+)")?"#) { program, parts, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) {
                $0.kind = .gear
                $0.name = parts[0].isEmpty ? nil : parts[0]
            }
        },
        Rule(#"register Anchor(?: named "(\w+)")? with `as: \(any Gear\).self`"#) { program, parts, _ in
            guard let index = program.registered.firstIndex(where: { $0.kind == .gear }) else { return }
            program.registered[index].kind = .anchor
            program.registered[index].hasAlias = true
            program.registered[index].name = parts[0].isEmpty ? nil : parts[0]
        },
        Rule("request it without arguments") { program, _, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) { $0.hasArgument = false }
        },
        Rule(#"pass arguments of the types \(Int\)"#) { program, _, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) { $0.hasArgument = true }
        },
        Rule(#"inject a `Provider<(?:any Gear|\w+), Int>`, and call it with these arguments"#) { program, _, isOfBoat in
            program.changeRequest(ofBoat: isOfBoat) {
                $0.hasArgument = true
                $0.isLater = isOfBoat
            }
        },
        Rule(#"register Boat with `mainActor:`"#) { program, _, _ in
            program.changeBoat { $0.isMainActor = true }
            program.request.isOnMainActor = true
        },
        Rule("request it on the main actor: mark the caller `@MainActor`, or use `MainActor.run`") {
            program, _, isOfBoat in
            let isAsync = program.registered.contains { $0.kind == .boat && $0.isAsync }
            program.changeRequest(ofBoat: isOfBoat && isAsync) { $0.isOnMainActor = true }
        },
        Rule(#"call `try await container.prepare\(\)` before the first request"#) { program, _, _ in
            program.isPrepared = true
        },
        Rule("request it with `try await resolve.async`") { program, _, isOfBoat in
            program.request.isAwaited = true
        },
        Rule(#"register Boat with `(\w+)\(async:\)`, and request it with `try await resolve.async` there"#) {
            program, parts, _ in
            program.changeBoat {
                $0.lifetime = [.shared, .scoped].first { $0.title == parts[0] } ?? .new
                $0.isAsync = true
                $0.dependency?.isAwaited = true
            }
            program.request.isAwaited = true
        },
        Rule(
            #"request it in a child, after `try await child.prepare\(\)`"#, unless: { $0.isPrepared = true }
        ) { program, _, _ in
            program.isInChild = true
            program.isPrepared = true
        },
        Rule("decorate it in the parent, or also register it in the child") { program, _, _ in
            program.isDecorating = false
            program.isDecoratingParent = true
        },
        Rule("replace the child with a copy: `container.fork`") { program, _, _ in program.isFork = true },
        Rule(
            """
            inject a `Provider<.+>`, and call it after the initializer|inject .+ with `@LazyInject`, unless .+|connect the \
            instances after their initializers, in one factory
            """
        ) { program, _, _ in program.changeBoat { $0.dependency?.isLater = true } },
        Rule("register the inner instance under a name, and request it by that name") { program, _, _ in
            guard var inner = program.registered.first else { return }
            inner.dependency = nil
            inner.name = "inner"
            program.registered.append(inner)
            program.changeBoat { $0.dependency?.name = "inner" }
        },
        Rule("wrap the earlier registration with `Decorate`, if there is one") { program, _, _ in
            program.changeBoat { $0.dependency = nil }
        },
    ]
}
