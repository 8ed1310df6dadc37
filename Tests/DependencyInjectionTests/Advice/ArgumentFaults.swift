import DependencyInjection
import Testing

private typealias Fix = Fault.Fix

/// A protocol through which a test calls a deprecated form without a warning.
private protocol Unlabeling {
    func container() -> DIContainer
}

private struct Unlabeled: Unlabeling {
    @available(*, deprecated) func container() -> DIContainer { DIContainer { New(Cabin.init, as: AnyObject.self) } }
}

/// Argument mismatches, and aliases whose instances don't conform.
enum ArgumentFaults {
    static let table = arguments + tuples + aliases

    private static let arguments: [Fault] = [
        Fault("An argument has another type", "The factory of Ticket takes (Int), but the request supplied (String).") {
            let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
            _ = try container.resolve.orThrow(Ticket.self, arguments: "one")
        } fixes: {
            Fix("pass arguments of these types: `resolve(Ticket.self, arguments: …)`") {
                let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
                #expect(container.resolve(Ticket.self, arguments: 1).number == 1)
            }
            Fix("inject a `Provider<Ticket, Int>`, and call it with them") {
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
            Fix("inject a `Provider<Voyage, Int>`, and call it with them") {
                final class Log: Sendable { init(voyage: Provider<Voyage, Int>) { #expect(voyage(7).number == 7) } }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: Voyage.init, arguments: Int.self)
                    Shared(autowiring: Log.init)
                }
                _ = try container.resolve.orThrow(Log.self)
            }
            Fix("pass arguments of these types: `resolve(Voyage.self, arguments: …)`") {
                final class Log: Sendable { init(voyage: Voyage) {} }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: Voyage.init, arguments: Int.self)
                    Shared { resolve in Log(voyage: resolve(Voyage.self, arguments: 7)) }
                }
                _ = try container.resolve.orThrow(Log.self)
            }
        },
        Fault("A factory without arguments gets one", "The factory of Ticket takes (), but the request supplied (Int).")
        {
            let container = DIContainer { New(Ticket(number: 1)) }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
        } fixes: {
            Fix("request it without arguments: `resolve(Ticket.self)`") {
                let container = DIContainer { New(Ticket(number: 1)) }
                _ = container.resolve(Ticket.self)
            }
            Fix("register a factory with arguments: `New { (_, _: Int) in … as Ticket }`") {
                let container = DIContainer { New { (_, _: Int) in Ticket(number: 1) as Ticket } }
                _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
            }
        },
        Fault(
            "A request for another type becomes an argument",
            "The factory of Diesel takes (), but the request supplied (Engine.Protocol)."
        ) {
            let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
            _ = try container.resolve.orThrow(arguments: (any Engine).self) as Diesel
        } fixes: {
            Fix("remove the `!` after the request", removing: ["!"]) {
                let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                _ = container.resolve((any Engine).self)
            }
            Fix("request the other type: `resolve() as Diesel`") {
                let resolve = DIContainer { Shared(Diesel(), as: (any Engine).self) }.resolve
                _ = resolve() as Diesel
            }
        },
        Fault(
            "A factory with a closure parameter gets the closure's result",
            "The factory of Ticket takes (@Sendable () -> Int), but the request supplied (Int)."
        ) {
            let f: @Sendable () -> Int = { 7 }
            let container = DIContainer { New { (_, make: @escaping @Sendable () -> Int) in Ticket(number: make()) } }
            _ = try container.resolve.orThrow(Ticket.self, arguments: f)
        } fixes: {
            Fix("pass arguments of these types: `resolve(Ticket.self, arguments: …)`") {
                let f: @Sendable () -> Int = { 7 }
                let container = DIContainer {
                    New { (_, make: @escaping @Sendable () -> Int) in Ticket(number: make()) }
                }
                #expect(container.resolve(Ticket.self, arguments: { f }).number == 7)
            }
            Fix("inject a `Provider<Ticket, @Sendable () -> Int>`, and call it with them") {
                let container = DIContainer {
                    New { (_, make: @escaping @Sendable () -> Int) in Ticket(number: make()) }
                }
                @Inject(from: container) var makeTicket: Provider<Ticket, @Sendable () -> Int>
                #expect(makeTicket({ 7 }).number == 7)
            }
            Fix("pass a closure `f` as `arguments: { f }`, because `arguments: f` calls it", removing: ["arguments: f"])
            {
                let f: @Sendable () -> Int = { 7 }
                let container = DIContainer {
                    New { (_, make: @escaping @Sendable () -> Int) in Ticket(number: make()) }
                }
                #expect(container.resolve(Ticket.self, arguments: { f }).number == 7)
            }
        },
        Fault(
            "An asynchronous factory gets an argument of another type",
            "The factory of Ticket takes (Int), but the request supplied (String)."
        ) {
            let container = DIContainer { New(async: { (_, number: Int) in Ticket(number: number) }) }
            _ = try await container.resolve.async(Ticket.self, arguments: "one")
        } fixes: {
            Fix("pass arguments of these types: `try await resolve.async(Ticket.self, arguments: …)`") {
                let resolve = DIContainer { New(async: { (_, number: Int) in Ticket(number: number) }) }.resolve
                _ = try await resolve.async(Ticket.self, arguments: 1)
            }
        },
    ]

