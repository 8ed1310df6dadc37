import DependencyInjection
import Testing

/// What is deprecated may be written in what is deprecated, and called through a protocol.
private protocol Guessing {
    func container() -> DIContainer
    func ask(_ container: DIContainer, for number: Int) -> Ticket
    func unwrap(_ container: DIContainer) -> Car
    func askForImplementation(_ container: DIContainer) throws -> Diesel
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

    @available(*, deprecated)
    func unwrap(_ container: DIContainer) -> Car { container.resolve(Car.self)! }

    @available(*, deprecated)
    func askForImplementation(_ container: DIContainer) throws -> Diesel {
        try container.resolve.orThrow((any Engine).self)
    }
}

@Suite("What is written first")
struct FirstGuessTests {
    private let guess: any Guessing = Guess()

    @Test("Arguments that follow the type without a label are handed over")
    func arguments() {
        #expect(guess.ask(guess.container(), for: 7) == Ticket(number: 7))
    }
<<<<<<< HEAD

    @Test("A type with '!' is resolved, and one for another type is an argument")
    func typeAlone() {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        }
        #expect(guess.unwrap(container).engine is Diesel)
        let error = failure { _ = try guess.askForImplementation(container) }
        #expect(
            error?.description.hasSuffix(
                "leave out the `!`, or write `resolve() as Diesel`: where another type is wanted, a type is an argument."
            )
                == true)
    }

    @Test("An initializer that takes parameters and is registered as it is leads to autowiring")
    func initializer() throws {
        let container = guess.container()
        for error in [
            failure { _ = try container.resolve.orThrow(Car.self) },
            failure { _ = try container.resolve.orThrow((any Starter).self) },
        ] {
            let error = try #require(error)
            #expect(error.kind == "factoryFailed")
            #expect(error.description.contains("it is registered without `autowiring:`, and takes parameters"))
        }
    }
=======
>>>>>>> h42t
}
