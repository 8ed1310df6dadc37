import DependencyInjection
import Testing

private typealias Fix = Fault.Fix

/// Requests off the main actor, and plain requests for asynchronous types.
enum IsolationFaults {
    static let table = mainActor + asynchronous

    /// A request off the main actor, and the same request on it. The other alternative isolates the factory.
    private static func offMainActor(
        _ description: String, requesting request: @escaping @Sendable (Resolver) throws -> Void,
        @RegistrationBuilder of registrations: @escaping @Sendable () -> [Registration], isolating: Fix? = nil
    ) -> Fault {
        let onMainActor = Fix("request it on the main actor: mark the caller `@MainActor`, or use `MainActor.run`") {
            let container = DIContainer(registrations)
            @MainActor func caller() throws { try request(container.resolve) }
            try await caller()
            try await MainActor.run { try request(container.resolve) }
        }
        return Fault(
            description, "Cockpit is isolated to the main actor but was requested off it.",
            fixes: (isolating.map { [$0] } ?? []) + [onMainActor]
        ) {
            let container = DIContainer(registrations)
            return failure { try request(container.resolve) }?.description ?? "The program does not fail."
        }
    }

    private static let mainActor: [Fault] = [
        offMainActor(
            "A main-actor type is requested off the main actor", requesting: { _ = try $0.orThrow(Cockpit.self) },
            of: { Shared(mainActor: Cockpit()) }),
        offMainActor(
            "An autowired type off the main actor depends on a main-actor type",
            requesting: { _ = try $0.orThrow(Cabin.self) },
            of: {
                Shared(mainActor: Cockpit())
                Shared(autowiring: Cabin.init)
            },
            isolating: Fix("register Cabin with `mainActor:`") {
                let container = DIContainer {
                    Shared(mainActor: Cockpit())
                    Shared(autowiring: { @MainActor (cockpit: Cockpit) in Cabin(cockpit: cockpit) })
                }
                try await MainActor.run { _ = try container.resolve.orThrow(Cabin.self) }
            }),
        offMainActor(
            "A type autowired with arguments off the main actor depends on a main-actor type",
            requesting: { _ = try $0.orThrow(Ship.self, arguments: 7) },
            of: {
                Shared(mainActor: Cockpit())
                New(autowiring: Ship.init, arguments: Int.self)
            },
            isolating: Fix("register Ship with `mainActor:`") {
                let container = DIContainer {
                    Shared(mainActor: Cockpit())
                    New(
                        autowiring: { @MainActor (int: Int, cockpit: Cockpit) in Ship(number: int, cockpit: cockpit) },
                        arguments: Int.self)
                }
                let ship = try await MainActor.run { try container.resolve.orThrow(Ship.self, arguments: 7) }
                #expect(ship.number == 7)
            }),
        offMainActor(
            "A closure off the main actor requests a main-actor type", requesting: { _ = try $0.orThrow(Cabin.self) },
            of: {
                Shared(mainActor: Cockpit())
                Scoped { resolve in Cabin(cockpit: try resolve.orThrow()) }
            },
            isolating: Fix("register Cabin with `mainActor:`") {
                let container = DIContainer {
                    Shared(mainActor: Cockpit())
                    Scoped(mainActor: { resolve in Cabin(cockpit: try resolve.orThrow()) })
                }
                try await MainActor.run { _ = try container.resolve.orThrow(Cabin.self) }
            }),
        offMainActor(
            "A closure off the main actor requests a main-actor type by an alias",
            requesting: { _ = try $0.orThrow(Ticket.self) },
            of: {
                New(mainActor: Cockpit(), as: AnyObject.self)
                Shared { resolve in Ticket(number: [try resolve.orThrow(AnyObject.self)].count) }
            },
            isolating: Fix("register Ticket with `mainActor:`") {
                let container = DIContainer {
                    New(mainActor: Cockpit(), as: AnyObject.self)
                    Shared(mainActor: { resolve in Ticket(number: [try resolve.orThrow(AnyObject.self)].count) })
                }
                try await MainActor.run { _ = try container.resolve.orThrow(Ticket.self) }
            }),
        .request(
            Ledger.self, "An initializer of another actor is autowired",
            "The factory of Ledger failed: its initializer is isolated to Clerk and has to be awaited"
        ) {
            Shared(Ticket(number: 1))
            Shared(autowiring: Ledger.init)
        } fixes: {
            Fix("register a factory that awaits the initializer, with `async:`") {
                let container = DIContainer {
                    Shared(Ticket(number: 1))
                    Shared(async: { resolve in await Ledger(ticket: resolve()) })
                }
                _ = try await container.resolve.async(Ledger.self)
            }
        },
    ]

