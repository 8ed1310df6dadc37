import Foundation
import Testing

@testable import DependencyInjection

@Suite("Rule C8: Children build independently", .serialized, .mayHang, .ownThread)
struct TreeTests {
    @Test("Rule 11: a descendant looks up its own registrations first, then its parent's")
    func lookup() throws {
        let parent = DIContainer {
            Shared(Ticket(number: 1))
            Shared(Diesel(), as: (any Engine).self)
        }
        let child = parent.makeChild { Shared(Ticket(number: 2)) }
        let grandchild = child.makeChild()
        #expect(try parent.resolve.orThrow(Ticket.self).number == 1)
        #expect(try child.resolve.orThrow(Ticket.self).number == 2)
        #expect(try grandchild.resolve.orThrow(Ticket.self).number == 2)
        #expect(grandchild.isRegistered((any Engine).self) && !parent.makeChild().isRegistered(Int.self))
        #expect(try isSame(grandchild.resolve.orThrow((any Engine).self), parent.resolve.orThrow(Diesel.self)))
        #expect(try grandchild.resolve.orThrow(Ticket?.self)?.number == 2)
        #expect(try grandchild.resolve.orThrow(Int?.self) == nil)
        child.unregister(Ticket.self)
        #expect(try grandchild.resolve.orThrow(Ticket.self).number == 1)
    }

