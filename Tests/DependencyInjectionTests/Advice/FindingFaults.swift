import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private typealias Fix = Fault.Fix

/// Faults that validation finds. A program that follows the fix has no findings.
enum FindingFaults {
    static let table = registrations + dependencies + builds

    private static func text(_ container: DIContainer) throws -> String { try only(container).description }

    private static func expectNone(_ container: DIContainer) throws { expectEmpty(try container.validate()) }

    private static func expectEmpty(_ findings: [ValidationFinding]) { #expect(findings.isEmpty) }

    private static let registrations: [Fault] = [
        Fault(
            "A second registration of a class replaces the first", "Diesel replaces the registration at File.swift:1.",
            fixes: [
                Fix("remove one of the two, and list any Engine, any Starter in `as:` of the other") {
                    try expectNone(
                        DIContainer { Shared(Diesel() as Diesel, as: (any Engine).self, (any Starter).self) })
                },
                Fix("contribute both with `.into((any Engine).self)`") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine).into((any Engine).self)
                            Shared(Diesel() as any Engine).into((any Engine).self)
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    Shared(Diesel(), as: (any Engine).self)
                    Shared(Diesel(), as: (any Starter).self)
                })
        },
        Fault(
            "A second registration of a protocol replaces the first",
            "any Engine replaces the registration at File.swift:1.",
            fixes: [
                Fix("remove one of the two, or give it a name") {
                    try expectNone(DIContainer { Shared(Diesel() as any Engine) })
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine)
                            Shared(Diesel() as any Engine, name: "second")
                        })
                },
                Fix("contribute both with `.into((any Engine).self)`") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine).into((any Engine).self)
                            Shared(Diesel() as any Engine).into((any Engine).self)
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(Diesel() as any Engine)
                })
        },
        Fault(
            "A function is registered without autowiring", "(Ticket) -> Voyage is a function, not its result.",
            fixes: [
                Fix("write `autowiring:` before it") {
                    let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
                    try expectNone(
                        DIContainer {
                            Shared(Ticket(number: 1))
                            New(autowiring: make)
                        })
                },
                Fix("register it with a name, if you need the function itself") {
                    let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
                    try expectNone(DIContainer { New(make, name: "make") })
                },
            ]
        ) {
            let make: @Sendable (Ticket) -> Voyage = { Voyage(number: $0.number, engine: Diesel()) }
            return try text(DIContainer { New(make) }).replacing("@Sendable ", with: "")
        },
        Fault(
            "Validation finds a value type registered with Weak",
            "Ticket is registered with Weak, but it is a value type, which cannot be held weakly.",
            fixes: [
                Fix("register it with `New` or `Shared`") {
                    try expectNone(DIContainer { New(Ticket(number: 1)) })
                    try expectNone(DIContainer { Shared(Ticket(number: 1)) })
                },
                Fix("make it a class or an actor") { try expectNone(DIContainer { Weak(Diesel()) }) },
            ]
        ) { try text(DIContainer { Weak(Ticket(number: 1)) }) },
        Fault(
            "A decorated type is not registered", "Ticket is decorated, but not registered.",
            fixes: [
                Fix("register Ticket") {
                    try expectNone(
                        DIContainer {
                            Shared(Ticket(number: 1) as Ticket)
                            Decorate(Ticket.self) { base, _ in base }
                        })
                },
                Fix("remove the decorator") { try expectNone(DIContainer { Shared(Ticket(number: 1)) }) },
            ]
        ) { try text(DIContainer { Decorate(Ticket.self) { base, _ in base } }) },
        Fault(
            "Validation finds an alias whose target does not conform",
            "Ticket is registered with any Engine in `as:`, and does not conform.",
            fixes: [
                Fix("register an instance that conforms to any Engine") {
                    struct Ticket: Engine { let kind = "ticket" }
                    try expectNone(DIContainer { Shared(Ticket(), as: (any Engine).self) })
                },
                Fix("remove any Engine from `as:`") {
                    try expectNone(DIContainer { Shared(Ticket(number: 1)) })
                },
            ]
        ) { try text(DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }) },
        Fault(
            "Validation finds an alias whose target is unregistered",
            "Nothing is registered for Diesel, which any Engine needs.",
            fixes: [
                Fix("register Diesel") {
                    let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                    container.unregister(Diesel.self)
                    container.register { Shared(Diesel() as Diesel) }
                    try expectNone(container)
                },
                Fix("unregister any Engine") {
                    let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                    container.unregister(Diesel.self)
                    container.unregister((any Engine).self)
                    try expectNone(container)
                },
            ]
        ) {
            let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
            container.unregister(Diesel.self)
            return try text(container)
        },
    ]

    private static let dependencies: [Fault] = [
        Fault(
            "A parameter of a Shared is missing", "Nothing is registered for any Engine, which Car needs.",
            fixes: [
                Fix("register any Engine") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine)
                            Shared(autowiring: Car.init)
                        })
                },
                Fix("make the parameter an Optional") {
                    final class Car: Sendable { init(engine: (any Engine)?) {} }
                    try expectNone(DIContainer { Shared(autowiring: Car.init) })
                },
            ]
        ) { try text(DIContainer { Shared(autowiring: Car.init) }) },
        Fault(
            "A parameter of a New is registered as its implementation",
            "Nothing is registered for any Engine, which Car needs.",
            fixes: [
                Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel(), as: (any Engine).self)
                            New(autowiring: Car.init)
                        })
                }
            ]
        ) {
            try text(
                DIContainer {
                    Shared(Diesel())
                    New(autowiring: Car.init)
                })
        },
        Fault(
            "A parameter is only registered under a name", "Nothing is registered for any Engine, which Car needs.",
            fixes: [
                Fix("request it by its name \"main\" in a closure, which replaces `autowiring:`") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine, name: "main")
                            Shared { resolve in Car(engine: resolve(name: "main")) }
                        })
                },
                Fix("register it without a name") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine)
                            Shared(autowiring: Car.init)
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    Shared(Diesel() as any Engine, name: "main")
                    Shared(autowiring: Car.init)
                })
        },
        Fault(
            "A parameter is a lazy wrapper", "Nothing is registered for LazyInject<Ticket>, which Kiosk needs.",
            fixes: [
                Fix("replace the lazy wrapper with a `Provider<Ticket>`") {
                    final class Kiosk: Sendable { init(ticket: Provider<Ticket>) {} }
                    try expectNone(
                        DIContainer {
                            Shared(Ticket(number: 1))
                            Shared(autowiring: Kiosk.init)
                        })
                }
            ]
        ) {
            try text(
                DIContainer {
                    Shared(Ticket(number: 1))
                    Shared(autowiring: Kiosk.init)
                })
        },
        Fault(
            "A parameter's factory takes arguments",
            "FindingFaults.Ship needs Ticket, whose factory takes (Int), and supplies ().",
            fixes: [
                Fix("change the type of the parameter to `Provider<Ticket, Int>`") {
                    struct Ship: Sendable { init(ticket: Provider<Ticket, Int>) {} }
                    try expectNone(
                        DIContainer {
                            New { (_, number: Int) in Ticket(number: number) }
                            Shared(autowiring: Ship.init)
                        })
                }
            ]
        ) {
            struct Ship: Sendable { init(ticket: Ticket) {} }
            return try text(
                DIContainer {
                    New { (_, number: Int) in Ticket(number: number) }
                    Shared(autowiring: Ship.init)
                }
            )
        },
        Fault(
            "Validation finds a plain factory that depends on an asynchronous New",
            "Garage needs Diesel, which only `await` can build.",
            fixes: [
                Fix("also register Garage with `async:`") {
                    let container = DIContainer {
                        New(async: { _ in Diesel() })
                        Shared(async: { resolve in Garage(diesel: try await resolve.async(Diesel.self)) })
                    }
                    try expectNone(container)
                    try await container.prepare()
                    _ = try container.resolve.orThrow(Garage.self)
                }
            ]
        ) {
            try text(
                DIContainer {
                    New(async: { _ in Diesel() })
                    Shared(autowiring: Garage.init)
                })
        },
        Fault(
            "Validation finds a plain factory that depends on an asynchronous Shared",
            "Garage needs Diesel, which only `await` can build and which is not built yet.",
            fixes: [
                Fix("call `try await container.prepare()` before the first request") {
                    let container = DIContainer {
                        Shared(async: { _ in Diesel() })
                        Shared(autowiring: Garage.init)
                    }
                    try await container.prepare()
                    try expectNone(container)
                    _ = try container.resolve.orThrow(Garage.self)
                }
            ]
        ) {
            try text(
                DIContainer {
                    Shared(async: { _ in Diesel() })
                    Shared(autowiring: Garage.init)
                })
        },
        Fault(
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
                    try expectNone(child)
                    _ = try child.resolve.orThrow(Garage.self)
                }
            ]
        ) {
            try text(
                DIContainer {
                    Scoped(async: { _ in Diesel() })
                    Scoped(autowiring: Garage.init)
                })
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
                    try expectNone(container)
                    let ticket = try container.resolve.orThrow(Machine.self).makeTicket(1)
                    #expect(ticket.number == 1)
                },
                Fix("make the parameter an Optional") {
                    struct Machine: Sendable { let makeTicket: Provider<Ticket?, Int> }
                    try expectNone(DIContainer { Shared(autowiring: Machine.init) })
                },
            ]
        ) {
            struct Machine: Sendable { let makeTicket: Provider<Ticket, Int> }
            return try text(DIContainer { Shared(autowiring: Machine.init) })
        },
        Fault(
            "Validation finds a main-actor dependency of an autowired type off the main actor",
            "Cabin needs Cockpit, which is isolated to the main actor.",
            fixes: [
                Fix("register Cabin with `mainActor:`") {
                    try expectNone(
                        DIContainer {
                            Shared(mainActor: Cockpit())
                            Shared(autowiring: { @MainActor (cockpit: Cockpit) in Cabin(cockpit: cockpit) })
                        })
                },
                Fix("mark its initializer `@MainActor`") {
                    final class Cabin: Sendable { @MainActor init(cockpit: Cockpit) {} }
                    try expectNone(
                        DIContainer {
                            Shared(mainActor: Cockpit())
                            Shared(autowiring: Cabin.init)
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    Shared(mainActor: Cockpit())
                    Shared(autowiring: Cabin.init)
                })
        },
        Fault(
            "A Shared depends on a Scoped",
            "Car needs any Engine, which is scoped. Car caches the first instance permanently.",
            fixes: [
                Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                    for container in [
                        DIContainer {
                            Scoped(Diesel() as any Engine); Scoped(autowiring: Car.init)
                        },
                        DIContainer {
                            Scoped(Diesel() as any Engine); New(autowiring: Car.init)
                        },
                    ] { try expectNone(container) }
                }
            ]
        ) {
            try text(
                DIContainer {
                    Scoped(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                })
        },
        Fault(
            "A Shared depends on a type that children register",
            "Car needs any Engine, which only children register, but their parent caches Car.",
            fixes: [
                Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                    for container in [
                        DIContainer {
                            ProvidedByChild((any Engine).self); Scoped(autowiring: Car.init)
                        },
                        DIContainer {
                            ProvidedByChild((any Engine).self); New(autowiring: Car.init)
                        },
                    ] { try expectNone(container) }
                },
                Fix("register any Engine in the parent") {
                    try expectNone(
                        DIContainer {
                            Shared(Diesel() as any Engine)
                            Shared(autowiring: Car.init)
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    ProvidedByChild((any Engine).self)
                    Shared(autowiring: Car.init)
                })
        },
        Fault(
            "Validation finds a cycle", "Circular dependency: Cock → Pullet → Cock",
            fixes: [
                Fix("inject a `Provider<Cock>`, and call it after the initializer") {
                    final class Pullet: Sendable { init(_ cock: Provider<Cock>) {} }
                    final class Cock: Sendable { init(_ pullet: Pullet) {} }
                    try expectNone(
                        DIContainer {
                            Shared(autowiring: Cock.init)
                            Shared(autowiring: Pullet.init)
                        })
                },
                Fix("inject Cock with `@LazyInject`, unless its owner has to be `Sendable`") {
                    final class Pullet { @LazyInject var cock: Cock }
                    final class Cock { init(_ pullet: Pullet) {} }
                    try expectNone(
                        DIContainer {
                            New(autowiring: Cock.init)
                            New(Pullet())
                        })
                },
            ]
        ) {
            try text(
                DIContainer {
                    Shared(autowiring: Cock.init)
                    Shared(autowiring: Pullet.init)
                })
        },
        Fault(
            "A name is misspelled", "Ticket named \"frist\" is never requested, but Ticket named \"first\" is.",
            fixes: [
                Fix("use one name for both") {
                    try expectNone(
                        DIContainer {
                            Shared(Ticket(number: 1), name: "first")
                            Decorate(Ticket.self, name: "first") { base, _ in base }
                        })
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

    private static func buildText(_ container: DIContainer, _ mode: ValidationMode = .building) async throws
        -> String
    {
        do {
            let found = try await container.validate(mode)
            #expect(found.count == 1, "\(found)")
            return try #require(found.first).description
        } catch let error as DIContainer.ValidationError {
            #expect(error.findings.count == 1, "\(error)")
            return try #require(error.findings.first).description
        }
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
