import DependencyInjection
import Testing

/// Requests for unregistered types.
enum RegistrationFaults {
    static let table = implementations + composedTypes + names + containers + kinds

    private static let implementations: [Fault] = [
        .request(
            (any Engine).self, "An implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel())
        } fixes: {
            Fix("add `as: (any Engine).self` to the registration at File.swift:1", resolving: (any Engine).self) {
                Shared(Diesel(), as: (any Engine).self)
            }
        },
        .request(
            Car.self, "An implementation is registered, and an autowired type depends on the protocol",
            "Nothing is registered for any Engine.", finding: "Nothing is registered for any Engine, which Car needs."
        ) {
            Scoped(Diesel())
            New(autowiring: Car.init)
        } fixes: {
            Fix("add `as: (any Engine).self` to the registration at File.swift:1", resolving: Car.self) {
                Scoped(Diesel(), as: (any Engine).self)
                New(autowiring: Car.init)
            }
        },
        .request(
            (any Engine).self, "A named implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel(), name: "main")
        } fixes: {
            Fix("register any Engine", resolving: (any Engine).self) {
                Shared(Diesel(), name: "main")
                Shared(Diesel() as any Engine)
            }
        },
        .request(
            Diesel.self, "A protocol is registered, and the implementation is requested",
            "Nothing is registered for Diesel."
        ) {
            Scoped(Diesel() as any Engine)
        } fixes: {
            Fix("request the registered type, any Engine", resolving: (any Engine).self) {
                Scoped(Diesel() as any Engine)
            }
            Fix("register Diesel with `as: (any Engine).self`", resolving: Diesel.self) {
                Scoped(Diesel() as Diesel, as: (any Engine).self)
            }
        },
        .request(
            Garage.self, "A protocol is registered, and an autowired type depends on the implementation",
            "Nothing is registered for Diesel."
        ) {
            Shared(Diesel() as any Engine)
            Shared(autowiring: Garage.init)
        } fixes: {
            Fix("request the registered type, any Engine") {
                final class Garage: Sendable { init(engine: any Engine) {} }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Garage.init)
                }
                _ = try container.resolve.orThrow(Garage.self)
            }
            Fix("register Diesel with `as: (any Engine).self`", resolving: Garage.self) {
                Shared(Diesel() as Diesel, as: (any Engine).self)
                Shared(autowiring: Garage.init)
            }
        },
        .request(
            (any Repository<Double>).self, "A generic protocol is registered with another type argument",
            "Nothing is registered for any Repository<Double>."
        ) {
            Shared(Rows<Int>() as any Repository<Int>)
        } fixes: {
            Fix("register any Repository<Double>") {
                let container = DIContainer { Shared(Rows<Int>() as any Repository<Int>) }
                container.register { Shared(Rows<Double>() as any Repository<Double>) }
                _ = try container.resolve.orThrow((any Repository<Double>).self)
            }
        },
    ]

    // Types whose names are easily written wrong.
    private static let composedTypes: [Fault] = [
        Fault(
            "A composition with a constrained protocol is requested with an argument",
            "Nothing is registered for any CustomStringConvertible & Repository<Int>."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow((any Repository<Int> & CustomStringConvertible).self, arguments: 1)
        } fixes: {
            Fix("register any CustomStringConvertible & Repository<Int> with a factory that takes (Int)") {
                struct NumberedRows: Repository, CustomStringConvertible {
                    typealias Element = Int
                    let description: String
                }
                let container = DIContainer {
                    New { (_, number: Int) in
                        NumberedRows(description: "\(number)") as any CustomStringConvertible & Repository<Int>
                    }
                }
                let rows = container.resolve((any Repository<Int> & CustomStringConvertible).self, arguments: 1)
                #expect(rows.description == "1")
            }
        },
        Fault("A function is requested that isn't Sendable", "Nothing is registered for () -> Int.") {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow((() -> Int).self)
        } fixes: {
            Fix("register () -> Int") {
                let container = DIContainer { New({ 5 } as () -> Int) }
                _ = container.resolve((() -> Int).self)
            }
        },
        Fault("An asynchronous function is requested", "Nothing is registered for () async -> ().") {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow((@concurrent () async -> Void).self)
        } fixes: {
            Fix("register () async -> ()") {
                let container = DIContainer { New({} as @concurrent () async -> Void) }
                _ = container.resolve((@concurrent () async -> Void).self)
            }
        },
        Fault(
            "An asynchronous function on the caller's actor is requested",
            "Nothing is registered for nonisolated(nonsending) () async -> ()."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow((nonisolated(nonsending) () async -> Void).self)
        } fixes: {
            Fix("register nonisolated(nonsending) () async -> ()") {
                let container = DIContainer { New({} as nonisolated(nonsending) () async -> Void) }
                _ = container.resolve((nonisolated(nonsending) () async -> Void).self)
            }
        },
        Fault(
            "A factory that takes an array of a protocol gets another argument",
            "The factory of Ticket takes (Array<any Engine>), but the request supplied (Diesel)."
        ) {
            let container = DIContainer { New { (_, engines: [any Engine]) in Ticket(number: engines.count) } }
            _ = try container.resolve.orThrow(Ticket.self, arguments: Diesel())
        } fixes: {
            Fix("pass arguments of the types (Array<any Engine>)") {
                let container = DIContainer { New { (_, engines: [any Engine]) in Ticket(number: engines.count) } }
                #expect(container.resolve(Ticket.self, arguments: [Diesel()] as [any Engine]).number == 1)
            }
            Fix("inject a `Provider<Ticket, Array<any Engine>>`, and call it with these arguments") {
                let container = DIContainer { New { (_, engines: [any Engine]) in Ticket(number: engines.count) } }
                let make = container.resolve(Provider<Ticket, Array<any Engine>>.self)
                #expect(make([Diesel()]).number == 1)
            }
        },
    ]

    private static let names: [Fault] = [
        .request(Ticket.self, "The type is only registered under a name", "Nothing is registered for Ticket.") {
            Shared(Ticket(number: 1), name: "first")
        } fixes: {
            Fix("request it by its name \"first\"") {
                let container = DIContainer { Shared(Ticket(number: 1), name: "first") }
                _ = container.resolve(Ticket.self, name: "first")
            }
            Fix("register it without a name", resolving: Ticket.self) {
                Shared(Ticket(number: 1), name: "first")
                Shared(Ticket(number: 2) as Ticket)
            }
        },
        .request(
            Car.self, "An autowired type depends on a type that is only registered under a name",
            "Nothing is registered for any Engine.", finding: "Nothing is registered for any Engine, which Car needs."
        ) {
            Shared(Diesel() as any Engine, name: "main")
            Shared(autowiring: Car.init)
        } fixes: {
            Fix("request it by its name \"main\" in a closure, which replaces `autowiring:`", resolving: Car.self) {
                Shared(Diesel() as any Engine, name: "main")
                Shared { resolve in Car(engine: resolve(name: "main")) }
            }
            Fix("register it without a name", resolving: Car.self) {
                Shared(Diesel() as any Engine, name: "main")
                Shared(Diesel() as any Engine)
                Shared(autowiring: Car.init)
            }
        },
        Fault("The type is registered without the requested name", "Nothing is registered for Ticket named \"first\".")
        {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow(Ticket.self, name: "first")
        } fixes: {
            Fix("request it without a name", resolving: Ticket.self) { Shared(Ticket(number: 1)) }
            Fix("register it under the name \"first\"") {
                let container = DIContainer { Shared(Ticket(number: 1) as Ticket, name: "first") }
                _ = try container.resolve.orThrow(Ticket.self, name: "first")
            }
        },
        Fault("A type with a similar name is registered", "Nothing is registered for Voyage.") {
            struct Voyager: Sendable {}
            let container = DIContainer { Shared(Voyager()) }
            _ = try container.resolve.orThrow(Voyage.self)
        } fixes: {
            Fix("register Voyage") {
                let container = DIContainer()
                container.register { Shared(Voyage(number: 1, engine: Diesel()) as Voyage) }
                _ = try container.resolve.orThrow(Voyage.self)
            }
        },
    ]

    private static let containers: [Fault] = [
        Fault("The container is empty", "Nothing is registered for Ticket.") {
            _ = try DIContainer().resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("resolve from the container that registers it, with `@Inject(from:)` or `DIContainer.withContainer`") {
                let app = DIContainer { Shared(Ticket(number: 1)) }
                _ = app.resolve(Ticket.self)
                @Inject(from: app) var ticket: Ticket
                let other = try DIContainer.withContainer(app) { try DIContainer.resolve.orThrow(Ticket.self) }
                #expect(ticket == other)
            }
            Fix("register Ticket") {
                let container = DIContainer()
                container.register { Shared(Ticket(number: 1) as Ticket) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault("A type is requested with an argument", "Nothing is registered for Ticket.") {
            let container = DIContainer { Shared(Diesel()) }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
        } fixes: {
            Fix("register Ticket with a factory that takes (Int)") {
                let container = DIContainer()
                container.register { New { (_, _: Int) in Ticket(number: 1) as Ticket } }
                _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
            }
        },
        Fault(
            "A parent's Shared depends on a type that no container registers", "Nothing is registered for any Engine."
        ) {
            let parent = DIContainer { Shared(autowiring: Car.init) }
            _ = try parent.makeChild().resolve.orThrow(Car.self)
        } fixes: {
            Fix("register any Engine in the parent") {
                let parent = DIContainer { Shared(autowiring: Car.init) }
                parent.register { Shared(Diesel() as any Engine) }
                _ = try parent.makeChild().resolve.orThrow(Car.self)
            }
        },
        Fault(
            "A parent's Shared depends on a type that only the child registers",
            """
            Nothing is registered for any Engine in the container that caches Car, and a parent does not see its children's \
            registrations.
            """
        ) {
            let parent = DIContainer { Shared(autowiring: Car.init) }
            _ = try parent.makeChild { Shared(Diesel() as any Engine) }.resolve.orThrow(Car.self)
        } fixes: {
            Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                for parent in [DIContainer { Scoped(autowiring: Car.init) }, DIContainer { New(autowiring: Car.init) }]
                {
                    _ = try parent.makeChild { Shared(Diesel() as any Engine) }.resolve.orThrow(Car.self)
                }
            }
            Fix("register any Engine in the parent") {
                let parent = DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                }
                _ = try parent.makeChild().resolve.orThrow(Car.self)
            }
        },
        .request(
            Ticket.self, "A child has to register the type",
            "Nothing is registered for Ticket, which a child has to register."
        ) {
            ProvidedByChild(Ticket.self)
        } fixes: {
            Fix("register Ticket in a child, and resolve from that child") {
                let container = DIContainer { ProvidedByChild(Ticket.self) }
                let child = container.makeChild { Shared(Ticket(number: 1) as Ticket) }
                _ = try child.resolve.orThrow(Ticket.self)
            }
        },
    ]

    private static let kinds: [Fault] = [
        .request(Bureau.self, "An autowired type depends on the container", "Nothing is registered for DIContainer.") {
            Shared(autowiring: Bureau.init)
        } fixes: {
            Fix("use the resolver that each factory receives", resolving: String.self) {
                Shared(Ticket(number: 1))
                Shared { resolve in "\(resolve(Ticket.self).number)" }
            }
            Fix("use `DIContainer.current` for the container itself", resolving: Bureau.self) {
                Shared { _ in Bureau(app: DIContainer.current) }
            }
        },
        .request(Ticket.self, "The Optional of the type is registered", "Nothing is registered for Ticket.") {
            Shared(Ticket(number: 1) as Ticket?)
        } fixes: {
            Fix("unwrap Optional<Ticket> before it is registered, because no request resolves an Optional") {
                let ticket: Ticket? = Ticket(number: 1)
                let container = DIContainer { if let ticket { Shared(ticket) } }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        .request(
            Kiosk.self, "An autowired type has a parameter with a lazy wrapper",
            "Nothing is registered for LazyInject<Ticket>.",
            finding: "Nothing is registered for LazyInject<Ticket>, which Kiosk needs."
        ) {
            Shared(Ticket(number: 1))
            Shared(autowiring: Kiosk.init)
        } fixes: {
            Fix("replace the lazy wrapper with a `Provider<Ticket>`") {
                final class Kiosk: Sendable { init(ticket: Provider<Ticket>) { #expect(ticket().number == 1) } }
                let container = DIContainer {
                    Shared(Ticket(number: 1))
                    Shared(autowiring: Kiosk.init)
                }
                _ = try container.resolve.orThrow(Kiosk.self)
                try expectNoFinding(in: container)
            }
        },
        .request(
            [any Engine].self, "An array of a registered type is requested",
            "Nothing is registered for Array<any Engine>."
        ) {
            Shared(Diesel() as any Engine)
        } fixes: {
            Fix("contribute its elements with `.into((any Engine).self)`") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                let engines = try container.resolve.orThrow([any Engine].self)
                #expect(engines.count == 1)
            }
            Fix("register Array<any Engine>", resolving: [any Engine].self) { Shared([Diesel()] as [any Engine]) }
        },
        .request(
            (any Engine).self, "One instance of a contributed type is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel() as any Engine).into((any Engine).self)
        } fixes: {
            Fix("request `[any Engine]`, which contains all contributions") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                #expect(container.resolve.all((any Engine).self).count == 1)
            }
            Fix("register any Engine") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                container.register { Shared(Diesel() as any Engine) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
        .request(
            Car.self, "Autowiring needs one instance of a contributed type", "Nothing is registered for any Engine."
        ) {
            Shared(Diesel()).into((any Engine).self)
            Shared(autowiring: Car.init)
        } fixes: {
            Fix("request `[any Engine]`, which contains all contributions") {
                final class Car: Sendable { init(engines: [any Engine]) { #expect(engines.count == 1) } }
                let container = DIContainer {
                    Shared(Diesel()).into((any Engine).self)
                    Shared(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
            Fix("register any Engine", resolving: Car.self) {
                Shared(Diesel() as any Engine)
                Shared(autowiring: Car.init)
            }
        },
        .request(
            [any Engine].self, "A contributed instance doesn't conform",
            "Ticket is registered as any Engine, to which it does not conform."
        ) {
            Shared(Ticket(number: 1)).into((any Engine).self)
        } fixes: {
            Fix("register an instance that conforms to any Engine") {
                struct Ticket: Engine { let kind = "ticket" }
                let container = DIContainer { Shared(Ticket()).into((any Engine).self) }
                _ = try container.resolve.orThrow([any Engine].self)
            }
            Fix("remove `.into((any Engine).self)`", resolving: Ticket.self) { Shared(Ticket(number: 1)) }
        },
    ]
}

private typealias Fix = Fault.Fix
