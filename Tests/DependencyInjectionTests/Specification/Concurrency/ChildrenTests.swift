import Foundation
import Testing

@testable import DependencyInjection

@Suite("Rule C8: Children build independently", .serialized, .mayHang, .ownThread)
struct TreeTests {
    final class Service: Sendable {
        let ticket: Ticket
        init(ticket: Ticket) { self.ticket = ticket }
    }

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
        final class Requester: Sendable {
            let injected: Ticket
            init() {
                @Inject var ticket: Ticket
                injected = ticket
            }
        }
        let parent = DIContainer {
            Shared(autowiring: Service.init)
            Shared(Requester.init)
            New(autowiring: Service.init, name: "new")
            Shared(Ticket(number: 1))
        }
        let child = parent.makeChild { Shared(Ticket(number: 2)) }
        let grandchild = child.makeChild { Shared(Ticket(number: 3)) }
        #expect(try grandchild.resolve.orThrow(Service.self).ticket.number == 1)
        #expect(DIContainer.withContainer(grandchild) { DIContainer.resolve(Requester.self).injected.number } == 1)
        #expect(try isSame(parent.resolve.orThrow(Service.self), grandchild.resolve.orThrow(Service.self)))
        #expect(try grandchild.resolve.orThrow(Service.self, name: "new").ticket.number == 3)
        #expect(try child.resolve.orThrow(Service.self, name: "new").ticket.number == 2)
    }

    @Test("A Scoped has one instance per container, built with its resolver")
    func scoped() throws {
        let parent = DIContainer {
            Scoped(autowiring: Service.init)
            Scoped(Diesel.init, as: (any Engine).self)
            Shared(Ticket(number: 1))
        }
        let child = parent.makeChild { Shared(Ticket(number: 2)) }
        let grandchild = child.makeChild()
        let services = [parent, child, grandchild].map { $0.resolve(Service.self) }
        #expect(services.map(\.ticket.number) == [1, 2, 2])
        #expect(Set(services.map(ObjectIdentifier.init)).count == 3)
        #expect([parent, child, grandchild].map { $0.resolve(Service.self) }.elementsEqual(services, by: ===))
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

    @Test("A released child releases its instances, and nothing retains it")
    func releasing() throws {
        let parent = DIContainer {
            Shared(Diesel())
            Scoped(Car(engine: Diesel()))
        }
        weak var childInstance: Car?
        weak var weakChild: DIContainer?
        do {
            let child = parent.makeChild { Shared(Service(ticket: Ticket(number: 1))) }
            childInstance = try child.resolve.orThrow()
            weakChild = child
            _ = try child.resolve.orThrow(Service.self)
            _ = try child.resolve.orThrow(Diesel.self)
            #expect(childInstance != nil && weakChild != nil)
        }
        #expect(childInstance == nil && weakChild == nil)
        weak let parentInstance = try parent.resolve.orThrow(Diesel.self)
        #expect(parentInstance != nil)
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
}

/// An instance that retains its container's core. Only the release of the container releases the instance.
private final class Cyclic: Sendable {
    private let resolve: Resolver
    private let released: Counter
    init(_ resolve: Resolver, _ released: Counter = Counter()) { (self.resolve, self.released) = (resolve, released) }
    deinit { released.increment() }
}

/// A container may be released while one of its factories runs, because resolvers and providers outlive it.
@Suite("Rule C8: Children build independently (releasing a container)", .mayHang, .ownThread)
struct ReleasedContainerTests {
    /// Retains a container until `release()` is called.
    private final class Holder: Sendable {
        private let container: Locked<DIContainer?>
        init(_ container: DIContainer) { self.container = Locked(container) }

        func release() {
            // The container is released after the lock.
            let released = container.withLock { container in
                defer { container = nil }
                return container
            }
            withExtendedLifetime(released) {}
        }
    }

    private enum Kind: CaseIterable {
        case root, child, fork

        func make(@RegistrationBuilder _ registrations: () -> [Registration]) -> DIContainer {
            switch self {
            case .root: DIContainer(registrations)
            case .child: DIContainer { Shared(1) }.makeChild(registrations)
            case .fork: DIContainer { Shared(1) }.fork(registrations)
            }
        }
    }

    @Test("doesn't wait for a factory, whose instance is returned but not cached", arguments: 0..<3)
    func waitsForNoFactory(_ index: Int) async throws {
        let began = Latch()
        let mayEnd = Latch()
        let released = Counter()
        func make() -> (Holder, Resolver) {
            let container = Kind.allCases[index].make {
                Shared(Tracked(released), name: "built")
                Shared { _ in
                    began.open()
                    mayEnd.wait()
                    return Tracked(released)
                }
            }
            _ = container.resolve(Tracked.self, name: "built")
            return (Holder(container), container.resolve)
        }
        let (holder, resolve) = make()
        let building = BackgroundThread {
            _ = resolve(Tracked.self)
            return true
        }
        began.wait()
        let isReleased = BackgroundThread {
            holder.release()
            return true
        }.result()
        mayEnd.open()
        #expect(isReleased == true, "the release waits for the factory")
        #expect(building.result() == true)
        #expect(await eventually { released.count == 2 })
    }

    @Test("doesn't deadlock with a factory that waits for the release", arguments: 0..<3)
    func factoryWaitsForRelease(_ index: Int) {
        func make() -> Resolver {
            let holder = Locked<Holder?>(nil)
            let container = Kind.allCases[index].make {
                Shared { _ in
                    let releasing = BackgroundThread {
                        holder.withLock { $0 }?.release()
                        return true
                    }
                    return releasing.result() == true
                }
            }
            holder.withLock { $0 = Holder(container) }
            return container.resolve
        }
        let resolve = make()
        #expect(BackgroundThread { resolve(Bool.self) }.result() == true, "the two wait for each other")
    }

    @Test("while the parent builds, a child is released without waiting")
    func childOfBusyParent() {
        let parent = DIContainer {
            Shared(Diesel())
            Scoped(Ticket(number: 1))
        }
        func make() -> Holder {
            let child = parent.makeChild { Shared(1) }
            _ = (child.resolve(Int.self), child.resolve(Ticket.self))
            return Holder(child)
        }
        let holder = make()
        let isReleased = whileBuilding(in: parent) {
            holder.release()
            return true
        }
        #expect(isReleased == true)
    }

    @Test("releases a child's instances while the child looks up its parent's change")
    func duringLookup() {
        for round in 0..<100 {
            let released = Counter()
            func run() {
                let names = (0..<100).map { RegistrationName("\($0)") }
                let parent = DIContainer { for name in names { Scoped(Diesel(), name: name) } }
                func make() -> (Holder, Resolver) {
                    let child = parent.makeChild { Shared { resolve in Cyclic(resolve, released) } }
                    for name in names { _ = child.resolve(Diesel.self, name: name) }
                    _ = child.resolve(Cyclic.self)
                    return (Holder(child), child.resolve)
                }
                let (holder, resolve) = make()
                parent.register(New("changed"))
                _ = onThreads(2) { index in
                    if index == 0 {
                        _ = resolve(Int?.self)
                    } else {
                        for _ in 0..<(round % 50) * 20 { sched_yield() }
                        holder.release()
                    }
                }
            }
            run()
            #expect(eventually { released.count == 1 }, "round \(round)")
        }
    }
}

@Suite("Rule C8: Children build independently (releasing a container while a thread holds its queue)")
struct ReleasedCoreTests {
    @Test("The thread releases the instances when it leaves the queue", arguments: [false, true])
    func clearedAtTheEnd(_ isTried: Bool) throws {
        let container = DIContainer { Shared { Cyclic($0) } }
        weak let instance = try container.resolve.orThrow(Cyclic.self)
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
}

@Suite("Rule C8: Children build independently (instances released together follow the reverse order of construction)")
struct ReleaseOrderTests {
    /// The names of the users. There are so many that no table has them in this order by chance.
    private static let users = (0..<30).map { "user \($0)" }
    private static let releases = Array(users.reversed()) + ["connection"]

    /// Instances that resolve the connection without retaining it.
    private static func parts<T>(
        _ log: Log, _ form: (RegistrationName, @escaping @Sendable (Resolver) throws -> Logged) -> T
    ) -> [T] {
        let connection = form("connection") { _ in Logged("connection", log) }
        let users = users.map { name in
            form(RegistrationName(name)) { resolve in
                _ = try resolve.orThrow(Logged.self, name: "connection")
                return Logged(name, log)
            }
        }
        return users + [connection]
    }

    /// Builds the users in their order. The first user resolves the connection.
    private static func build(in container: DIContainer) {
        for name in users { _ = container.resolve(Logged.self, name: RegistrationName(name)) }
    }

    /// Returns a container that has built all its parts.
    private static func container(_ log: Log) -> DIContainer {
        let container = DIContainer {
            for part in parts(log, { name, make in Shared(name: name) { try make($0) } }) { part }
        }
        build(in: container)
        return container
    }

    /// Releases a container without other references, and returns the released instances.
    private static func releases(ofReleasing make: (Log) -> DIContainer) -> [String] {
        let log = Log()
        withExtendedLifetime(make(log)) {}
        return log.all
    }

    @Test("by releasing a container with many registrations added after the build")
    func releasedAfterGrowing() {
        let releases = Self.releases { log in
            let container = Self.container(log)
            container.register { for number in 0..<1_000 { New(number, name: RegistrationName("\(number)")) } }
            return container
        }
        #expect(releases == Self.releases)
    }

    @Test("by releasing a container while another one builds")
    func releasedWhileBuilding() throws {
        let log = Log()
        let container = Locked<DIContainer?>(Self.container(log))
        let other = DIContainer {
            Shared { _ in
                container.withLock { $0 = nil }
                return 1
            }
        }
        #expect(try other.resolve.orThrow(Int.self) == 1)
        #expect(log.all == Self.releases)
    }

    @Test("by releasing a child with instances of its parent's registrations")
    func releasedChild() {
        let releases = Self.releases { log in
            let parent = DIContainer {
                for part in Self.parts(log, { name, make in Scoped(name: name) { try make($0) } }) { part }
            }
            let child = parent.makeChild()
            Self.build(in: child)
            return child
        }
        #expect(releases == Self.releases)
    }

    @Test("by releasing a container with decorated instances")
    func releasedWithDecorated() {
        let releases = Self.releases { log in
            let parent = DIContainer {
                Scoped(name: "part") { _ in Logged("part", log) }
                Scoped(name: "last") { _ in Logged("last", log) }
            }
            parent.register { Decorate(Logged.self, name: "part") { _, _ in Logged("decorated", log) } }
            let child = parent.makeChild()
            _ = child.resolve(Logged.self, name: "part")
            _ = child.resolve(Logged.self, name: "last")
            return child
        }
        // The decorator doesn't retain the decorated instance.
        #expect(releases == ["part", "last", "decorated"])
    }

    @Test("by resetting a container", arguments: [true, false])
    func reset(_ keepsRegistrations: Bool) {
        let log = Log()
        let container = Self.container(log)
        if keepsRegistrations { container.resetInstances() } else { container.reset() }
        #expect(log.all == Self.releases)
    }
}
