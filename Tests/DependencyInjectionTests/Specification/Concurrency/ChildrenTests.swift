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
            Shared(autowiring: Dependent<Connection>.init)
            Shared { _ -> String in
                @Inject var connection: Connection
                return connection.name
            }
            New(autowiring: Dependent<Connection>.init, name: "new")
            Shared(Connection("parent"))
        }
        let child = parent.makeChild { Shared(Connection("child")) }
        let grandchild = child.makeChild { Shared(Connection("grandchild")) }
        #expect(try grandchild.resolve.orThrow(Dependent<Connection>.self).dependency.name == "parent")
        #expect(DIContainer.withContainer(grandchild) { DIContainer.resolve(String.self) } == "parent")
        #expect(
            try isSame(
                parent.resolve.orThrow(Dependent<Connection>.self),
                grandchild.resolve.orThrow(Dependent<Connection>.self)))
        #expect(try grandchild.resolve.orThrow(Dependent<Connection>.self, name: "new").dependency.name == "grandchild")
        #expect(try child.resolve.orThrow(Dependent<Connection>.self, name: "new").dependency.name == "child")
    }

    @Test("A Scoped has one instance per container, built with its resolver")
    func scoped() throws {
        let parent = DIContainer {
            Scoped(autowiring: Dependent<Connection>.init)
            Scoped(Diesel.init, as: (any Engine).self)
            Shared(Connection("parent"))
        }
        let child = parent.makeChild { Shared(Connection("child")) }
        let grandchild = child.makeChild()
        let users = [parent, child, grandchild].map { $0.resolve(Dependent<Connection>.self) }
        #expect(users.map(\.dependency.name) == ["parent", "child", "child"])
        #expect(Set(users.map(ObjectIdentifier.init)).count == 3)
        #expect(
            [parent, child, grandchild].map { $0.resolve(Dependent<Connection>.self) }.elementsEqual(users, by: ===))
        #expect(try isSame(child.resolve.orThrow((any Engine).self), child.resolve.orThrow(Diesel.self)))
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

    @Test("Rules 12, C8: Threads that race for a Weak or a child's Scoped get one instance", arguments: [false, true])
    func race(isWeak: Bool) {
        let built = Counter()
        let parent = DIContainer {
            if isWeak {
                Weak(as: (any Engine).self) { _ in built.counting(Diesel()) }
            } else {
                Scoped(as: (any Engine).self) { _ in built.counting(Diesel()) }
            }
        }
        for round in 1...raceRounds {
            // Each round also rebuilds the Weak, because nothing retains its instance.
            let container = isWeak ? parent : parent.makeChild()
            let instances = onThreads(raceThreads) { index in
                index % 2 == 0 ? container.resolve(Diesel.self) : container.resolve((any Engine).self) as! Diesel
            }
            let isOne = instances.allSatisfy { $0 === instances[0] }
            #expect(isOne, "\(round)")
            #expect(built.count == round, "\(round)")
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

    // MARK: Releasing a container, which resolvers and providers may outlive

    /// A reference to a container, which a test releases on another thread.
    private typealias Holder = Locked<DIContainer?>

    private static let kinds: [Row<@Sendable (Module) -> DIContainer>] = [
        Row("a root") { module in DIContainer { module } },
        Row("a child") { module in DIContainer { Shared(1) }.makeChild { module } },
        Row("a fork") { module in DIContainer { Shared(1) }.fork { module } },
    ]

    @Test("Releasing a container doesn't wait for a factory, whose instance is not cached", arguments: kinds)
    func waitsForNoFactory(_ kind: Row<@Sendable (Module) -> DIContainer>) async throws {
        let (factory, released) = (Latch(), Counter())
        let module = Module {
            // Retains the core of the container. Only the release of the container releases it.
            Shared(name: "built") { resolve in (resolve, Tracked(released)) }
            Shared { _ in factory.wait(returning: Tracked(released)) }
        }
        let holder = Holder(kind.value(module))
        let resolve = holder.withLock { container in
            _ = container!.resolve((Resolver, Tracked).self, name: "built")
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

    @Test("A thread that holds the queue releases the instances when it leaves", arguments: [false, true])
    func clearedAtTheEnd(_ isTried: Bool) throws {
        // The instance retains the core of its container. Only the release of the container releases it.
        let container = DIContainer { Shared { resolve in ReleaseAction { withExtendedLifetime(resolve) {} } } }
        weak let instance = try container.resolve.orThrow(ReleaseAction.self)
        let core = container.core
        var wasThere = false
        // The `deinit` of the container makes the same calls.
        let work = {
            if core.transition({ $0.release() }) { core.clearIfReleased() }
            wasThere = instance != nil
        }
        if isTried { #expect(core.tryExclusively(work)) } else { core.exclusively(work) }
        #expect(wasThere && instance == nil)
    }

    // MARK: The order of releases

    enum Release: CaseIterable { case ofGrown, withHandlers, ofChild, whileAnotherBuilds }

    @Test(
        "A released container releases its instances in reverse order of construction", arguments: Release.allCases,
        [false, true])
    func order(_ release: Release, holdsResolver: Bool) {
        let log = Log()
        // So many that no table has them in this order by chance.
        let users = (0..<30).map { "user \($0)" }
        let parts = Module {
            for (number, part) in (users + ["connection"]).enumerated() {
                let name = RegistrationName(part)
                // A user resolves the connection without retaining it.
                let make: @Sendable (Resolver) throws -> ReleaseAction = { resolve in
                    if part != "connection" { _ = try resolve.orThrow(ReleaseAction.self, name: "connection") }
                    return ReleaseAction { log.add(part) }
                }
                if release == .ofChild {
                    Scoped(make, name: name)
                } else if release == .withHandlers, number.isMultiple(of: 2) {
                    Shared(make, name: name).onClose { _ in }
                } else {
                    Shared(make, name: name)
                }
            }
        }
        let holder: Holder =
            switch release {
            case .ofGrown, .whileAnotherBuilds: Holder(DIContainer { parts })
            // The release of a fork reports nothing.
            case .withHandlers: Holder(DIContainer { parts }.fork())
            case .ofChild: Holder(DIContainer { parts }.makeChild())
            }
        let resolver = holder.withLock { container in
            // The first user resolves the connection.
            for user in users { _ = container?.resolve(ReleaseAction.self, name: RegistrationName(user)) }
            if release == .ofGrown {
                container?.register { for number in 0..<1_000 { New(number, name: RegistrationName("\(number)")) } }
            }
            return holdsResolver ? container?.resolve : nil
        }
        let drop: @Sendable () -> Bool = { holder.withLock { $0.take() } != nil }
        #expect(release == .whileAnotherBuilds ? DIContainer { Shared { _ in drop() } }.resolve(Bool.self) : drop())
        #expect(log.all == users.reversed() + ["connection"])
        withExtendedLifetime(resolver) {}
    }
}
