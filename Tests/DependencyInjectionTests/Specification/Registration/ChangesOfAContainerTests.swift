import DependencyInjection
import Testing

@Suite("Rule 3: A container can be inspected, emptied and sealed")
struct RegistrationTests {
    @Test("Rule 1: the last registration wins, and only other code retains an overridden instance")
    func lastWins() throws {
        let container = DIContainer {
            Shared(Diesel(kind: "zeroth"))
            Shared(Diesel(kind: "first"), as: (any Engine).self)
        }
        weak let first = try container.resolve.orThrow(Diesel.self)
        #expect(try container.resolve.orThrow((any Engine).self).kind == "first")
        #expect(first != nil)
        container.register(Shared(Diesel(kind: "second")))
        #expect(first == nil)
        #expect(try container.resolve.orThrow((any Engine).self).kind == "second")
        var held: Diesel? = try container.resolve.orThrow()
        weak let second = held
        container.register(New(Diesel(kind: "third")))
        #expect(second?.kind == "second")
        held = nil
        #expect(second == nil)
        #expect(try container.resolve.orThrow((any Engine).self).kind == "third")
        #expect(try !isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow((any Engine).self)))
    }

    @Test("IsRegistered distinguishes types and names")
    func isRegistered() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            New(Ticket(number: 1), name: "first")
        }
        #expect(container.isRegistered(Diesel.self))
        #expect(container.isRegistered((any Engine).self))
        #expect(!container.isRegistered((any Starter).self))
        #expect(container.isRegistered(Ticket.self, name: "first"))
        #expect(!container.isRegistered(Ticket.self))
        #expect(!container.isRegistered(Diesel.self, name: "first"))
    }

    @Test("Unregister removes a registration and its instance, and nothing else. Reset removes all")
    func unregisterAndReset() throws {
        let container = DIContainer {
            Shared(Diesel())
            Shared(Ticket(number: 1))
            Shared(Ticket(number: 2), name: "second")
            Shared(Tuned(Diesel()), as: (any Engine).self)
        }
        weak let diesel = try container.resolve.orThrow(Diesel.self)
        container.unregister(Diesel.self)
        #expect(diesel == nil)
        #expect(!container.isRegistered(Diesel.self))
        container.unregister(Ticket.self)
        #expect(try container.resolve.orThrow(Ticket.self, name: "second").number == 2)
        container.unregister(Ticket.self)
        container.register(Shared(Diesel(kind: "new")))
        #expect(try container.resolve.orThrow(Diesel.self).kind == "new")

        weak let tuned = try container.resolve.orThrow((any Engine).self) as? Tuned
        container.reset()
        #expect(tuned == nil)
        #expect(!container.isRegistered(Tuned.self) && !container.isRegistered((any Engine).self))
        #expect(!container.isRegistered(Ticket.self, name: "second"))
        container.register(Shared(Diesel(kind: "newest") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "newest")
    }

    @Test("ResetInstances releases own instances and leaves registrations")
    func resetInstances() throws {
        let built = Counter()
        let parent = DIContainer { Shared(Diesel(), name: "parent's") }
        let container = parent.makeChild {
            Shared { _ in built.counting(Diesel()) }
            Weak(Diesel(), name: "weak")
            Shared(Ticket(number: 3), as: (any Equatable).self)
        }
        weak let old = try container.resolve.orThrow(Diesel.self)
        let held = try container.resolve.orThrow(Diesel.self, name: "weak")
        let inherited = try container.resolve.orThrow(Diesel.self, name: "parent's")
        _ = try container.resolve.orThrow((any Equatable).self)
        container.resetInstances()
        #expect(old == nil)
        #expect(try container.resolve.orThrow(Diesel.self, name: "weak") !== held)
        #expect(try container.resolve.orThrow(Diesel.self, name: "parent's") === inherited)
        _ = try container.resolve.orThrow(Diesel.self)
        #expect(built.count == 2)
        #expect(try container.resolve.orThrow((any Equatable).self) as? Ticket == Ticket(number: 3))
    }

    @Test("A sealed container can have children, and forks that can be changed")
    func sealed() throws {
        let container = DIContainer { Shared(Ticket(number: 1)) }
        container.seal()
        #expect(try container.makeChild { Shared(Ticket(number: 2)) }.resolve.orThrow(Ticket.self).number == 2)
        let fork = container.fork { Shared(Ticket(number: 3)) }
        fork.register(Shared(Ticket(number: 4)))
        #expect(try fork.resolve.orThrow(Ticket.self).number == 4)
    }
}
