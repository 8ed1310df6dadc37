import DependencyInjection
import Testing

/// Deprecated code may call other deprecated code, and the tests call it through a protocol.
private protocol Guessing {
    func container() -> DIContainer
    func ask(_ container: DIContainer, for number: Int) -> Ticket
    func unwrap(_ container: DIContainer) -> Car
    func askForImplementation(_ container: DIContainer) throws -> Diesel
    func optionals() -> [any RegistrationConvertible]
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

    @available(*, deprecated)
    func optionals() -> [any RegistrationConvertible] {
        [
            Shared(Ticket(number: 1) as Ticket?, name: "n", file: "Form.swift", line: 0),
            New(Ticket(number: 1) as Ticket?, name: "n", file: "Form.swift", line: 1),
        ]
    }
}

@Suite("Common first guesses", .timeLimit(.minutes(5)))
struct FirstGuessTests {
    private let guess: any Guessing = Guess()

    @Test("Arguments that follow the type without a label are handed over")
    func arguments() {
        #expect(guess.ask(guess.container(), for: 7) == Ticket(number: 7))
    }

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
                "remove the `!` after the request\n   or: request the other type: `resolve() as Diesel`"
            )
                == true)
    }

    @Test("Rules 4, 8: a registered Optional has a name and place, and resolves nothing")
    func optionals() {
        for (line, form) in guess.optionals().enumerated() {
            let registration = form.registrations[0]
            #expect(registration.type == Ticket?.self && registration.name == "n")
            #expect(registration.file == "Form.swift" && registration.line == UInt(line))
            #expect(DIContainer { Module(form) }.resolve(Ticket?.self, name: "n") == nil)
        }
    }
}
