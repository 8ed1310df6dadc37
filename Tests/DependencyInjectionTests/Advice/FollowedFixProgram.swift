@testable import DependencyInjection

// The types of the generated programs. They are internal, since the library cannot look up private protocols.

protocol Gear: AnyObject, Sendable {}

/// An instance that refers to another one.
class FixNode: @unchecked Sendable {  // The lock protects everything.
    private let reference = Locked<(@Sendable () throws -> FixNode?)?>(nil)
    private let awaitedReference = Locked<(@Sendable () async throws -> FixNode)?>(nil)

    required init() {}

    func refer(to next: @escaping @Sendable () throws -> FixNode?) { reference.withLock { $0 = next } }

    func referLater(to next: @escaping @Sendable () async throws -> FixNode) { awaitedReference.withLock { $0 = next } }

    /// Awaits the instance that it refers to with a resolver.
    func awaitNext() async throws { _ = try await awaitedReference.withLock { $0 }?() }

    /// The instance that it refers to, which a provider may resolve now.
    func next() throws -> FixNode? { try reference.withLock { $0 }?() }
}
final class Anchor: FixNode, Gear, @unchecked Sendable {}
final class Boat: FixNode, @unchecked Sendable {}
final class Crew: FixNode, @unchecked Sendable {}

/// A program of registrations and a request: a table row, or what follows from an advice.
struct FixProgram: Sendable {
    enum Kind: String, CaseIterable {
        case gear = "any Gear"
        case anchor = "Anchor"
        case boat = "Boat"
        case crew = "Crew"
    }

    /// The containers, each the child of the one before.
    enum Level: Int, CaseIterable, Comparable {
        case parent, own, child

        static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
    }

    enum Argument: String { case int = "Int", string = "String" }

    enum Form {
        case plain, awaited, provider
        /// Requested on the main actor by an asynchronous factory.
        case onMainActor
        /// Requested with the resolver after the initializer.
        case later
    }

    struct Request: Sendable {
        var kind: Kind
        var name: String?
        var argument: Argument?
        var form = Form.plain
        var line: UInt = 1
    }

    struct Registered: Sendable {
        var kind: Kind
        var lifetime: Lifetime
        var isAsync = false
        var isMainActor = false
        var parameter: Argument?
        var name: String?
        /// Whether it is also registered as `any Gear`.
        var hasAlias = false
        var isAutowired = false
        var dependency: Request?
        /// Whether the factory makes the last instance that it leads to refer to the new one.
        var connects = false
        var line: UInt = 0
    }

    enum Preparation: Sendable {
        case prepare
        case request(Request)
    }

    var registered: [Level: [Registered]] = [:]
    /// The containers that decorate the anchor.
    var decorating: [Level] = []
    /// The container that declares that children register the anchor.
    var declaring: Level?
    var request: Request
    var requester = Level.own
    /// Whether the containers above the requester's don't exist.
    var isRoot = false
    /// Whether the child is a fork of its parent in place of a child.
    var isFork = false
    var isOnMainActor = false
    var preparations: [Preparation] = []
    /// The number of types that form a circle.
    var circle = 0

    static let (decoratorLine, declarationLine): (UInt, UInt) = (10, 20)

    // MARK: Changes

    /// Adds a registration with a line of its own.
    mutating func add(_ new: Registered, at level: Level) {
        var new = new
        new.line = (registered.values.joined().map(\.line).max() ?? 90) / 10 * 10 + 10
        // An autowired initializer requests at the line of its registration.
        new.dependency?.line = new.isAutowired ? new.line : new.line + 1
        registered[level, default: []].append(new)
    }

    /// Changes the registrations that meet a condition, and returns whether there are some.
    mutating func change(where isMeant: (Registered) -> Bool, _ change: (inout Registered) -> Void) -> Bool {
        var isChanged = false
        for level in Level.allCases {
            for index in (registered[level] ?? []).indices where isMeant(registered[level, default: []][index]) {
                change(&registered[level, default: []][index])
                isChanged = true
            }
        }
        return isChanged
    }

