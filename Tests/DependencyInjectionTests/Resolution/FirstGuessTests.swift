import DependencyInjection
import Testing

/// What is deprecated may be written in what is deprecated, and called through a protocol.
private protocol Guessing {
    func container() -> DIContainer
    func ask(_ container: DIContainer, for number: Int) -> Ticket
}

private struct Guess: Guessing {
    @available(*, deprecated)
    func container() -> DIContainer {
        DIContainer {
            New { _, number in Ticket(number: number) }
            New({ _, number, factor in Ticket(number: number * factor) }, name: "product")
        }
    }

    @available(*, deprecated)
    func ask(_ container: DIContainer, for number: Int) -> Ticket {
        let inferred: Ticket = container.resolve(Ticket.self, number)
        #expect(inferred == container.resolve(Ticket.self, number))
        #expect(container.resolve(Ticket.self, number, 2, name: "product") == Ticket(number: number * 2))
        return inferred
    }
}

@Suite("What is written first")
struct FirstGuessTests {
    private let guess: any Guessing = Guess()

    @Test("Arguments that follow the type without a label are handed over")
    func arguments() {
        #expect(guess.ask(guess.container(), for: 7) == Ticket(number: 7))
    }
}