    private static let asynchronous: [Fault] = [
        .request(
            Diesel.self, "An asynchronous Shared is requested before it is awaited",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            Shared(async: { _ in Diesel() })
        } fixes: {
            Fix("call `try await container.prepare()` before the first request") {
                let container = DIContainer { Shared(async: { _ in Diesel() }) }
                try await container.prepare()
                _ = try container.resolve.orThrow(Diesel.self)
            }
            Fix("request it with `try await resolve.async`") {
                let container = DIContainer { Shared(async: { _ in Diesel() }) }
                let resolve = container.resolve
                _ = try await resolve.async(Diesel.self)
                _ = try container.resolve.orThrow(Diesel.self)
            }
        },
        Fault(
            "An asynchronous Shared with arguments is requested before it is awaited",
            "Ticket is built by an asynchronous factory, which has not been awaited."
        ) {
            let container = DIContainer { Shared(async: { (_, number: Int) in Ticket(number: number) }) }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
        } fixes: {
            Fix("request it with `try await resolve.async`") {
                let resolve = DIContainer { Shared(async: { (_, number: Int) in Ticket(number: number) }) }.resolve
                let ticket = try await resolve.async(Ticket.self, arguments: 7)
                #expect(ticket.number == 7)
            }
        },
        .request(
            Diesel.self, "An asynchronous New is requested without await",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            New(async: { _ in Diesel() })
        } fixes: {
            Fix("request it with `try await resolve.async`") {
                let resolve = DIContainer { New(async: { _ in Diesel() }) }.resolve
                _ = try await resolve.async(Diesel.self)
            }
        },
        .request(
            Garage.self, "A plain factory requests an asynchronous New",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            New(async: { _ in Diesel() }, as: (any Engine).self)
            Shared { resolve in Garage(diesel: try resolve.orThrow()) }
        } fixes: {
            Fix("register Garage with `Shared(async:)`, and request it with `try await resolve.async` there") {
                let container = DIContainer {
                    New(async: { _ in Diesel() })
                    Shared(async: { resolve in Garage(diesel: try await resolve.async(Diesel.self)) })
                }
                _ = try await container.resolve.async(Garage.self)
            }
        },
        .request(
            Ticket.self, "An asynchronous Scoped is requested in a container without a parent",
            "Ticket is built by an asynchronous factory, which has not been awaited."
        ) {
            Scoped(async: { _ in Ticket(number: 1) })
        } fixes: {
            Fix("request it in a child, after `try await child.prepare()`") {
                let child = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }.makeChild()
                try await child.prepare()
                _ = try child.resolve.orThrow(Ticket.self)
            }
            Fix("request it with `try await resolve.async`") {
                let container = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }
                let resolve = container.resolve
                _ = try await resolve.async(Ticket.self)
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "An asynchronous Scoped is requested in a child that is not prepared",
            "Ticket is built by an asynchronous factory, which has not been awaited."
        ) {
            let container = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }
            _ = try container.makeChild().resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("call `try await container.prepare()` before the first request") {
                let container = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }
                try await container.withChild {
                    Shared(1)
                } operation: { child in
                    try await child.prepare()
                    _ = try child.resolve.orThrow(Ticket.self)
                }
            }
            Fix("request it with `try await resolve.async`") {
                let child = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }.makeChild()
                let resolve = child.resolve
                _ = try await resolve.async(Ticket.self)
                _ = try child.resolve.orThrow(Ticket.self)
            }
        },
    ]
}
