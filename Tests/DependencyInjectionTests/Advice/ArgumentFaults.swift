import DependencyInjection
import Testing

private typealias Fix = Fault.Fix

/// Argument mismatches, and aliases whose instances don't conform.
enum ArgumentFaults {
    static let table = arguments + aliases

    private static let arguments: [Fault] = [
        Fault("An argument has another type", "The factory of Ticket takes (Int), but the request supplied (String).") {
            let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
            _ = try container.resolve.orThrow(Ticket.self, arguments: "one")
        } fixes: {
            Fix("pass arguments of the types (Int)") {
                let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
                #expect(container.resolve(Ticket.self, arguments: 1).number == 1)
            }
            Fix("inject a `Provider<Ticket, Int>`, and call it with these arguments") {
                let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
                @Inject(from: container) var makeTicket: Provider<Ticket, Int>
                #expect(makeTicket(1).number == 1)
            }
        },
        Fault("An argument is missing", "The factory of Voyage takes (Int), but the request supplied ().") {
            final class Log: Sendable { init(voyage: Voyage) {} }
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                New(autowiring: Voyage.init, arguments: Int.self)
                Shared(autowiring: Log.init)
            }
            _ = try container.resolve.orThrow(Log.self)
        } fixes: {
            Fix("pass arguments of the types (Int)") {
                final class Log: Sendable { init(voyage: Voyage) {} }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: Voyage.init, arguments: Int.self)
                    Shared { resolve in Log(voyage: resolve(Voyage.self, arguments: 7)) }
                }
                _ = try container.resolve.orThrow(Log.self)
            }
            Fix("inject a `Provider<Voyage, Int>`, and call it with these arguments") {
                final class Log: Sendable { init(voyage: Provider<Voyage, Int>) { #expect(voyage(7).number == 7) } }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: Voyage.init, arguments: Int.self)
                    Shared(autowiring: Log.init)
                }
                _ = try container.resolve.orThrow(Log.self)
            }
        },
        Fault("A factory without arguments gets one", "The factory of Ticket takes (), but the request supplied (Int).")
        {
            let container = DIContainer { New(Ticket(number: 1)) }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
        } fixes: {
            Fix("request it without arguments") {
                let container = DIContainer { New(Ticket(number: 1)) }
                _ = container.resolve(Ticket.self)
            }
        },
        Fault(
            "An asynchronous factory gets an argument of another type",
            "The factory of Ticket takes (Int), but the request supplied (String)."
        ) {
            let container = DIContainer { New(async: { (_, number: Int) in Ticket(number: number) }) }
            _ = try await container.resolve.async(Ticket.self, arguments: "one")
        } fixes: {
            Fix("pass arguments of the types (Int)") {
                let resolve = DIContainer { New(async: { (_, number: Int) in Ticket(number: number) }) }.resolve
                _ = try await resolve.async(Ticket.self, arguments: 1)
            }
        },
    ]

    private static let aliases: [Fault] = [
        Fault(
            "An alias does not conform",
            "Ticket is registered as any Engine, to which it does not conform."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("register an instance that conforms to any Engine") {
                struct Ticket: Engine { let kind = "ticket" }
                let container = DIContainer { Shared(Ticket(), as: (any Engine).self) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
            Fix("remove any Engine from `as:`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault("A target of an alias is unregistered", "Nothing is registered for Diesel.") {
            let container = DIContainer {
                Shared(Diesel(), as: (any Engine).self)
                Shared(Ticket(number: 1))
            }
            container.unregister(Diesel.self)
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("register Diesel") {
                let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                container.unregister(Diesel.self)
                container.register { Shared(Diesel() as Diesel) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
    ]
}