    /// Changes the request at a line, and returns whether there is one.
    mutating func changeRequest(at line: UInt, _ change: (inout Request) -> Void) -> Bool {
        if request.line == line {
            change(&request)
            return true
        }
        return self.change {
            $0.dependency?.line == line
        } _: {
            if $0.dependency != nil { change(&$0.dependency!) }
        }
    }

    func level(where isMeant: (Registered) -> Bool) -> Level? {
        Level.allCases.last { registered[$0, default: []].contains(where: isMeant) }
    }

    // MARK: Running

    struct Failed: Error, CustomStringConvertible { let description: String }

    /// Runs the program. Throws the error of the request, or of a provider that an instance received.
    func run() async throws {
        let containers = containers()
        defer { withExtendedLifetime(containers) {} }
        guard let container = containers[requester] else { throw Failed(description: "There is no container.") }
        for preparation in preparations {
            switch preparation {
            case .prepare: try await container.prepare()
            case .request(let request): _ = try await request.resolveLater(by: container.resolve)
            }
        }
        let first: FixNode
        switch request.form {
        case .awaited: first = try await request.resolveLater(by: container.resolve)
        case .plain, .provider, .onMainActor, .later:
            first =
                isOnMainActor
                ? try await MainActor.run { try request.resolve(by: container.resolve) }
                : try request.resolve(by: container.resolve)
        }
        var nodes = [first]
        while nodes.count < 2 * max(circle, 2), let next = try nodes[nodes.count - 1].next() { nodes.append(next) }
        for node in nodes { try await node.awaitNext() }
        guard circle > 0 else { return }
        // A circle leads back to the same instance, unless a New is built for each request.
        guard nodes.count == 2 * circle else {
            if registered.values.joined().contains(where: { $0.connects && $0.kind != request.kind }) { return }
            throw Failed(description: "The instances form no circle.")
        }
        for index in 0..<circle where lifetime(of: nodes[index]) != .new {
            if nodes[index] !== nodes[index + circle] {
                throw Failed(description: "The \(type(of: nodes[index])) refers to another instance of its type.")
            }
        }
    }

    private func lifetime(of node: FixNode) -> Lifetime? {
        registered.values.joined().first { $0.kind.rawValue == "\(type(of: node))" }?.lifetime
    }

    private func containers() -> [Level: DIContainer] {
        let parent = isRoot ? nil : DIContainer { registrations(at: .parent) }
        let own =
            parent.map { isFork ? $0.fork { registrations(at: .own) } : $0.makeChild { registrations(at: .own) } }
            ?? DIContainer { registrations(at: .own) }
        let child = own.makeChild { registrations(at: .child) }
        var containers: [Level: DIContainer] = [.own: own, .child: child]
        containers[.parent] = parent
        return containers
    }

    @RegistrationBuilder private func registrations(at level: Level) -> [Registration] {
        for registered in registered[level, default: []] { registered.registrations }
        if decorating.contains(level) {
            Decorate(Anchor.self, file: "Fix/Program.swift", line: Self.decoratorLine) { base, _ in base }
        }
        if declaring == level { ProvidedByChild(Anchor.self, file: "Fix/Program.swift", line: Self.declarationLine) }
    }
}

// MARK: Requests

extension FixProgram.Request {
    private static let file: StaticString = "Fix/Program.swift"

    private var registrationName: RegistrationName? { name.map { RegistrationName($0) } }

    func resolve(by resolver: Resolver) throws -> FixNode {
        switch kind {
        case .gear: try resolve((any Gear).self, resolver)
        case .anchor: try resolve(Anchor.self, resolver)
        case .boat: try resolve(Boat.self, resolver)
        case .crew: try resolve(Crew.self, resolver)
        }
    }

    private func resolve<T>(_ type: T.Type, _ resolver: Resolver) throws -> FixNode {
        if form == .provider { return try provider(type, resolver)() }
        let instance: T
        let resolve = resolver.orThrow
        switch argument {
        case nil: instance = try resolve(type, name: registrationName, file: Self.file, line: line)
        case .int: instance = try resolve(type, name: registrationName, arguments: 7, file: Self.file, line: line)
        case .string: instance = try resolve(type, name: registrationName, arguments: "7", file: Self.file, line: line)
        }
        return try Self.node(instance)
    }