    private static let tuples: [Fault] = [
        Fault(
            "Two arguments are passed as a tuple",
            "The factory of Ticket takes (Int, Bool), but the request supplied ((Int, Bool))."
        ) {
            let container = DIContainer { New { (_, number: Int, isLast: Bool) in Ticket(number: number) } }
            _ = try container.resolve.orThrow(Ticket.self, arguments: (1, true))
        } fixes: {
            Fix("pass the elements of the tuple one by one: `resolve(Ticket.self, arguments: …, …)`") {
                let container = DIContainer { New { (_, number: Int, isLast: Bool) in Ticket(number: number) } }
                _ = container.resolve(Ticket.self, arguments: 1, true)
            }
        },
        Fault(
            "A tuple is passed as two arguments",
            "The factory of Ticket takes ((Int, Bool)), but the request supplied (Int, Bool)."
        ) {
            let container = DIContainer { New { (_, pair: (Int, Bool)) in Ticket(number: pair.0) } }
            _ = try container.resolve.orThrow(Ticket.self) { (1, true) }
        } fixes: {
            Fix("pass the tuple as one argument: `resolve(Ticket.self, arguments: (…))`") {
                let container = DIContainer { New { (_, pair: (Int, Bool)) in Ticket(number: pair.0) } }
                _ = container.resolve(Ticket.self, arguments: (1, true))
            }
        },
    ]

    private static let aliases: [Fault] = [
        Fault(
            "An alias does not conform",
            "any Engine is an alias of an instance of Ticket, which does not conform to it."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("make Ticket conform to any Engine") {
                struct Ticket: Engine { let kind = "ticket" }
                let container = DIContainer { Shared(Ticket(), as: (any Engine).self) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
            Fix("remove any Engine from `as:`", removing: ["as:"]) {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "An initializer with parameters has aliases and no label",
            "Nothing is registered for Cabin."
        ) {
            _ = try (Unlabeled() as any Unlabeling).container().resolve.orThrow(Cabin.self)
        } fixes: {
            Fix("register the result of the function: `New(autowiring: …)`") {
                let container = DIContainer {
                    New(mainActor: Cockpit())
                    New(autowiring: Cabin.init, as: AnyObject.self)
                }
                try await MainActor.run { _ = try container.resolve.orThrow(Cabin.self) }
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
            Fix("register it: `container.register { Shared(… as Diesel) }`") {
                let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                container.unregister(Diesel.self)
                container.register { Shared(Diesel() as Diesel) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
    ]
}
