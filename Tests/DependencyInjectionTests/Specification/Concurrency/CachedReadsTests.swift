import Testing

@testable import DependencyInjection

/// Reading a cached instance doesn't enter the queue. In each test, a slow factory holds the queue on another thread.
@Suite("Rule C3: Readers do not wait", .mayHang, .ownThread)
struct CachedReadTests {
    final class Owner: @unchecked Sendable {  // The wrapped properties are only read, by one thread.
        @LazyInject var diesel: Diesel
        @LazyInject var engine: any Engine
        @LazyInject(name: "named") var named: Diesel
        @LazyInject var optional: Diesel?
        @MutableLazyInject var mutable: Diesel

        var kinds: [String?] { [diesel.kind, engine.kind, named.kind, optional?.kind, mutable.kind] }
    }

    /// A new container that has built all instances that the tests read.
    fileprivate static var built: DIContainer {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Diesel(kind: "named"), name: "named")
        }
        _ = container.resolve.kinds
        return container
    }

    fileprivate static let expected = ["diesel", "diesel", "named", "diesel", "diesel", "diesel", "named"]
    fileprivate static let expectedOfOwner = ["diesel", "diesel", "named", "diesel", "diesel"]

    @Test("A container, a resolver, withContainer and a child wait for no factory")
    func handles() {
        let parent = Self.built
        let (resolve, child) = (parent.resolve, parent.makeChild())
        let grandchild = child.makeChild()
        let reads: KeyValuePairs<String, @Sendable () -> [String?]> = [
            "container": { parent.resolve.kinds },
            "resolver": { resolve.kinds },
            "withContainer": { DIContainer.withContainer(parent) { DIContainer.resolve.kinds } },
            "child": { child.resolve.kinds },
            "grandchild": { grandchild.resolve.kinds },
        ]
        for busy in [parent, child, grandchild] {
            // The slow factory builds a ticket, which isn't part of the collection.
            for (row, read) in reads { #expect(whileBuilding(in: busy, read) == Self.expected, "\(row)") }
        }
        #expect(whileBuilding(in: parent) { parent.isRegistered(Diesel.self) } == true)
        #expect(whileBuilding(in: parent) { try? resolve.orThrow(Diesel.self).kind } == "diesel")
    }

    @Test("A retained Weak instance is read while a factory runs")
    func weak() throws {
        let container = DIContainer { Weak(Diesel(), as: (any Engine).self) }
        let held = try container.resolve.orThrow(Diesel.self)
        _ = try container.resolve.orThrow((any Engine).self)
        let areSame = whileBuilding(in: container) {
            container.resolve(Diesel.self) === held && isSame(container.resolve((any Engine).self), held)
        }
        #expect(areSame == true)
    }

    @Test("The first read of a lazy wrapper waits for no factory, also in a child")
    func lazy() {
        let parent = Self.built
        let child = parent.makeChild()
        for (row, container, busy) in [("own", parent, parent), ("parent's", child, parent), ("child's", child, child)]
        {
            let owner = DIContainer.withContainer(container) { Owner() }
            #expect(whileBuilding(in: busy) { owner.kinds } == Self.expectedOfOwner, "\(row)")
        }
        let kind = whileBuilding(in: parent) {
            @LazyInject(from: parent) var engine: any Engine
            return engine.kind
        }
        #expect(kind == "diesel")
    }

    // MARK: The fast path. A result of the slow path is the same for a user, but takes many times longer.

    /// Returns what a lookup on the fast path has found.
    private func find<T>(_ type: T.Type, name: RegistrationName?, in container: DIContainer) -> String {
        ThreadRecord.reading {
            let type = ObjectIdentifier(type)
            let result = name == nil ? container.core.lookUp(type) : container.core.lookUp(Key(type, name))
            return switch result {
            case .instance: "instance"
            case .factory: "factory"
            case .slowPath: "slow path"
            case .missing: "nothing"
            }
        }
    }

    /// The containers with registrations in one place.
    typealias Place = Row<@Sendable (Module) -> [DIContainer]>

    static let places = [
        Place("own") { registrations in [DIContainer { registrations }] },
        Place("parent") { registrations in [DIContainer { registrations }.makeChild().makeChild()] },
        Place("own and parent") { registrations in [DIContainer { registrations }.makeChild { registrations }] },
        Place("nowhere") { _ in [DIContainer(), DIContainer().makeChild()] },
    ]

    @Test(
        "A cached instance, a New's factory or nothing, by type and alias", arguments: places,
        [Lifetime.shared, .scoped, .new])
    func lookup(_ place: Place, _ lifetime: Lifetime) throws {
        // A lookup doesn't find the decorated instance of a New.
        for isDecorated in lifetime == .new ? [false] : [false, true] {
            let registrations = Module {
                for name in [nil, "named"] as [RegistrationName?] {
                    switch lifetime {
                    case .shared: Shared(Diesel(), name: name, as: (any Engine).self)
                    case .scoped: Scoped(Diesel(), name: name, as: (any Engine).self)
                    default: New(Diesel(), name: name, as: (any Engine).self)
                    }
                    if isDecorated {
                        Decorate(Diesel.self, name: name) { base, _ in base }
                        Decorate((any Engine).self, name: name) { base, _ in base }
                    }
                }
            }
            let expected = place.testDescription == "nowhere" ? "nothing" : lifetime == .new ? "factory" : "instance"
            for container in place.value(registrations) {
                for name in [nil, "named"] as [RegistrationName?] {
                    _ = try container.resolve.orThrow(Diesel?.self, name: name)
                    _ = try container.resolve.orThrow((any Engine)?.self, name: name)
                    let row = "\(container), name \(name ?? "none"), decorated \(isDecorated)"
                    #expect(find(Diesel.self, name: name, in: container) == expected, "\(row)")
                    #expect(find((any Engine).self, name: name, in: container) == expected, "\(row)")
                }
            }
        }
    }
}

extension Resolver {
    /// Reads by type, alias, name, Optional, provider and collection.
    fileprivate var kinds: [String?] {
        [
            self(Diesel.self).kind, self((any Engine).self).kind, self(Diesel.self, name: "named").kind,
            self(Diesel?.self)?.kind, self(Provider<Diesel>.self)().kind,
        ] + all(Diesel.self).map(\.kind)
    }
}

extension ExitTests {
    @Test("Rule C3: Static requests, DIContainer.shared and lazy wrappers wait for no factory")
    static func shared() async {
        await #expect(processExitsWith: .success) {
            DIContainer.shared = CachedReadTests.built
            let owner = CachedReadTests.Owner()
            precondition(whileBuilding(in: .shared) { DIContainer.resolve.kinds } == CachedReadTests.expected)
            precondition(whileBuilding(in: .shared) { DIContainer.shared.resolve.kinds } == CachedReadTests.expected)
            precondition(whileBuilding(in: .shared) { owner.kinds } == CachedReadTests.expectedOfOwner)
        }
    }
}
