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

    /// Returns a container that has built all instances that the tests read.
    fileprivate static func built() -> DIContainer {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Diesel(kind: "named"), name: "named")
        }
        _ = kinds(container.resolve)
        return container
    }

    /// Reads by type, alias, name, Optional, provider and collection.
    @Sendable fileprivate static func kinds(_ resolve: Resolver) -> [String?] {
        [
            resolve(Diesel.self).kind, resolve((any Engine).self).kind, resolve(Diesel.self, name: "named").kind,
            resolve(Diesel?.self)?.kind, resolve(Provider<Diesel>.self)().kind,
        ] + resolve.all(Diesel.self).map(\.kind)
    }

    fileprivate static let expected = ["diesel", "diesel", "named", "diesel", "diesel", "diesel", "named"]
    fileprivate static let expectedOfOwner = ["diesel", "diesel", "named", "diesel", "diesel"]

    @Test("A container, a resolver and withContainer wait for no factory")
    func container() {
        let container = Self.built()
        let resolve = container.resolve
        #expect(whileBuilding(in: container) { Self.kinds(container.resolve) } == Self.expected)
        #expect(whileBuilding(in: container) { container.isRegistered(Diesel.self) } == true)
        #expect(whileBuilding(in: container) { Self.kinds(resolve) } == Self.expected)
        #expect(whileBuilding(in: container) { try? resolve.orThrow(Diesel.self).kind } == "diesel")
        let kinds = whileBuilding(in: container) {
            DIContainer.withContainer(container) { Self.kinds(DIContainer.resolve) }
        }
        #expect(kinds == Self.expected)
    }

    @Test("A child waits for no factory of its own or of its parent")
    func child() {
        let parent = Self.built()
        let child = parent.makeChild()
        let grandchild = child.makeChild()
        for busy in [parent, child, grandchild] {
            for (row, asked) in ["child": child, "grandchild": grandchild] as KeyValuePairs {
                let kinds = whileBuilding(in: busy) { Self.kinds(asked.resolve) }
                // The slow factory builds a ticket, which isn't part of this collection.
                #expect(kinds == Self.expected, "\(row)")
            }
        }
    }

    @Test("A child reads its own instances while its parent is building")
    func childsOwn() {
        let parent = DIContainer {
            Scoped(Diesel(), as: (any Engine).self)
            Shared("text")
        }
        let child = parent.makeChild {
            Shared("own")
            Decorate(String.self) { base, _ in "decorated \(base)" }
        }
        let read: @Sendable () -> [String] = {
            [child.resolve(Diesel.self).kind, child.resolve((any Engine).self).kind, child.resolve(String.self)]
        }
        let expected = ["diesel", "diesel", "decorated own"]
        #expect(read() == expected)
        #expect(whileBuilding(in: parent, read) == expected)
        #expect(whileBuilding(in: child, read) == expected)
    }

    @Test("A retained Weak instance is read while a factory runs")
    func weak() throws {
        let container = DIContainer { Weak(Diesel(), as: (any Engine).self) }
        let held =
            try [container.resolve.orThrow(Diesel.self), container.resolve.orThrow((any Engine).self)] as [any Engine]
        let areSame = whileBuilding(in: container) {
            isSame(container.resolve(Diesel.self), held[0]) && isSame(container.resolve((any Engine).self), held[0])
        }
        #expect(areSame == true)
    }

    @Test("The first read of a lazy wrapper waits for no factory")
    func lazy() {
        let container = Self.built()
        let owner = DIContainer.withContainer(container) { Owner() }
        #expect(whileBuilding(in: container) { owner.kinds } == Self.expectedOfOwner)
        let kind = whileBuilding(in: container) {
            @LazyInject(from: container) var engine: any Engine
            return engine.kind
        }
        #expect(kind == "diesel")
    }

    @Test("A lazy wrapper's first read in a child waits for no factory of either container")
    func lazyOfChild() {
        let parent = Self.built()
        let child = parent.makeChild()
        for (row, busy) in ["parent": parent, "child": child] as KeyValuePairs {
            let owner = DIContainer.withContainer(child) { Owner() }
            #expect(whileBuilding(in: busy) { owner.kinds } == Self.expectedOfOwner, "\(row)")
        }
    }
}

