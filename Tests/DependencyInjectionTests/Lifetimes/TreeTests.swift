import DependencyInjection
import Testing

@Suite("Container trees", .serialized, .mayHang, .ownThread)
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

    @Test("Rule C8: a Scoped has one instance per container, built with its resolver")
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
        for container in [parent, child, grandchild] {
            let engine = try container.resolve.orThrow((any Engine).self)
            #expect(try isSame(engine, container.resolve.orThrow(Diesel.self)))
            #expect(try isSame(engine, container.resolve.orThrow((any Engine).self)))
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

    @Test("Rule C8: a released child releases its instances, and nothing retains it")
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

    @Test("Rule C8: a child retains its parent's instances")
    func retainsParent() throws {
        var parent: DIContainer? = DIContainer { Shared(Diesel()) }
        let child = parent!.makeChild()
        weak let instance = try parent!.resolve.orThrow(Diesel.self)
        parent = nil
        #expect(try instance != nil && instance === child.resolve.orThrow(Diesel.self))
    }

    @Test("Rule C8: two thousand released children leak no instance and no container")
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

    @Test("Rule C8: two children build in parallel without waiting for one another")
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

    @Test("Rule C8: threads that race for a child's Scoped get one instance")
    func race() {
        let built = Counter()
        let parent = DIContainer {
            Scoped(as: (any Engine).self) { _ in
                built.increment()
                return Diesel()
            }
        }
        for round in 1...raceRounds {
            let child = parent.makeChild()
            let instances = onThreads(raceThreads) { index in
                index % 2 == 0 ? child.resolve(Diesel.self) : child.resolve((any Engine).self) as! Diesel
            }
            let isOne = instances.allSatisfy { $0 === instances[0] }
            #expect(isOne && built.count == round)
        }
    }
}
