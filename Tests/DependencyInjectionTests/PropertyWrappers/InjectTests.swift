import DependencyInjection
import Testing

@Suite("@Inject and @MutableInject")
struct InjectTests {
    struct Screen {
        @Inject var engine: any Engine
        @Inject(name: "spare") var spare: any Engine
        @Inject var missing: (any Starter)?
        @MutableInject var ticket: Ticket
        @MutableInject(name: "second") var second: Ticket
        @MutableInject var given: Ticket = Ticket(number: 9)
    }

    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(Diesel(kind: "spare") as any Engine, name: "spare")
        New(Ticket(number: 1))
        New(Ticket(number: 2), name: "second")
    }

    @Test("resolve at the owner's creation by type and name, and are nil if unregistered")
    func resolves() {
        let screen = DIContainer.withContainer(container) { Screen() }
        container.reset()
        #expect(screen.engine.kind == "diesel")
        #expect(screen.spare.kind == "spare")
        #expect(screen.missing == nil)
        #expect(screen.ticket.number == 1 && screen.second.number == 2 && screen.given.number == 9)
    }

    @Test("@MutableInject is settable, separately for each copy")
    func mutable() {
        let first = DIContainer.withContainer(container) { Screen() }
        var second = first
        second.ticket = Ticket(number: 5)
        #expect(first.ticket.number == 1)
        #expect(second.ticket.number == 5)
    }

    @Test("Rule C5: the wrappers are Sendable if their value is")
    func sendable() {
        func requireSendable<T: Sendable>(_ type: T.Type) {}
        requireSendable(Inject<Ticket>.self)
        requireSendable(MutableInject<Ticket>.self)
        requireSendable(LazyInject<Ticket>.self)
        requireSendable(MutableLazyInject<Ticket>.self)
    }

    @Test("Rule 14: every wrapper accepts a name, a container, or both")
    func nameAndContainer() {
        func numbered(_ number: Int) -> DIContainer {
            DIContainer {
                New(Ticket(number: number))
                New(Ticket(number: number + 1), name: "named")
            }
        }
        let other = numbered(10)
        DIContainer.withContainer(numbered(20)) {
            @Inject(name: "named") var first: Ticket
            @MutableInject(name: "named") var second: Ticket
            @LazyInject(name: "named") var third: Ticket
            @MutableLazyInject(name: "named") var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [21, 21, 21, 21])
        }
        DIContainer.withContainer(numbered(30)) {
            @Inject(from: other) var first: Ticket
            @MutableInject(from: other) var second: Ticket
            @LazyInject(from: other) var third: Ticket
            @MutableLazyInject(from: other) var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [10, 10, 10, 10])
        }
        DIContainer.withContainer(numbered(40)) {
            @Inject(from: other, name: "named") var first: Ticket
            @MutableInject(from: other, name: "named") var second: Ticket
            @LazyInject(from: other, name: "named") var third: Ticket
            @MutableLazyInject(from: other, name: "named") var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [11, 11, 11, 11])
        }
    }
}