extension ExitTests {
    @Test("Rule C3: Static requests, DIContainer.shared and lazy wrappers wait for no factory")
    static func shared() async {
        await #expect(processExitsWith: .success) {
            DIContainer.shared = CachedReadTests.built()
            let owner = CachedReadTests.Owner()
            precondition(
                whileBuilding(in: .shared) { CachedReadTests.kinds(DIContainer.resolve) } == CachedReadTests.expected)
            precondition(
                whileBuilding(in: .shared) { CachedReadTests.kinds(DIContainer.shared.resolve) }
                    == CachedReadTests.expected)
            precondition(whileBuilding(in: .shared) { owner.kinds } == CachedReadTests.expectedOfOwner)
        }
    }
}

/// A result that only the slow path finds is the same for a user, but takes many times longer.
@Suite("Rule C3: Readers do not wait (requests that the fast path resolves)")
struct FastPathTests {
    /// What a lookup on the fast path has found.
    private enum Found: Equatable {
        case instance, factory, slowPath, nothing
    }

    private func find<T>(_ type: T.Type, name: RegistrationName?, in container: DIContainer) -> Found {
        ThreadRecord.reading {
            let type = ObjectIdentifier(type)
            let result = name == nil ? container.core.lookUp(type) : container.core.lookUp(Key(type, name))
            return switch result {
            case .instance: .instance
            case .factory: .factory
            case .slowPath: .slowPath
            case .missing: .nothing
            }
        }
    }

    /// Where a type is registered, seen from the container that is asked.
    enum Place: CaseIterable {
        case own, parent, ownAndParent

        func container(_ registrations: some RegistrationConvertible) -> DIContainer {
            switch self {
            case .own: DIContainer { registrations }
            case .parent: DIContainer { registrations }.makeChild().makeChild()
            case .ownAndParent: DIContainer { registrations }.makeChild { registrations }
            }
        }
    }

    /// Registers a class with an alias, without and with a name, and with or without decorators of both types.
    private func registrations(isDecorated: Bool, _ form: (RegistrationName?) -> any RegistrationConvertible) -> Module
    {
        Module {
            form(nil)
            form("named")
            if isDecorated {
                for name in [nil, "named"] as [RegistrationName?] {
                    Decorate(Diesel.self, name: name) { base, _ in base }
                    Decorate((any Engine).self, name: name) { base, _ in base }
                }
            }
        }
    }

    private func check(_ container: DIContainer, finds expected: Found, alias: Found) throws {
        for name in [nil, "named"] as [RegistrationName?] {
            _ = try container.resolve.orThrow(Diesel.self, name: name)
            _ = try container.resolve.orThrow((any Engine).self, name: name)
            #expect(find(Diesel.self, name: name, in: container) == expected, "\(name)")
            #expect(find((any Engine).self, name: name, in: container) == alias, "\(name)")
        }
    }

    @Test("A cached instance, by its type and by an alias", arguments: Place.allCases, [false, true])
    func instances(_ place: Place, isDecorated: Bool) throws {
        let shared = registrations(isDecorated: isDecorated) { Shared(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(shared), finds: .instance, alias: .instance)
        let scoped = registrations(isDecorated: isDecorated) { Scoped(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(scoped), finds: .instance, alias: .instance)
    }

    @Test("The factory of a New, by its type and by an alias", arguments: Place.allCases)
    func factories(_ place: Place) throws {
        let new = registrations(isDecorated: false) { New(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(new), finds: .factory, alias: .factory)
    }

    @Test("Nothing, for a missing type")
    func missing() {
        for (row, container) in [
            "DIContainer()": DIContainer(), "DIContainer().makeChild()": DIContainer().makeChild(),
        ] as KeyValuePairs {
            #expect(find(Diesel.self, name: nil, in: container) == .nothing, "\(row)")
            #expect(find(Diesel.self, name: "named", in: container) == .nothing, "\(row)")
        }
    }
}
