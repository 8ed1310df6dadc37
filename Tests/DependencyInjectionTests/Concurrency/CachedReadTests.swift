import DependencyInjection
import Testing

/// Reading a cached instance doesn't enter the queue. In each test, a slow factory holds the queue on another thread.
@Suite("Rule C3: reads of cached instances", .mayHang, .ownThread)
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
            for asked in [child, grandchild] {
                let kinds = whileBuilding(in: busy) { Self.kinds(asked.resolve) }
                // The slow factory builds a ticket, which isn't part of this collection.
                #expect(kinds == Self.expected)
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
        for busy in [parent, child] {
            let owner = DIContainer.withContainer(child) { Owner() }
            #expect(whileBuilding(in: busy) { owner.kinds } == Self.expectedOfOwner)
        }
    }
}

extension ExitTests {
    @Suite("Rule C3: reads of cached instances, in another process") struct CachedReadExitTests {}
}

extension ExitTests.CachedReadExitTests {
    @Test("Static requests, DIContainer.shared and lazy wrappers wait for no factory")
    func shared() async {
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
