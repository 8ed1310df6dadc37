import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private typealias Fix = Fault.Fix

/// Faults that validation finds. A program that follows the fix has no findings.
enum FindingFaults {
    static let table = registrations + dependencies + builds

    private static func expectEmpty(_ findings: [ValidationFinding]) { #expect(findings.isEmpty) }

    private static let registrations: [Fault] = [
        .finding(
            "A second registration of a class replaces the first", "Diesel replaces the registration at File.swift:1.",
            fixes: [
                Fix("remove one of the two, and list any Engine, any Starter in `as:` of the other") {
                    try expectNoFinding { Shared(Diesel() as Diesel, as: (any Engine).self, (any Starter).self) }
                },
                .valid("contribute both with `.into((any Engine).self)`") {
                    Shared(Diesel() as any Engine).into((any Engine).self)
                    Shared(Diesel() as any Engine).into((any Engine).self)
                },
            ]
        ) {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Diesel(), as: (any Starter).self)
        },
        .finding(
            "A second registration of a protocol replaces the first",
            "any Engine replaces the registration at File.swift:1.",
            fixes: [
                Fix("remove one of the two, or give it a name") {
                    try expectNoFinding { Shared(Diesel() as any Engine) }
                    try expectNoFinding {
                        Shared(Diesel() as any Engine)
                        Shared(Diesel() as any Engine, name: "second")
                    }
                },
                .valid("contribute both with `.into((any Engine).self)`") {
                    Shared(Diesel() as any Engine).into((any Engine).self)
                    Shared(Diesel() as any Engine).into((any Engine).self)
                },
            ]
        ) {
            Shared(Diesel() as any Engine)
            Shared(Diesel() as any Engine)
        },
        Fault(
            "A function is registered without autowiring", "(Ticket) -> Voyage is a function, not its result.",
            fixes: [
                Fix("write `autowiring:` before it") {
                    let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
                    try expectNoFinding {
                        Shared(Ticket(number: 1))
                        New(autowiring: make)
                    }
                },
                Fix("register it with a name, if you need the function itself") {
                    let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
                    try expectNoFinding { New(make, name: "make") }
                },
            ]
        ) {
            let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
            return try only(DIContainer { New(make) }).description.replacing("@Sendable ", with: "")
        },
        .finding(
            "Validation finds a value type registered with Weak",
            "Ticket is registered with Weak, but it is a value type, which cannot be held weakly.",
            fixes: [
                Fix("register it with `New` or `Shared`") {
                    try expectNoFinding { New(Ticket(number: 1)) }
                    try expectNoFinding { Shared(Ticket(number: 1)) }
                },
                .valid("make it a class or an actor") { Weak(Diesel()) },
            ]
        ) { Weak(Ticket(number: 1)) },
        .finding(
            "A decorated type is not registered", "Ticket is decorated, but not registered.",
            fixes: [
                .valid("register Ticket") {
                    Shared(Ticket(number: 1) as Ticket)
                    Decorate(Ticket.self) { base, _ in base }
                },
                .valid("remove the decorator") { Shared(Ticket(number: 1)) },
            ]
        ) { Decorate(Ticket.self) { base, _ in base } },
        Fault(
            "Validation finds an alias whose target is unregistered",
            "Nothing is registered for Diesel, which any Engine needs.",
            fixes: [
                Fix("register Diesel") {
                    let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                    container.unregister(Diesel.self)
                    container.register { Shared(Diesel() as Diesel) }
                    try expectNoFinding(in: container)
                },
                Fix("unregister any Engine") {
                    let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                    container.unregister(Diesel.self)
                    container.unregister((any Engine).self)
                    try expectNoFinding(in: container)
                },
            ]
        ) {
            let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
            container.unregister(Diesel.self)
            return try only(container).description
        },
    ]

