import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Argument mismatches, and aliases whose instances don't conform.
extension Fault {
    static let argumentFaults = arguments + aliases

    private static let arguments: [Fault] = [
        Fault(
            "An argument has another type", "The factory of Ticket takes (Int), but the request supplied (String).",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: "one") },
            of: { New { (_, number: Int) in Ticket(number: number) } }
        ) {
            Fix(requesting: "pass arguments of the types (Int)") { try $0.resolve.orThrow(Ticket.self, arguments: 1) }
            Fix(requesting: "inject a `Provider<Ticket, Int>`, and call it with these arguments") { container in
                @Inject(from: container) var makeTicket: Provider<Ticket, Int>
                return makeTicket(1)
            }
        },
        Fault(
            "A factory without arguments gets one", "The factory of Ticket takes (), but the request supplied (Int).",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: 7) }, of: { New(Ticket(number: 1)) }
        ) {
            Fix(requesting: "request it without arguments") { try $0.resolve.orThrow(Ticket.self) }
        },
        Fault(
            "An asynchronous factory gets an argument of another type",
            "The factory of Ticket takes (Int), but the request supplied (String).",
            request: { try await $0.resolve.async(Ticket.self, arguments: "one") },
            of: { New(async: { (_, number: Int) in Ticket(number: number) }) }
        ) {
            Fix(requesting: "pass arguments of the types (Int)") {
                try await $0.resolve.async(Ticket.self, arguments: 1)
            }
        },
    ]

    private static let aliases: [Fault] = [
        Fault(
            requesting: (any Engine).self, "An alias does not conform",
            "Ticket is registered as any Engine, to which it does not conform.",
            finding: "Ticket is registered with any Engine in `as:`, and does not conform."
        ) {
            Shared(Ticket(number: 1), as: (any Engine).self)
        } fixes: {
            Fix(replacing: "register an instance that conforms to any Engine") {
                Shared(Diesel(), as: (any Engine).self)
            }
            Fix("remove any Engine from `as:`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
                #expect(findings(container).isEmpty)
            }
        },
        Fault(
            "Validation finds an alias whose target is unregistered",
            "Nothing is registered for Diesel, which any Engine needs.",
            text: { try only(aliasWithoutTarget).description }
        ) {
            Fix("register Diesel") {
                let container = aliasWithoutTarget
                container.register { Shared(Diesel() as Diesel) }
                #expect(findings(container).isEmpty)
            }
            Fix("unregister any Engine") {
                let container = aliasWithoutTarget
                container.unregister((any Engine).self)
                #expect(findings(container).isEmpty)
            }
        },
    ]

    /// A container with an alias whose target is unregistered.
    private static var aliasWithoutTarget: DIContainer {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Ticket(number: 1))
        }
        container.unregister(Diesel.self)
        return container
    }
}

