import DependencyInjection
import Testing

@Suite("Rule 14: Providers and lazy wrappers remember their container")
struct ProviderTests {
    struct List {
        @Inject var make: Provider<Ticket, Int>
    }

    @Test("A provider resolves from the container that it was injected from")
    func container() {
        let first = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
        let second = DIContainer { New { (_, number: Int) in Ticket(number: -number) } }
        let list = DIContainer.withContainer(first) { List() }
        DIContainer.withContainer(second) {
            #expect(list.make(1).number == 1)
            #expect(List().make(1).number == -1)
        }
    }

    @Test("A provider outlives the scope and the container that it came from")
    func outlives() async {
        let list = DIContainer.withContainer(
            DIContainer {
                New { (resolve, number: Int) in Ticket(number: number + resolve(Int.self)) }
                Shared(100)
            }
        ) { List() }
        let number = await Task.detached { [make = list.make] in make(1).number }.value
        #expect(number == 101)
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

    @Test("A manually created provider uses the container that was current")
    func byHand() {
        let container = DIContainer { New(Ticket(number: 8), name: "eight") }
        let provider = DIContainer.withContainer(container) { Provider<Ticket>(name: "eight") }
        #expect(provider().number == 8)
    }
}
