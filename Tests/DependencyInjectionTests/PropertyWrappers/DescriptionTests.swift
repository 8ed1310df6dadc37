import DependencyInjection
import Testing

/// A screen whose wrappers the tests print.
private struct Screen {
    @LazyInject var engine: any Engine
    @MutableLazyInject var ticket: Ticket
    @Inject var makeTicket: Provider<Ticket, Int>
    @Inject(name: "main") var makeEngine: Provider<any Engine>
}

@Suite("Descriptions of wrappers and providers")
struct DescriptionTests {
    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(Ticket(number: 7))
    }

    private var screen: Screen { DIContainer.withContainer(container) { Screen() } }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test("A lazy wrapper prints that it is not resolved, and resolves nothing")
    func notResolved() {
        let screen = screen
        #expect(
            "\(screen)" == """
                Screen(_engine: not resolved, _ticket: not resolved, _makeTicket: Provider<Ticket, Int>, \
                _makeEngine: Provider<Engine> named "main")
                """)
        #expect(screen.$engine == nil && screen.$ticket == nil)
        #expect(dumped(screen).contains("_engine: not resolved\n"))
        #expect(!dumped(screen).contains("storage") && !dumped(screen).contains("resolver"))
        #expect(screen.$engine == nil)
    }

    @Test("A lazy wrapper prints its value when it is resolved")
    func resolved() {
        let screen = screen
        _ = (screen.engine, screen.ticket)
        #expect("\(screen)".contains("_ticket: Ticket(number: 7)"))
        #expect(dumped(screen).contains("_ticket: Ticket(number: 7)\n    - number: 7\n"))
        #expect(dumped(screen).contains("- kind: \"diesel\"\n"))
        #expect(!dumped(screen).contains("storage"))
    }

    @Test("A mutable lazy wrapper prints the value that was set")
    func wasSet() {
        var screen = screen
        screen.ticket = Ticket(number: 8)
        #expect("\(screen)".contains("_ticket: Ticket(number: 8)"))
    }

    @Test("An eager wrapper prints its value")
    func eager() {
        // Plain: the wrappers are described.
        @Inject(from: container) var ticket: Ticket
        @MutableInject(from: container) var other: Ticket  // Plain: as above.
        #expect("\(_ticket)" == "Ticket(number: 7)" && "\(_other)" == "Ticket(number: 7)")
        #expect(dumped(_ticket).hasSuffix("Ticket(number: 7)\n  - number: 7\n"))
        #expect(dumped(_other).hasSuffix("Ticket(number: 7)\n  - number: 7\n"))
    }

    @Test("A provider prints its type and its name")
    func providers() {
        #expect("\(screen.makeTicket)" == "Provider<Ticket, Int>")
        #expect("\(screen.makeEngine)" == "Provider<Engine> named \"main\"")
        #expect(dumped(screen.makeTicket) == "- Provider<Ticket, Int>\n")
    }
}
