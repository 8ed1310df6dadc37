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
            Fix("request it without arguments", resolving: Ticket.self) { New(Ticket(number: 1)) }
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
        .request(
            (any Engine).self, "An alias does not conform",
            "Ticket is registered as any Engine, to which it does not conform.",
            finding: "Ticket is registered with any Engine in `as:`, and does not conform."
        ) {
            Shared(Ticket(number: 1), as: (any Engine).self)
        } fixes: {
            Fix("register an instance that conforms to any Engine") {
                struct Ticket: Engine { let kind = "ticket" }
                let container = DIContainer { Shared(Ticket(), as: (any Engine).self) }
                _ = try container.resolve.orThrow((any Engine).self)
                try expectNoFinding(in: container)
            }
            Fix("remove any Engine from `as:`", resolving: Ticket.self) { Shared(Ticket(number: 1)) }
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

/// Dependency cycles.
enum CycleFaults {
    static let table: [Fault] = [
        .request(
            Cock.self, "Two types depend on each other", "Circular dependency: Cock → Pullet → Cock",
            finding: "Circular dependency: Cock → Pullet → Cock"
        ) {
            Shared(autowiring: Cock.init)
            Shared(autowiring: Pullet.init)
        } fixes: {
            Fix("inject a `Provider<Cock>`, and call it after the initializer") {
                final class Pullet: Sendable {
                    let cock: Provider<Cock>
                    init(_ cock: Provider<Cock>) { self.cock = cock }
                }
                final class Cock: Sendable { init(_ pullet: Pullet) {} }
                let container = DIContainer {
                    Shared(autowiring: Cock.init)
                    Shared(autowiring: Pullet.init)
                }
                let cock = try container.resolve.orThrow(Cock.self)
                #expect(container.resolve(Pullet.self).cock() === cock)
                try expectNoFinding(in: container)
            }
            Fix("inject Cock with `@LazyInject`, unless its owner has to be `Sendable`") {
                final class Pullet { @LazyInject var cock: Cock }
                final class Cock { init(_ pullet: Pullet) {} }
                let container = DIContainer {
                    New(autowiring: Cock.init)
                    New(Pullet())
                }
                _ = try container.resolve.orThrow(Cock.self)
                try expectNoFinding(in: container)
            }
        },
        Fault("Two types with arguments depend on each other", "Circular dependency: Ticket → String → Ticket") {
            let container = DIContainer {
                New { (resolve, number: Int) in
                    Ticket(number: try resolve.orThrow(String.self, arguments: number).count)
                }
                New { (resolve, number: Int) in "\(try resolve.orThrow(Ticket.self, arguments: number))" }
            }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 1)
        } fixes: {
            Fix("inject a `Provider<Ticket, Int>`, and call it after the initializer") {
                struct Text: Sendable {
                    let number: Int
                    let ticket: Provider<Ticket, Int>
                }
                let container = DIContainer {
                    New { (resolve, number: Int) in
                        Ticket(number: try resolve.orThrow(Text.self, arguments: number).number)
                    }
                    New(autowiring: Text.init, arguments: Int.self)
                }
                let text = try container.resolve.orThrow(Text.self, arguments: 3)
                #expect(text.ticket(3).number == 3)
            }
        },
        .request((any Engine).self, "A factory resolves its own type", "Circular dependency: any Engine → any Engine") {
            Shared(Diesel() as any Engine)
            Shared { resolve in Diesel(kind: try resolve.orThrow((any Engine).self).kind) as any Engine }
        } fixes: {
            Fix("register the inner instance under a name, and request it by that name", resolving: (any Engine).self) {
                Shared(Diesel() as any Engine, name: "inner")
                Shared { resolve in Diesel(kind: resolve((any Engine).self, name: "inner").kind) as any Engine }
            }
            Fix("wrap the earlier registration with `Decorate`, if there is one", resolving: (any Engine).self) {
                Shared(Diesel() as any Engine)
                Decorate((any Engine).self) { base, resolve in Diesel(kind: base.kind) }
            }
        },
        Fault("An asynchronous factory waits for its own type", "Circular dependency: Ticket → Ticket") {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(Ticket.self).number) })
            }
            _ = try await container.resolve.async(Ticket.self)
        } fixes: {
            Fix("register the inner instance under a name, and request it by that name") {
                let container = DIContainer {
                    Shared(async: { _ in Ticket(number: 1) }, name: "inner")
                    Shared(async: { resolve in
                        Ticket(number: try await resolve.async(Ticket.self, name: "inner").number)
                    })
                }
                _ = try await container.resolve.async(Ticket.self)
            }
        },
        Fault("Two asynchronous factories wait for each other", "Circular dependency: Ticket → String → Ticket") {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
                Shared(async: { resolve in "\(try await resolve.async(Ticket.self).number)" })
            }
            _ = try await container.resolve.async(Ticket.self)
        } fixes: {
            Fix("connect the instances after their initializers, in one factory") {
                struct Text: Sendable { let ticket: Ticket }
                let container = DIContainer {
                    Shared(async: { _ in
                        let ticket = Ticket(number: 1)
                        return Text(ticket: ticket)
                    })
                    Shared(async: { resolve in try await resolve.async(Text.self).ticket })
                }
                try await container.prepare()
                #expect(container.resolve(Ticket.self).number == 1)
            }
        },
        .request(
            Turn.self, "Two instances of a graph depend on each other", "Circular dependency: Turn → Partner → Turn"
        ) {
            Graph { resolve in Turn(partner: try resolve.orThrow()) }
            Graph { resolve in
                _ = try resolve.orThrow(Turn.self); return Partner()
            }
        } fixes: {
            Fix("connect the instances after their initializers, in one factory") {
                final class C: @unchecked Sendable { let d: D; init(d: D) { self.d = d } }
                final class D: @unchecked Sendable { weak var c: C? }
                let container = DIContainer {
                    // swift-format-ignore
                    Graph { resolve in let c = C(d: resolve()); c.d.c = c; return c }
                    Graph(D())
                }
                let c = try container.resolve.orThrow(C.self)
                #expect(c.d.c === c)
            }
        },
        Fault(
            "A recursion does not end",
            "Circular dependency: Bough → Bough"
        ) {
            let container = DIContainer {
                New { (resolve, depth: Int) in Bough(twigs: try resolve.orThrow(Bough.self, arguments: depth + 1).twigs)
                }
            }
            _ = try container.resolve.orThrow(Bough.self, arguments: 0)
        } fixes: {
            Fix("end the recursion: a factory with arguments may resolve its own type at most 64 levels deep") {
                let container = DIContainer {
                    New { (resolve, depth: Int) in
                        Bough(twigs: depth > 60 ? 1 : try resolve.orThrow(Bough.self, arguments: depth + 1).twigs)
                    }
                }
                _ = try container.resolve.orThrow(Bough.self, arguments: 0)
            }
        },
    ]
}