    @Test("Rule 10: a parent's Shared uses the parent's resolver and never sees a child")
    func parentOwned() throws {
        let parent = DIContainer {
            Shared(autowiring: ConnectionUser.init)
            Shared { _ -> String in
                @Inject var connection: Connection
                return connection.name
            }
            New(autowiring: ConnectionUser.init, name: "new")
            Shared(Connection("parent"))
        }
        let child = parent.makeChild { Shared(Connection("child")) }
        let grandchild = child.makeChild { Shared(Connection("grandchild")) }
        #expect(try grandchild.resolve.orThrow(ConnectionUser.self).connection.name == "parent")
        #expect(DIContainer.withContainer(grandchild) { DIContainer.resolve(String.self) } == "parent")
        #expect(
            try isSame(parent.resolve.orThrow(ConnectionUser.self), grandchild.resolve.orThrow(ConnectionUser.self)))
        #expect(try grandchild.resolve.orThrow(ConnectionUser.self, name: "new").connection.name == "grandchild")
        #expect(try child.resolve.orThrow(ConnectionUser.self, name: "new").connection.name == "child")
    }

    @Test("A Scoped has one instance per container, built with its resolver")
    func scoped() throws {
        let parent = DIContainer {
            Scoped(autowiring: ConnectionUser.init)
            Scoped(Diesel.init, as: (any Engine).self)
            Shared(Connection("parent"))
        }
        let child = parent.makeChild { Shared(Connection("child")) }
        let grandchild = child.makeChild()
        let users = [parent, child, grandchild].map { $0.resolve(ConnectionUser.self) }
        #expect(users.map(\.connection.name) == ["parent", "child", "child"])
        #expect(Set(users.map(ObjectIdentifier.init)).count == 3)
        #expect([parent, child, grandchild].map { $0.resolve(ConnectionUser.self) }.elementsEqual(users, by: ===))
        for (row, container) in ["parent": parent, "child": child, "grandchild": grandchild] as KeyValuePairs {
            let engine = try container.resolve.orThrow((any Engine).self)
            #expect(try isSame(engine, container.resolve.orThrow(Diesel.self)), "\(row)")
            #expect(try isSame(engine, container.resolve.orThrow((any Engine).self)), "\(row)")
        }
        #expect(try !isSame(parent.resolve.orThrow((any Engine).self), child.resolve.orThrow((any Engine).self)))
    }

    @Test("Rule 11: a parent's alias finds the child's own registration, built once")
    func aliasAcross() throws {
        let parent = DIContainer { Shared(Diesel(kind: "parent"), as: (any Engine).self) }
        let child = parent.makeChild { Shared(Diesel(kind: "child")) }
        #expect(try parent.resolve.orThrow((any Engine).self).kind == "parent")
        #expect(try child.resolve.orThrow((any Engine).self).kind == "child")
        #expect(try isSame(child.resolve.orThrow((any Engine).self), child.resolve.orThrow(Diesel.self)))
        child.register(Shared(Diesel(kind: "again")))
        #expect(try child.resolve.orThrow((any Engine).self).kind == "again")
        child.unregister(Diesel.self)
        #expect(try isSame(child.resolve.orThrow((any Engine).self), parent.resolve.orThrow(Diesel.self)))
        parent.register(Shared(Diesel(kind: "other")))
        #expect(try child.resolve.orThrow((any Engine).self).kind == "other")
    }

    @Test("Two children build in parallel without waiting for one another")
    func parallel() {
        let inside = Counter()
        let parent = DIContainer {
            Scoped { _ in
                inside.increment()
                #expect(eventually { inside.count >= 2 })
                return Ticket(number: inside.count)
            }
        }
        let numbers = onThreads(2) { _ in parent.makeChild().resolve(Ticket.self).number }
        #expect(numbers == [2, 2])
    }

    @Test("Threads that race for a child's Scoped get one instance")
    func race() {
        let built = Counter()
        let parent = DIContainer {
            Scoped(as: (any Engine).self) { _ in built.counting(Diesel()) }
        }
        for round in 1...raceRounds {
            let child = parent.makeChild()
            let instances = onThreads(raceThreads) { index in
                index % 2 == 0 ? child.resolve(Diesel.self) : child.resolve((any Engine).self) as! Diesel
            }
            let isOne = instances.allSatisfy { $0 === instances[0] }
            #expect(isOne && built.count == round, "\(round)")
        }
    }

    // MARK: Memory

    @Test("A released child releases its own instances, not its parent's, and nothing retains it")
    func releasing() throws {
        let parent = DIContainer {
            Shared(Diesel())
            Scoped(Car(engine: Diesel()))
        }
        weak var childInstance: Car?
        weak var parentInstance: Diesel?
        weak var weakChild: DIContainer?
        do {
            let child = parent.makeChild { Shared(Connection("child")) }
            childInstance = try child.resolve.orThrow()
            weakChild = child
            _ = try child.resolve.orThrow(Connection.self)
            parentInstance = try child.resolve.orThrow(Diesel.self)
            #expect(childInstance != nil && weakChild != nil)
        }
        #expect(childInstance == nil && weakChild == nil)
        #expect(try parentInstance != nil && parentInstance === parent.resolve.orThrow(Diesel.self))
    }

    @Test("A child retains its parent's instances")
    func retainsParent() throws {
        var parent: DIContainer? = DIContainer { Shared(Diesel()) }
        let child = parent!.makeChild()
        weak let instance = try parent!.resolve.orThrow(Diesel.self)
        parent = nil
        #expect(try instance != nil && instance === child.resolve.orThrow(Diesel.self))
    }

    @Test("Two thousand released children leak no instance and no container")
    func manyChildren() throws {
        let released = Counter()
        let parent = DIContainer {
            Scoped { resolve in (Tracked(released), resolve(Ticket.self)) }
            Shared(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in base }
        }
        for number in 0..<2_000 {
            // A registration of the child retains it.
            let inContainer = Tracked(released)
            let child = parent.makeChild {
                Shared { _ in withExtendedLifetime(inContainer) { Ticket(number: number) } }
                Shared(Diesel(kind: "own") as any Engine)
                Decorate((any Engine).self) { base, _ in Diesel(kind: "child's \(base.kind)") }
            }
            let (_, ticket) = try child.resolve.orThrow((Tracked, Ticket).self)
            guard ticket.number == number, child.resolve((any Engine).self).kind == "child's own" else {
                Issue.record("Wrong instance")
                return
            }
        }
        #expect(released.count == 4_000)
    }

    // MARK: Releasing a container, which resolvers and providers may outlive

    /// A reference to a container, which a test releases on another thread.
    private typealias Holder = Locked<DIContainer?>

    enum Kind: CaseIterable {
        case root, child, fork

        func make(@RegistrationBuilder _ registrations: () -> [Registration]) -> DIContainer {
            switch self {
            case .root: DIContainer(registrations)
            case .child: DIContainer { Shared(1) }.makeChild(registrations)
            case .fork: DIContainer { Shared(1) }.fork(registrations)
            }
        }
    }

    /// Returns an instance that retains the core of its container. Only the release of the container releases it.
    private static func cyclic(_ resolve: Resolver, _ released: Counter = Counter()) -> ReleaseAction {
        ReleaseAction { withExtendedLifetime(resolve) { _ = released.increment() } }
    }

    @Test("Releasing a container doesn't wait for a factory, whose instance is not cached", arguments: Kind.allCases)
    func waitsForNoFactory(_ kind: Kind) async throws {
        let (factory, released) = (Checkpoint(), Counter())
        let holder = Holder(
            kind.make {
                Shared(Tracked(released), name: "built")
                Shared { _ in factory.block(returning: Tracked(released)) }
            })
        let resolve = holder.withLock { container in
            _ = container!.resolve(Tracked.self, name: "built")
            return container!.resolve
        }
        let building = BackgroundThread { _ = resolve(Tracked.self) }
        await factory.isReached()
        let isReleased = BackgroundThread { holder.withLock { $0 = nil } }.result() != nil
        factory.open()
        #expect(isReleased, "the release waits for the factory")
        #expect(building.result() != nil)
        #expect(await eventually { released.count == 2 })
    }

    @Test("Releasing a container doesn't deadlock with a factory that waits for the release", arguments: Kind.allCases)
    func factoryWaitsForRelease(_ kind: Kind) {
        let holder = Holder(nil)
        let resolve = holder.withLock { container in
            let created = kind.make {
                Shared { _ -> Bool in
                    let releasing = BackgroundThread { holder.withLock { $0 = nil } }
                    return releasing.result() != nil
                }
            }
            container = created
            return created.resolve
        }
        #expect(BackgroundThread { resolve(Bool.self) }.result() == true, "the two wait for each other")
    }

    @Test("While the parent builds, a child is released without waiting")
    func childOfBusyParent() {
        let parent = DIContainer {
            Shared(Diesel())
            Scoped(Ticket(number: 1))
        }
        let holder = Holder(parent.makeChild { Shared(1) })
        holder.withLock { _ = ($0!.resolve(Int.self), $0!.resolve(Ticket.self)) }
        #expect(whileBuilding(in: parent) { holder.withLock { $0 = nil } } != nil)
    }

    @Test("Releasing a child releases its instances while it looks up its parent's change")
    func duringLookup() {
        let names = (0..<100).map { RegistrationName("\($0)") }
        for round in 0..<100 {
            let released = Counter()
            do {
                let parent = DIContainer { for name in names { Scoped(Diesel(), name: name) } }
                let holder = Holder(parent.makeChild { Shared { resolve in Self.cyclic(resolve, released) } })
                let resolve = holder.withLock { child in
                    for name in names { _ = child!.resolve(Diesel.self, name: name) }
                    _ = child!.resolve(ReleaseAction.self)
                    return child!.resolve
                }
                parent.register(New("changed"))
                _ = onThreads(2) { index in
                    if index == 0 {
                        _ = resolve(Int?.self)
                    } else {
                        for _ in 0..<(round % 50) * 20 { sched_yield() }
                        holder.withLock { $0 = nil }
                    }
                }
            }
            #expect(eventually { released.count == 1 }, "round \(round)")
        }
    }

    @Test("A thread that holds the queue releases the instances when it leaves", arguments: [false, true])
    func clearedAtTheEnd(_ isTried: Bool) throws {
        let container = DIContainer { Shared { resolve in Self.cyclic(resolve) } }
        weak let instance = try container.resolve.orThrow(ReleaseAction.self)
        let core = container.core
        var wasThere = false
        // The `deinit` of the container makes the same call.
        let work = {
            core.release()
            wasThere = instance != nil
        }
        if isTried { #expect(core.tryExclusively(work)) } else { core.exclusively(work) }
        #expect(wasThere && instance == nil)
    }

    // MARK: The order of releases

    /// The names of the users. There are so many that no table has them in this order by chance.
    private static let users = (0..<30).map { "user \($0)" }

    /// Instances that resolve the connection without retaining it.
    private static func parts(_ log: Log, areScoped: Bool) -> Module {
        Module {
            for part in users + ["connection"] {
                let make: @Sendable (Resolver) throws -> Logged = { resolve in
                    if part != "connection" { _ = try resolve.orThrow(Logged.self, name: "connection") }
                    return Logged(part, log)
                }
                if areScoped {
                    Scoped(make, name: RegistrationName(part))
                } else {
                    Shared(make, name: RegistrationName(part))
                }
            }
        }
    }

    enum Release: CaseIterable { case afterGrowing, whileAnotherBuilds, ofChild, byResettingInstances, byReset }

    @Test("Instances released together follow the reverse order of construction", arguments: Release.allCases)
    func order(_ release: Release) {
        let log = Log()
        let parts = Self.parts(log, areScoped: release == .ofChild)
        let holder = Holder(release == .ofChild ? DIContainer { parts }.makeChild() : DIContainer { parts })
        // The first user resolves the connection.
        holder.withLock { container in
            for user in Self.users { _ = container?.resolve(Logged.self, name: RegistrationName(user)) }
        }
        switch release {
        case .afterGrowing:
            holder.withLock { container in
                container?.register { for number in 0..<1_000 { New(number, name: RegistrationName("\(number)")) } }
                container = nil
            }
        case .whileAnotherBuilds:
            let other = DIContainer {
                Shared { _ in
                    holder.withLock { $0 = nil }
                    return 1
                }
            }
            #expect(other.resolve(Int.self) == 1)
        case .ofChild: holder.withLock { $0 = nil }
        case .byResettingInstances: holder.withLock { $0?.resetInstances() }
        case .byReset: holder.withLock { $0?.reset() }
        }
        #expect(log.all == Self.users.reversed() + ["connection"])
    }

    @Test("Decorated instances are released in the order of their decorators' results")
    func orderOfDecorated() {
        let log = Log()
        let parent = DIContainer {
            Scoped(name: "part") { _ in Logged("part", log) }
            Scoped(name: "last") { _ in Logged("last", log) }
            Decorate(Logged.self, name: "part") { _, _ in Logged("decorated", log) }
        }
        // In a lock, because an optimized build may release a variable before the result of the last request.
        let holder = Holder(parent.makeChild())
        holder.withLock { child in
            _ = child?.resolve(Logged.self, name: "part")
            _ = child?.resolve(Logged.self, name: "last")
        }
        holder.withLock { $0 = nil }
        // The decorator doesn't retain the decorated instance.
        #expect(log.all == ["part", "last", "decorated"])
    }
}