// Dependency cycles.
extension Fault {
    static let cycleFaults: [Fault] = [
        Fault(
            requesting: Hen.self, "Two types depend on each other", "Circular dependency: Hen → Egg → Hen",
            finding: "Circular dependency: Hen → Egg → Hen"
        ) {
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        } fixes: {
            Fix("inject a `Provider<Hen>`, and call it after the initializer") {
                let container = DIContainer {
                    Shared(autowiring: Dependent<Provider<Vehicle>>.init)
                    Shared(autowiring: { (_: Dependent<Provider<Vehicle>>) in Vehicle() })
                }
                let vehicle = try container.resolve.orThrow(Vehicle.self)
                #expect(container.resolve(Dependent<Provider<Vehicle>>.self).dependency() === vehicle)
                #expect(findings(container).isEmpty)
            }
            Fix("inject Hen with `@LazyInject`, unless its owner has to be `Sendable`") {
                final class Egg { @LazyInject var hen: Dependent<Egg> }
                let container = DIContainer {
                    New(autowiring: Dependent<Egg>.init)
                    New(Egg())
                }
                _ = try container.resolve.orThrow(Dependent<Egg>.self)
                #expect(findings(container).isEmpty)
            }
        },
        Fault(
            "Two types with arguments depend on each other", "Circular dependency: Ticket → String → Ticket",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: 1) },
            of: {
                New { (resolve, number: Int) in
                    Ticket(number: try resolve.orThrow(String.self, arguments: number).count)
                }
                New { (resolve, number: Int) in "\(try resolve.orThrow(Ticket.self, arguments: number))" }
            }
        ) {
            Fix(replacing: "inject a `Provider<Ticket, Int>`, and call it after the initializer") {
                New(
                    autowiring: { (number: Int, _: Dependent<Provider<Ticket, Int>>) in Ticket(number: number) },
                    arguments: Int.self)
                New(autowiring: Dependent<Provider<Ticket, Int>>.init)
            }
        },
        Fault(
            requesting: (any Engine).self, "A factory resolves its own type",
            "Circular dependency: any Engine → any Engine"
        ) {
            Shared(Diesel() as any Engine)
            Shared { resolve in Diesel(kind: try resolve.orThrow((any Engine).self).kind) as any Engine }
        } fixes: {
            Fix(replacing: "register the inner instance under a name, and request it by that name") {
                Shared(Diesel() as any Engine, name: "inner")
                Shared { resolve in Diesel(kind: resolve((any Engine).self, name: "inner").kind) as any Engine }
            }
            Fix(replacing: "wrap the earlier registration with `Decorate`, if there is one") {
                Shared(Diesel() as any Engine)
                Decorate((any Engine).self) { base, resolve in Diesel(kind: base.kind) }
            }
        },
        Fault(
            "An asynchronous factory waits for its own type", "Circular dependency: Ticket → Ticket",
            request: { try await $0.resolve.async(Ticket.self) },
            of: { Shared(async: { resolve in Ticket(number: try await resolve.async(Ticket.self).number) }) }
        ) {
            Fix(replacing: "register the inner instance under a name, and request it by that name") {
                Shared(async: { _ in Ticket(number: 1) }, name: "inner")
                Shared(async: { resolve in
                    Ticket(number: try await resolve.async(Ticket.self, name: "inner").number)
                })
            }
        },
        Fault(
            "Two asynchronous factories wait for each other", "Circular dependency: Ticket → String → Ticket",
            request: { try await $0.resolve.async(Ticket.self) },
            of: {
                Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
                Shared(async: { resolve in "\(try await resolve.async(Ticket.self).number)" })
            }
        ) {
            Fix(replacing: "connect the instances after their initializers, in one factory") {
                Shared(async: { _ in Dependent(Ticket(number: 1)) })
                Shared(async: { resolve in try await resolve.async(Dependent<Ticket>.self).dependency })
            }
        },
        Fault(
            requesting: Ticket.self, "A shared instance and one of a graph depend on each other",
            "Circular dependency: Ticket → Int → Ticket"
        ) {
            Shared(autowiring: { (number: Int) in Ticket(number: number) })
            Graph(autowiring: { (ticket: Ticket) in ticket.number })
        } fixes: {
            Fix(replacing: "connect the instances after their initializers, in one factory") {
                Shared { _ in
                    let number = 1
                    return Ticket(number: number)
                }
            }
        },
        Fault(
            "A recursion does not end", "Circular dependency: Ticket → Ticket",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: 0) },
            of: {
                New { (resolve, depth: Int) in
                    Ticket(number: try resolve.orThrow(Ticket.self, arguments: depth + 1).number)
                }
            }
        ) {
            Fix(
                replacing: "end the recursion: a factory with arguments may resolve its own type at most 64 levels deep"
            ) {
                New { (resolve, depth: Int) in
                    Ticket(number: depth > 60 ? 1 : try resolve.orThrow(Ticket.self, arguments: depth + 1).number)
                }
            }
        },
    ]
}