    private static let dependencies: [Fault] = [
        .finding(
            "A parameter of a Shared is missing", "Nothing is registered for any Engine, which Car needs.",
            fixes: [
                .valid("register any Engine") {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                },
                Fix("make the parameter an Optional") {
                    final class Car: Sendable { init(engine: (any Engine)?) {} }
                    try expectNoFinding { Shared(autowiring: Car.init) }
                },
            ]
        ) { Shared(autowiring: Car.init) },
        Fault(
            "A parameter's factory takes arguments",
            "FindingFaults.Ship needs Ticket, whose factory takes (Int), and supplies ().",
            fixes: [
                Fix("change the type of the parameter to `Provider<Ticket, Int>`") {
                    struct Ship: Sendable { init(ticket: Provider<Ticket, Int>) {} }
                    try expectNoFinding {
                        New { (_, number: Int) in Ticket(number: number) }
                        Shared(autowiring: Ship.init)
                    }
                }
            ]
        ) {
            struct Ship: Sendable { init(ticket: Ticket) {} }
            return try only(
                DIContainer {
                    New { (_, number: Int) in Ticket(number: number) }
                    Shared(autowiring: Ship.init)
                }
            ).description
        },
        .finding(
            "Validation finds a plain factory that depends on an asynchronous New",
            "Garage needs Diesel, which only `await` can build.",
            fixes: [
                Fix("also register Garage with `async:`") {
                    let container = DIContainer {
                        New(async: { _ in Diesel() })
                        Shared(async: { resolve in Garage(diesel: try await resolve.async(Diesel.self)) })
                    }
                    try expectNoFinding(in: container)
                    try await container.prepare()
                    _ = try container.resolve.orThrow(Garage.self)
                }
            ]
        ) {
            New(async: { _ in Diesel() })
            Shared(autowiring: Garage.init)
        },
        .finding(
            "Validation finds a plain factory that depends on an asynchronous Shared",
            "Car needs any Engine, which only `await` can build and which is not built yet.",
            fixes: [
                Fix("call `try await container.prepare()` before the first request") {
                    let container = DIContainer {
                        Shared(async: { _ in Diesel() }, as: (any Engine).self)
                        Shared(autowiring: Car.init)
                    }
                    try await container.prepare()
                    try expectNoFinding(in: container)
                    _ = try container.resolve.orThrow(Car.self)
                }
            ]
        ) {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Shared(autowiring: Car.init)
        },
        .finding(
            "Validation finds a plain Scoped that depends on an asynchronous Scoped",
            "Garage needs Diesel, which only `await` can build and which is not built yet.",
            fixes: [
                Fix("call `try await child.prepare()` in each child before the first request") {
                    let container = DIContainer {
                        Scoped(async: { _ in Diesel() })
                        Scoped(autowiring: Garage.init)
                    }
                    let child = container.makeChild()
                    try await child.prepare()
                    try expectNoFinding(in: child)
                    _ = try child.resolve.orThrow(Garage.self)
                }
            ]
        ) {
            Scoped(async: { _ in Diesel() })
            Scoped(autowiring: Garage.init)
        },
        Fault(
            "A provider with an argument provides an unregistered type",
            "Nothing is registered for Ticket, which FindingFaults.Machine needs.",
            fixes: [
                Fix("register Ticket with a factory that takes (Int)") {
                    struct Machine: Sendable { let makeTicket: Provider<Ticket, Int> }
                    let container = DIContainer {
                        New { (_, _: Int) in Ticket(number: 1) as Ticket }
                        Shared(autowiring: Machine.init)
                    }
                    try expectNoFinding(in: container)
                    let ticket = try container.resolve.orThrow(Machine.self).makeTicket(1)
                    #expect(ticket.number == 1)
                },
                Fix("make the parameter an Optional") {
                    struct Machine: Sendable { let makeTicket: Provider<Ticket?, Int> }
                    try expectNoFinding { Shared(autowiring: Machine.init) }
                },
            ]
        ) {
            struct Machine: Sendable { let makeTicket: Provider<Ticket, Int> }
            return try only(DIContainer { Shared(autowiring: Machine.init) }).description
        },
        .finding(
            "Validation finds a main-actor dependency of an autowired type off the main actor",
            "Cabin needs Cockpit, which is isolated to the main actor.",
            fixes: [
                .valid("register Cabin with `mainActor:`") {
                    Shared(mainActor: Cockpit())
                    Shared(autowiring: { @MainActor (cockpit: Cockpit) in Cabin(cockpit: cockpit) })
                },
                Fix("mark its initializer `@MainActor`") {
                    final class Cabin: Sendable { @MainActor init(cockpit: Cockpit) {} }
                    try expectNoFinding {
                        Shared(mainActor: Cockpit())
                        Shared(autowiring: Cabin.init)
                    }
                },
            ]
        ) {
            Shared(mainActor: Cockpit())
            Shared(autowiring: Cabin.init)
        },
        .finding(
            "A Shared depends on a Scoped",
            "Car needs any Engine, which is scoped. Car caches the first instance permanently.",
            fixes: [
                Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                    try expectNoFinding {
                        Scoped(Diesel() as any Engine)
                        Scoped(autowiring: Car.init)
                    }
                    try expectNoFinding {
                        Scoped(Diesel() as any Engine)
                        New(autowiring: Car.init)
                    }
                }
            ]
        ) {
            Scoped(Diesel() as any Engine)
            Shared(autowiring: Car.init)
        },
        .finding(
            "A Shared depends on a type that children register",
            "Car needs any Engine, which only children register, but their parent caches Car.",
            fixes: [
                Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                    try expectNoFinding {
                        ProvidedByChild((any Engine).self)
                        Scoped(autowiring: Car.init)
                    }
                    try expectNoFinding {
                        ProvidedByChild((any Engine).self)
                        New(autowiring: Car.init)
                    }
                },
                .valid("register any Engine in the parent") {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                },
            ]
        ) {
            ProvidedByChild((any Engine).self)
            Shared(autowiring: Car.init)
        },
        Fault(
            "A name is misspelled", "Ticket named \"frist\" is never requested, but Ticket named \"first\" is.",
            fixes: [
                .valid("use one name for both") {
                    Shared(Ticket(number: 1), name: "first")
                    Decorate(Ticket.self, name: "first") { base, _ in base }
                }
            ]
        ) {
            let found = findings(
                DIContainer {
                    Shared(Ticket(number: 1), name: "frist")
                    Decorate(Ticket.self, name: "first") { base, _ in base }
                })
            return try #require(found.first { $0.kind == .similarName }).description
        },
    ]

    private static func buildText(
        _ container: DIContainer, _ mode: ValidationMode = .building
    ) async throws -> String {
        let found = await builtFindings(container, mode)
        #expect(found.count == 1, "\(found)")
        return try #require(found.first).description
    }

    private static let builds: [Fault] = [
        Fault(
            "Main-actor registrations are not built",
            "2 registrations were not built, because they are isolated to the main actor:",
            fixes: [
                Fix("write `.building(includingMainActor: true)`") {
                    let container = DIContainer {
                        Shared(mainActor: Cockpit())
                        Shared(mainActor: MainPane() as any Pane)
                    }
                    expectEmpty(try await container.validate(.building(includingMainActor: true)))
                }
            ]
        ) {
            try await buildText(
                DIContainer {
                    Shared(mainActor: Cockpit())
                    Shared(mainActor: MainPane() as any Pane)
                })
        },
        Fault(
            "A registration with arguments is not built", "Ticket was not built, because it takes arguments.",
            fixes: [
                Fix("pass arguments with `.building(arguments:)`") {
                    let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
                    expectEmpty(try await container.validate(.building { $0.type == Ticket.self ? [1 as Int] : nil }))
                }
            ]
        ) { try await buildText(DIContainer { New { (_, number: Int) in Ticket(number: number) } }) },
        Fault(
            "A main-actor registration with arguments is not built",
            "Ship was not built, because it takes arguments and it is isolated to the main actor.",
            fixes: [
                Fix("pass arguments and the main actor with `.building(includingMainActor: true, arguments:)`") {
                    let container = DIContainer {
                        New(mainActor: { _, number in Ship(number: number, cockpit: Cockpit()) })
                    }
                    let warnings =
                        try await container
                        .validate(.building(includingMainActor: true) { $0.type == Ship.self ? [1 as Int] : nil })
                    #expect(warnings.isEmpty)
                }
            ]
        ) {
            try await buildText(
                DIContainer { New(mainActor: { (_, number: Int) in Ship(number: number, cockpit: Cockpit()) }) })
        },
        Fault(
            "A registration that depends on a child's type is not built",
            "Car was not built, because it needs any Engine, which children register.",
            fixes: [
                Fix("validate a child that registers any Engine") {
                    let container = DIContainer {
                        ProvidedByChild((any Engine).self)
                        New(autowiring: Car.init)
                    }
                    let found = try await container.makeChild { Shared(Diesel() as any Engine) }.validate(.building)
                    #expect(found.isEmpty)
                }
            ]
        ) {
            try await buildText(
                DIContainer {
                    ProvidedByChild((any Engine).self)
                    New(autowiring: Car.init)
                })
        },
        Fault(
            "A factory blocks", "Building Ticket takes longer than 0.05 seconds.",
            fixes: [
                Fix("remove the wait from the factory, or register a stand-in that does not wait") {
                    let container = DIContainer {
                        Shared { _ in
                            Thread.sleep(forTimeInterval: 3_600)
                            return Ticket(number: 1)
                        }
                    }
                    expectEmpty(try await container.fork { Shared(Ticket(number: 2)) }.validate(.building))
                },
                Fix("allow more time with `.building(within:)`") {
                    let container = DIContainer { Shared(Ticket(number: 1)) }
                    expectEmpty(try await container.validate(.building(within: .seconds(60))))
                },
            ]
        ) {
            let container = DIContainer {
                Shared { _ in
                    Thread.sleep(forTimeInterval: 3_600)
                    return Ticket(number: 1)
                }
            }
            return try await buildText(container, .building(within: .milliseconds(50)))
        },
        Fault(
            "A close handler fails", "The `onClose` of Ticket failed: sabotaged",
            fixes: [
                Fix("remove the cause of that error") {
                    let container = DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }
                    expectEmpty(try await container.validate(.building))
                },
                Fix("register a stand-in that can be closed") {
                    let container = DIContainer { Shared(Ticket(number: 1)).onClose { _ in throw Sabotage() } }
                    expectEmpty(try await container.fork { Shared(Ticket(number: 1)) }.validate(.building))
                },
            ]
        ) { try await buildText(DIContainer { Shared(Ticket(number: 1)).onClose { _ in throw Sabotage() } }) },
    ]
}
