import DependencyInjection
import Testing

/// Calls deprecated functions without warnings, because it is deprecated itself. The tests call it through a protocol.
private protocol Guessing {
    func container() -> DIContainer
    func ask(_ container: DIContainer, for number: Int) -> Ticket
    func unwrap(_ container: DIContainer) -> Car
    func askForImplementation(_ container: DIContainer) throws -> Diesel
    func typesInPlaceOfArguments(_ container: DIContainer) throws -> [String]
    func typeInPlaceOfArgument(_ container: DIContainer) throws -> String
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
    func typesInPlaceOfArguments(_ container: DIContainer) throws -> [String] {
        [
            container.resolve(Int.self), container.resolve(Int.self, name: "n"),
            try container.resolve.orThrow(Int.self), try container.resolve.orThrow(Int.self, name: "n"),
        ]
    }

    @available(*, deprecated)
    func typeInPlaceOfArgument(_ container: DIContainer) throws -> String {
        try container.resolve.orThrow(Int.self, file: "Guess.swift", line: 7)
    }

    @available(*, deprecated)
    func optionals() -> [any RegistrationConvertible] {
        [
            Shared(Ticket(number: 1) as Ticket?, name: "n", file: "Form.swift", line: 0),
            New(Ticket(number: 1) as Ticket?, name: "n", file: "Form.swift", line: 1),
        ]
    }
}

@Suite("Common first guesses")
struct FirstGuessTests {
    private let guess: any Guessing = Guess()

    @Test("Arguments that follow the type without a label are passed on")
    func arguments() {
        #expect(guess.ask(guess.container(), for: 7) == Ticket(number: 7))
    }

    @Test("A type with '!' is resolved, and gets advice in a request for another type")
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

    @Test("A type in place of an argument is passed on with the name and the place")
    func typesInPlaceOfArguments() throws {
        let container = DIContainer {
            New { (_: Resolver, type: any Any.Type) in "\(type)" }
            New(name: "n") { (_: Resolver, type: any Any.Type) in "\(type), named" }
        }
        #expect(try guess.typesInPlaceOfArguments(container) == ["Int", "Int, named", "Int", "Int, named"])
        let error = failure { _ = try guess.typeInPlaceOfArgument(DIContainer()) }
        #expect(error?.description.contains("requested at Guess.swift:7") == true)
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
