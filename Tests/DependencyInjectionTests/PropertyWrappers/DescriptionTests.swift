import DependencyInjection
import Testing

/// A screen whose wrappers the tests print.
private struct Screen {
    @LazyInject var engine: any Engine
    @MutableLazyInject var ticket: Ticket
}

@Suite("Descriptions of lazy wrappers")
struct DescriptionTests {
    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(Ticket(number: 7))
    }

    private var screen: Screen { DIContainer.withContainer(container) { Screen() } }

    @Test("A lazy wrapper prints that it is not resolved, and resolves nothing")
    func notResolved() {
        let screen = screen
        #expect(
            "\(screen)" == """
                Screen(_engine: not resolved, _ticket: not resolved)
                """)
        #expect(screen.$engine == nil && screen.$ticket == nil)
    }

    @Test("A lazy wrapper prints its value when it is resolved")
    func resolved() {
        let screen = screen
        _ = (screen.engine, screen.ticket)
        #expect("\(screen)".contains("_ticket: Ticket(number: 7)"))
    }

    @Test("A mutable lazy wrapper prints the value that was set")
    func wasSet() {
        var screen = screen
        screen.ticket = Ticket(number: 8)
        #expect("\(screen)".contains("_ticket: Ticket(number: 8)"))
    }
}