    fileprivate static func node<T>(_ instance: T) throws -> FixNode {
        guard let node = instance as? FixNode else { throw FixProgram.Failed(description: "\(instance) is no node.") }
        return node
    }

    /// A call of a provider that a resolver injects now.
    func provider(by resolver: Resolver) throws -> @Sendable () throws -> FixNode {
        switch kind {
        case .gear: try provider((any Gear).self, resolver)
        case .anchor: try provider(Anchor.self, resolver)
        case .boat: try provider(Boat.self, resolver)
        case .crew: try provider(Crew.self, resolver)
        }
    }

    private func provider<T>(_ type: T.Type, _ resolver: Resolver) throws -> @Sendable () throws -> FixNode {
        let line = line
        switch argument {
        case nil:
            let provider: Provider<T> = try resolver.orThrow(name: registrationName, file: Self.file, line: line)
            return { try Self.node(provider.orThrow(file: Self.file, line: line)) }
        case .int:
            let provider: Provider<T, Int> = try resolver.orThrow(name: registrationName, file: Self.file, line: line)
            return { try Self.node(provider.orThrow(7, file: Self.file, line: line)) }
        case .string:
            let provider: Provider<T, String> = try resolver.orThrow(
                name: registrationName, file: Self.file, line: line)
            return { try Self.node(provider.orThrow("7", file: Self.file, line: line)) }
        }
    }

    func resolveLater(by resolver: Resolver) async throws -> FixNode {
        switch kind {
        case .gear: try await resolveLater((any Gear).self, resolver)
        case .anchor: try await resolveLater(Anchor.self, resolver)
        case .boat: try await resolveLater(Boat.self, resolver)
        case .crew: try await resolveLater(Crew.self, resolver)
        }
    }

    private func resolveLater<T>(_ type: T.Type, _ resolver: Resolver) async throws -> FixNode {
        let instance: T
        switch argument {
        case nil: instance = try await resolver.async(type, name: registrationName, file: Self.file, line: line)
        case .int:
            instance = try await resolver.async(
                type, name: registrationName, arguments: 7, file: Self.file, line: line)
        case .string:
            instance = try await resolver.async(
                type, name: registrationName, arguments: "7", file: Self.file, line: line)
        }
        return try Self.node(instance)
    }
}

// MARK: Registrations

extension FixProgram.Registered {
    private static let file: StaticString = "Fix/Program.swift"

    fileprivate var registrations: [Registration] {
        switch kind {
        case .gear: registrations { Anchor() as any Gear }
        case .anchor: registrations { Anchor() }
        case .boat: registrations { Boat() }
        case .crew: registrations { Crew() }
        }
    }

    private func registrations<T: Sendable>(_ create: @escaping @Sendable () -> T) -> [Registration] {
        if isAsync {
            switch lifetime {
            case .shared: return asynchronous(create, Shared<T>.self)
            case .scoped: return asynchronous(create, Scoped<T>.self)
            case .new: return asynchronous(create, New<T>.self)
            default: return []
            }
        }
        switch lifetime {
        case .shared: return plain(create, Shared<T>.self)
        case .scoped: return plain(create, Scoped<T>.self)
        case .weak: return plain(create, Weak<T>.self)
        case .graph: return plain(create, Graph<T>.self)
        default: return plain(create, New<T>.self)
        }
    }

    private var aliases: [any Any.Type] { hasAlias ? [(any Gear).self] : [] }
    private var registrationName: RegistrationName? { name.map { RegistrationName($0) } }

    private func plain<L: _LifetimeRegistration & _SafeRegistration>(
        _ create: @escaping @Sendable () -> L.Instance, _ form: L.Type
    ) -> [Registration] {
        if isAutowired, let dependency, dependency.name == nil, dependency.form != .awaited,
            let registrations = autowired(create, form, dependency)
        {
            return registrations
        }
        let make: @Sendable (Resolver) throws -> L.Instance = { resolve in
            let instance = create()
            if let dependency {
                if dependency.form == .provider {
                    let provider = try dependency.provider(by: resolve)
                    try FixProgram.Request.node(instance).refer { try provider() }
                } else {
                    let next = try dependency.resolve(by: resolve)
                    try FixProgram.Request.node(instance).refer { next }
                }
            }
            return try connected(instance)
        }
        switch parameter {
        case nil:
            return L({ try make($0) }, isMainActor: isMainActor, registrationName, aliases, Self.file, line)
                .registrations
        case .int:
            return L(
                { (resolve, _: Int) in try make(resolve) }, isMainActor: isMainActor, registrationName, aliases,
                Self.file, line
            ).registrations
        case .string:
            return L(
                { (resolve, _: String) in try make(resolve) }, isMainActor: isMainActor, registrationName, aliases,
                Self.file, line
            ).registrations
        }
    }

