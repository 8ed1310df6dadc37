import DependencyInjection
import Testing

@Suite("Rule 14: Providers and lazy wrappers remember their container")
struct ProviderTests {
    @Test("A provider passes its arguments, and outlives the container that it was injected from")
    func outlives() {
        let container = DIContainer {
            New { (resolve, number: Int) in Ticket(number: number + resolve(Int.self)) }
            Shared(100)
        }
        // The fork is released at the end of its scope.
        let wrapper = DIContainer.withContainer(container.fork()) { Inject<Provider<Ticket, Int>>() }
        #expect(wrapper.wrappedValue(1).number == 101)
    }

    @Test("A provider follows a later registration")
    func laterRegistration() throws {
        let container = DIContainer { New(Ticket(number: 1)) }
        let provider: Provider<Ticket> = try container.resolve.orThrow()
        #expect(provider().number == 1)
        container.register(New(Ticket(number: 2)))
        #expect(provider().number == 2)
        container.unregister(Ticket.self)
        #expect(failure { _ = try provider.orThrow() }?.kind == "notRegistered")
    }

    @Test("A manually created provider has the name that it was given")
    func byHand() {
        let container = DIContainer { New(Ticket(number: 8), name: "eight") }
        let provider = DIContainer.withContainer(container) { Provider<Ticket>(name: "eight") }
        #expect(provider().number == 8)
    }
}
