import DependencyInjection
import Testing

@Suite("Optional resolution")
struct OptionalTests {
    @Test("Rule 8: an Optional is nil if its type is not registered, and the instance if it is")
    func optional() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            New(Ticket(number: 1))
        }
        let engine: (any Engine)? = container.resolve()
        #expect(isSame(engine!, container.resolve(Diesel.self)))
        #expect(container.resolve(Ticket?.self)?.number == 1)
        #expect(container.resolve((any Starter)?.self) == nil)
        #expect(container.resolve(Ticket?.self, name: "other") == nil)
        #expect(container.resolve(Ticket??.self) == .some(.some(Ticket(number: 1))))
        #expect(container.resolve(Int??.self) == .some(.none))
    }

    @Test("Rule 8: an Optional whose registered type fails is an error")
    func optionalThatFails() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared { _ -> Ticket in throw Sabotage() }
        }
        let missing = try #require(failure { _ = try container.resolve.orThrow(Car?.self) })
        #expect(missing.kind == "notRegistered")
        #expect(missing.key == "any Engine")
        let failing = try #require(failure { _ = try container.resolve.orThrow(Ticket?.self) })
        #expect(failing.kind == "factoryFailed")
    }

    @Test("Rule 8: a registration of an Optional type does not answer a request for the Optional")
    func registeredOptional() throws {
        let container = DIContainer {
            Shared { _ in Ticket(number: 1) as Ticket? }
            New { _ in Diesel() as Diesel? }
        }
        #expect(container.resolve(Ticket?.self) == nil)
        #expect(container.resolve(Diesel?.self) == nil)
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self) }?.kind == "notRegistered")
        container.register(Shared(Ticket(number: 2)))
        #expect(container.resolve(Ticket?.self)?.number == 2)
    }

    @Test("Rule 8: an Optional that is asked for in generic code is one all the same")
    func generic() {
        func ask<T>(_ type: T.Type, _ container: DIContainer) -> T { container.resolve() }
        let container = DIContainer { Shared(Ticket(number: 1)) }
        #expect(ask(Ticket?.self, container)?.number == 1)
        #expect(ask(Int?.self, container) == nil)
    }

    @Test(
        "Rule 8: an Optional provider is one of what is asked for, by type and name, and nil if that is not registered")
    func namedOptionalProvider() {
        let container = DIContainer {
            New(name: "main") { _, number in Ticket(number: number) }
            New(Diesel())
        }
        #expect(container.resolve(Provider<Diesel>?.self)?().kind == "diesel")
        #expect(container.resolve(Provider<Ticket, Int>?.self, name: "main")?(9).number == 9)
        #expect(container.resolve(Provider<Ticket, Int>?.self) == nil)
        #expect(container.resolve(Provider<Ticket, Int>?.self, name: "other") == nil)
        #expect(container.resolve(Provider<Diesel>?.self, name: "main") == nil)
    }
}