    /// Makes the last instance that an instance leads to refer to it, if the registration connects them.
    private func connected<T>(_ instance: T) throws -> T {
        guard connects else { return instance }
        let node = try FixProgram.Request.node(instance)
        var last = node
        while let next = try last.next() { last = next }
        last.refer { [weak node] in node }
        return instance
    }

    private func autowired<L: _LifetimeRegistration & _SafeRegistration>(
        _ create: @escaping @Sendable () -> L.Instance, _ form: L.Type, _ dependency: FixProgram.Request
    ) -> [Registration]? {
        func registrations<D>(_ type: D.Type) -> [Registration]? {
            func make<P>(_: P.Type, _ next: @escaping @Sendable (P) throws -> FixNode?) -> [Registration]? {
                let initialize: @Sendable (P) throws -> L.Instance = { parameter in
                    let instance = create()
                    let carried = Carried(parameter)
                    try FixProgram.Request.node(instance).refer { try next(carried.value) }
                    return try connected(instance)
                }
                switch parameter {
                case nil:
                    return L(
                        autowired: initialize, isMainActor: isMainActor, registrationName, aliases, Self.file, line
                    ).registrations
                case .int:
                    guard lifetime == .new else { return nil }
                    return L(
                        autowired: { (_: Int, parameter: P) in try initialize(parameter) }, arguments: Int.self,
                        isMainActor: isMainActor, registrationName, aliases, Self.file, line
                    ).registrations
                case .string: return nil
                }
            }
            switch (dependency.form, dependency.argument) {
            case (.plain, nil): return make(D.self) { try FixProgram.Request.node($0) }
            case (.provider, nil): return make(Provider<D>.self) { try FixProgram.Request.node($0.orThrow()) }
            case (.provider, .int): return make(Provider<D, Int>.self) { try FixProgram.Request.node($0.orThrow(7)) }
            default: return nil
            }
        }
        switch dependency.kind {
        case .gear: return registrations((any Gear).self)
        case .anchor: return registrations(Anchor.self)
        case .boat: return registrations(Boat.self)
        case .crew: return registrations(Crew.self)
        }
    }

    private func asynchronous<L: _AwaitedRegistration>(
        _ create: @escaping @Sendable () -> L.Instance, _ form: L.Type
    ) -> [Registration] {
        let make: @Sendable (Resolver) async throws -> L.Instance = { resolve in
            let instance = create()
            guard let dependency else { return instance }
            let node = try FixProgram.Request.node(instance)
            switch dependency.form {
            case .plain:
                let next = try dependency.resolve(by: resolve)
                node.refer { next }
            case .awaited:
                let next = try await dependency.resolveLater(by: resolve)
                node.refer { next }
            case .onMainActor:
                let next = try await MainActor.run { try dependency.resolve(by: resolve) }
                node.refer { next }
            case .provider:
                let provider = try dependency.provider(by: resolve)
                node.refer { try provider() }
            case .later: node.referLater { try await dependency.resolveLater(by: resolve) }
            }
            return instance
        }
        switch parameter {
        case nil: return L(async: { try await make($0) }, registrationName, aliases, Self.file, line).registrations
        case .int:
            return L(
                async: { (resolve, _: Int) in try await make(resolve) }, registrationName, aliases, Self.file, line
            )
            .registrations
        case .string:
            return L(
                async: { (resolve, _: String) in try await make(resolve) }, registrationName, aliases, Self.file, line
            ).registrations
        }
    }
}

/// Sound: the parameters are nodes and providers, which are all `Sendable`.
private struct Carried<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
