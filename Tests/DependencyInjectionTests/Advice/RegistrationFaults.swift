import DependencyInjection
import Testing

/// Requests for unregistered types.
enum RegistrationFaults {
    static let table = implementations + names + containers + kinds

    private static let implementations: [Fault] = [
        Fault("An implementation is registered, and the protocol is requested", "Nothing is registered for any Engine.")
        {
            let container = DIContainer { Shared(Diesel()) }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("register it as that type: `Shared(… as any Engine)`") {
                let container = DIContainer { Shared(Diesel() as any Engine) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
            Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                let container = DIContainer { Shared(Diesel(), as: (any Engine).self) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
        Fault(
            "An implementation is registered, and an autowired type depends on the protocol",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer {
                Scoped(Diesel())
                New(autowiring: Car.init)
            }
            _ = try container.resolve.orThrow(Car.self)
        } fixes: {
            Fix("register it as that type: `Scoped(… as any Engine)`") {
                let container = DIContainer {
                    Scoped(Diesel() as any Engine)
                    New(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
            Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                let container = DIContainer {
                    Scoped(Diesel(), as: (any Engine).self)
                    New(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
        },
        Fault(
            "A named implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer { Shared(Diesel(), name: "main") }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("register it as that type: `Shared(… as any Engine)`") {
                let container = DIContainer {
                    Shared(Diesel(), name: "main")
                    Shared(Diesel() as any Engine)
                }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
        Fault(
            "An implementation on the main actor is registered, and the protocol is requested",
            "Nothing is registered for any Pane."
        ) {
            let container = DIContainer { Shared(mainActor: MainPane()) }
            try await MainActor.run { _ = try container.resolve.orThrow((any Pane).self) }
        } fixes: {
            Fix("register it as that type: `Shared(mainActor: … as any Pane)`") {
                let container = DIContainer { Shared(mainActor: MainPane() as any Pane) }
                try await MainActor.run { _ = try container.resolve.orThrow((any Pane).self) }
            }
            Fix("add `as: (any Pane).self` to the registration at File.swift:1") {
                let container = DIContainer { Shared(mainActor: MainPane(), as: (any Pane).self) }
                try await MainActor.run { _ = try container.resolve.orThrow((any Pane).self) }
            }
        },
        Fault(
            "An asynchronous implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer { Shared(async: { _ in Diesel() }) }
            _ = try await container.resolve.async((any Engine).self)
        } fixes: {
            Fix("register it as that type: `Shared(async: { _ in … as any Engine })`") {
                let container = DIContainer { Shared(async: { _ in Diesel() as any Engine }) }
                _ = try await container.resolve.async((any Engine).self)
            }
            Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                let container = DIContainer { Shared(async: { _ in Diesel() }, as: (any Engine).self) }
                _ = try await container.resolve.async((any Engine).self)
            }
        },
        Fault(
            "An implementation with arguments is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer { New { (_, kind: String) in Diesel(kind: kind) } }
            _ = try container.resolve.orThrow((any Engine).self, arguments: "diesel")
        } fixes: {
            Fix("register it as that type: `New({ (_, _: String) in … as any Engine })`") {
                let container = DIContainer { New({ (_, _: String) in Diesel() as any Engine }) }
                _ = try container.resolve.orThrow((any Engine).self, arguments: "diesel")
            }
            Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                let container = DIContainer { New({ (_, kind: String) in Diesel(kind: kind) }, as: (any Engine).self) }
                _ = try container.resolve.orThrow((any Engine).self, arguments: "diesel")
            }
        },
        Fault("A protocol is registered, and the implementation is requested", "Nothing is registered for Diesel.") {
            let container = DIContainer { Scoped(Diesel() as any Engine) }
            _ = try container.resolve.orThrow(Diesel.self)
        } fixes: {
            Fix("request the registered type: `resolve((any Engine).self)`") {
                let container = DIContainer { Scoped(Diesel() as any Engine) }
                _ = container.resolve((any Engine).self)
            }
            Fix("register the implementation: `Scoped(… as Diesel, as: (any Engine).self)`") {
                let container = DIContainer { Scoped(Diesel() as Diesel, as: (any Engine).self) }
                _ = try container.resolve.orThrow(Diesel.self)
            }
        },
        Fault(
            "A protocol is registered, and an autowired type depends on the implementation",
            "Nothing is registered for Diesel."
        ) {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                Shared(autowiring: Garage.init)
            }
            _ = try container.resolve.orThrow(Garage.self)
        } fixes: {
            Fix("change the type of the parameter to `any Engine`") {
                final class Garage: Sendable { init(engine: any Engine) {} }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Garage.init)
                }
                _ = try container.resolve.orThrow(Garage.self)
            }
            Fix("register the implementation: `Shared(… as Diesel, as: (any Engine).self)`") {
                let container = DIContainer {
                    Shared(Diesel() as Diesel, as: (any Engine).self)
                    Shared(autowiring: Garage.init)
                }
                _ = try container.resolve.orThrow(Garage.self)
            }
        },
        Fault(
            "A generic protocol is registered with another type argument",
            "Nothing is registered for any Repository<Double>."
        ) {
            let container = DIContainer { Shared(Rows<Int>() as any Repository<Int>) }
            _ = try container.resolve.orThrow((any Repository<Double>).self)
        } fixes: {
            Fix("register it: `container.register { Shared(… as any Repository<Double>) }`") {
                let container = DIContainer { Shared(Rows<Int>() as any Repository<Int>) }
                container.register { Shared(Rows<Double>() as any Repository<Double>) }
                _ = try container.resolve.orThrow((any Repository<Double>).self)
            }
        },
    ]

    private static let names: [Fault] = [
        Fault("The type is only registered under a name", "Nothing is registered for Ticket.") {
            let container = DIContainer { Shared(Ticket(number: 1), name: "first") }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("request it by its name: `resolve(Ticket.self, name: \"first\")`") {
                let container = DIContainer { Shared(Ticket(number: 1), name: "first") }
                _ = container.resolve(Ticket.self, name: "first")
            }
            Fix("register it: `Shared(… as Ticket)`") {
                let container = DIContainer {
                    Shared(Ticket(number: 1), name: "first")
                    Shared(Ticket(number: 2) as Ticket)
                }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "An autowired type depends on a type that is only registered under a name",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer {
                Shared(Diesel() as any Engine, name: "main")
                Shared(autowiring: Car.init)
            }
            _ = try container.resolve.orThrow(Car.self)
        } fixes: {
            Fix(
                "pass a closure in place of `autowiring:`: `{ resolve in Car(…: resolve(name: \"main\")) }`",
                removing: ["autowiring:"]
            ) {
                let container = DIContainer {
                    Shared(Diesel() as any Engine, name: "main")
                    Shared { resolve in Car(engine: resolve(name: "main")) }
                }
                _ = try container.resolve.orThrow(Car.self)
            }
            Fix("register it: `Shared(… as any Engine)`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine, name: "main")
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
        },
        Fault(
            "A type autowired with arguments depends on a type only registered under a name",
            "Nothing is registered for any Engine."
        ) {
            let container = DIContainer {
                Shared(Diesel() as any Engine, name: "main")
                New(autowiring: Voyage.init, arguments: Int.self)
            }
            _ = try container.resolve.orThrow(Voyage.self, arguments: 7)
        } fixes: {
            Fix(
                """
                pass a closure in place of `autowiring:` and `arguments:`: \
                `{ resolve, int in Voyage(…: int, …: resolve(name: "main")) }`
                """, removing: ["autowiring:", "arguments:"]
            ) {
                let container = DIContainer {
                    Shared(Diesel() as any Engine, name: "main")
                    New { resolve, int in Voyage(number: int, engine: resolve(name: "main")) }
                }
                let voyage: Voyage = container.resolve(7)
                #expect(voyage.number == 7)
            }
            Fix("register it: `Shared(… as any Engine)`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: Voyage.init, arguments: Int.self)
                }
                let voyage: Voyage = container.resolve(7)
                #expect(voyage.number == 7)
            }
        },
        Fault("The type is registered without the requested name", "Nothing is registered for Ticket named \"first\".")
        {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            _ = try container.resolve.orThrow(Ticket.self, name: "first")
        } fixes: {
            Fix("request it without a name") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
            Fix("register it under the name: `Shared(… as Ticket, name: \"first\")`") {
                let container = DIContainer { Shared(Ticket(number: 1) as Ticket, name: "first") }
                _ = try container.resolve.orThrow(Ticket.self, name: "first")
            }
        },
        Fault("A type with a similar name is registered", "Nothing is registered for Voyage.") {
            struct Voyager: Sendable {}
            let container = DIContainer { Shared(Voyager()) }
            _ = try container.resolve.orThrow(Voyage.self)
        } fixes: {
            Fix("register it: `container.register { Shared(… as Voyage) }`") {
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
            Fix(
                """
                resolve from the container that registers it: `app.resolve(Ticket.self)`, `@Inject(from: app)` or \
                `DIContainer.withContainer(app) { … }`
                """
            ) {
                let app = DIContainer { Shared(Ticket(number: 1)) }
                _ = app.resolve(Ticket.self)
                @Inject(from: app) var ticket: Ticket
                let other = try DIContainer.withContainer(app) { try DIContainer.resolve.orThrow(Ticket.self) }
                #expect(ticket == other)
            }
            Fix("register it: `container.register { Shared(… as Ticket) }`") {
                let container = DIContainer()
                container.register { Shared(Ticket(number: 1) as Ticket) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault("A type is requested with an argument", "Nothing is registered for Ticket.") {
            let container = DIContainer { Shared(Diesel()) }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
        } fixes: {
            Fix("register it: `container.register { New { (_, _: Int) in … as Ticket } }`") {
                let container = DIContainer()
                container.register { New { (_, _: Int) in Ticket(number: 1) as Ticket } }
                _ = try container.resolve.orThrow(Ticket.self, arguments: 7)
            }
        },
        Fault("A named type is requested with an argument", "Nothing is registered for Ticket named \"x\".") {
            let container = DIContainer { Shared(Diesel()) }
            _ = try container.resolve.orThrow(Ticket.self, name: "x", arguments: 7)
        } fixes: {
            Fix("register it: `container.register { New({ (_, _: Int) in … as Ticket }, name: \"x\") }`") {
                let container = DIContainer()
                container.register { New({ (_, _: Int) in Ticket(number: 1) as Ticket }, name: "x") }
                _ = try container.resolve.orThrow(Ticket.self, name: "x", arguments: 7)
            }
        },
        Fault(
            "A parent's Shared depends on a type that no container registers", "Nothing is registered for any Engine."
        ) {
            let parent = DIContainer { Shared(autowiring: Car.init) }
            _ = try parent.makeChild().resolve.orThrow(Car.self)
        } fixes: {
            Fix("register it: `parent.register { Shared(… as any Engine) }`") {
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
        Fault("A child has to register the type", "Nothing is registered for Ticket, which a child has to register.") {
            let container = DIContainer { ProvidedByChild(Ticket.self) }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("register it in a child, and resolve from that child: `container.makeChild { Shared(… as Ticket) }`") {
                let container = DIContainer { ProvidedByChild(Ticket.self) }
                let child = container.makeChild { Shared(Ticket(number: 1) as Ticket) }
                _ = try child.resolve.orThrow(Ticket.self)
            }
        },
    ]

    private static let kinds: [Fault] = [
        Fault("An autowired type depends on the container", "Nothing is registered for DIContainer.") {
            let container = DIContainer { Shared(autowiring: Bureau.init) }
            _ = try container.resolve.orThrow(Bureau.self)
        } fixes: {
            Fix("use the resolver of a factory: `Shared { resolve in … }`") {
                let container = DIContainer {
                    Shared(Ticket(number: 1))
                    Shared { resolve in "\(resolve(Ticket.self).number)" }
                }
                _ = try container.resolve.orThrow(String.self)
            }
            Fix("use `DIContainer.current` for the container itself") {
                let container = DIContainer { Shared { _ in Bureau(app: DIContainer.current) } }
                _ = try container.resolve.orThrow(Bureau.self)
            }
        },
        Fault("An autowired type has a parameter with a lazy wrapper", "Nothing is registered for LazyInject<Ticket>.")
        {
            let container = DIContainer {
                Shared(Ticket(number: 1))
                Shared(autowiring: Kiosk.init)
            }
            _ = try container.resolve.orThrow(Kiosk.self)
        } fixes: {
            Fix("replace the lazy wrapper with a `Provider<Ticket>`") {
                final class Kiosk: Sendable { init(ticket: Provider<Ticket>) { #expect(ticket().number == 1) } }
                let container = DIContainer {
                    Shared(Ticket(number: 1))
                    Shared(autowiring: Kiosk.init)
                }
                _ = try container.resolve.orThrow(Kiosk.self)
            }
            Fix("create the lazy wrapper in a closure: `Shared { resolve in … }`") {
                let container = DIContainer {
                    Shared(Ticket(number: 1))
                    Shared { resolve in Kiosk(ticket: LazyInject()) }
                }
                _ = try container.resolve.orThrow(Kiosk.self)
            }
        },
        Fault("No type is stated", "Nothing is registered for Any.") {
            func takesAnything(_ value: Any) {}
            let container = DIContainer { Shared(Diesel()) }
            takesAnything(try container.resolve.orThrow())
        } fixes: {
            Fix(
                "state the type, because the compiler inferred `Any`: `resolve(Router.self)` or `let router: Router = resolve()`",
                removing: ["Any"]
            ) {
                struct Router: Sendable {}
                let resolve = DIContainer { Shared(Router()) }.resolve
                _ = resolve(Router.self)
                let router: Router = resolve()
                _ = router
            }
            Fix("register `Any` itself: `container.register { Shared(… as Any) }`") {
                func takesAnything(_ value: Any) {}
                let container = DIContainer()
                container.register {
                    Shared(mainActor: 1 as Any); New(1 as Any)
                }
                takesAnything(try container.resolve.orThrow())
            }
        },
        Fault(
            "A metatype is compared with the result of a request",
            "Nothing is registered for _OptionalNilComparisonType."
        ) {
            let container = DIContainer { Shared(Diesel.self as any Engine.Type) }
            _ = try container.resolve.orThrow(arguments: Diesel.self) as _OptionalNilComparisonType
        } fixes: {
            Fix("resolve before the comparison with nil: `let type: any P.Type = resolve()`") {
                typealias P = Engine
                let resolve = DIContainer { Shared(Diesel.self as any Engine.Type) }.resolve
                let type: any P.Type = resolve()
                #expect(type is Diesel.Type)
            }
        },
        Fault("A function is registered, and its result is requested", "Nothing is registered for Ticket.") {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                New(makeTicket)
            }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("register the result of the function: `New(autowiring: …)`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    New(autowiring: makeTicket)
                }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "An asynchronous function is registered, and its result is requested", "Nothing is registered for Ticket."
        ) {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                Shared(loadTicket)
            }
            _ = try container.resolve.orThrow(Ticket.self)
        } fixes: {
            Fix("register the result of the function: `Shared(async: { _ in … })`") {
                let container = DIContainer { Shared(async: { _ in await loadTicket(Diesel()) }) }
                _ = try await container.resolve.async(Ticket.self)
            }
        },
        Fault("An array of a registered type is requested", "Nothing is registered for Array<Engine>.") {
            let container = DIContainer { Shared(Diesel() as any Engine) }
            _ = try container.resolve.orThrow([any Engine].self)
        } fixes: {
            Fix("resolve all of them: `resolve.all((any Engine).self)`") {
                let container = DIContainer { Shared(Diesel() as any Engine) }
                #expect(container.resolve.all((any Engine).self).count == 1)
            }
            Fix("contribute its elements: `Shared(… as any Engine).into((any Engine).self)`") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                let engines = try container.resolve.orThrow([any Engine].self)
                #expect(engines.count == 1)
            }
        },
        Fault("An autowired type depends on an array of a registered type", "Nothing is registered for Array<Engine>.")
        {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                Shared(autowiring: Convoy.init)
            }
            _ = try container.resolve.orThrow(Convoy.self)
        } fixes: {
            Fix("change the type of the parameter to `All<any Engine>`") {
                final class Convoy: Sendable { init(engines: All<any Engine>) { #expect(engines.count == 1) } }
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Convoy.init)
                }
                _ = try container.resolve.orThrow(Convoy.self)
            }
            Fix("contribute its elements: `Shared(… as any Engine).into((any Engine).self)`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine).into((any Engine).self)
                    Shared(autowiring: Convoy.init)
                }
                _ = try container.resolve.orThrow(Convoy.self)
            }
        },
        Fault("One instance of a contributed type is requested", "Nothing is registered for any Engine.") {
            let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("resolve the collection: `resolve.all((any Engine).self)`") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                #expect(container.resolve.all((any Engine).self).count == 1)
            }
            Fix("register it: `container.register { Shared(… as any Engine) }`") {
                let container = DIContainer { Shared(Diesel() as any Engine).into((any Engine).self) }
                container.register { Shared(Diesel() as any Engine) }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
        Fault("Autowiring needs one instance of a contributed type", "Nothing is registered for any Engine.") {
            let container = DIContainer {
                Shared(Diesel()).into((any Engine).self)
                Shared(autowiring: Car.init)
            }
            _ = try container.resolve.orThrow(Car.self)
        } fixes: {
            Fix("change the type of the parameter to `[any Engine]`") {
                final class Car: Sendable { init(engines: [any Engine]) { #expect(engines.count == 1) } }
                let container = DIContainer {
                    Shared(Diesel()).into((any Engine).self)
                    Shared(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
            Fix("register it as that type: `Shared(… as any Engine)`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Shared(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
            Fix("add `as: (any Engine).self` to the registration at File.swift:1") {
                let container = DIContainer {
                    Shared(Diesel(), as: (any Engine).self).into((any Engine).self)
                    Shared(autowiring: Car.init)
                }
                _ = try container.resolve.orThrow(Car.self)
            }
        },
        Fault(
            "A contributed instance doesn't conform",
            "Ticket is contributed to the collection of any Engine, to which it does not conform."
        ) {
            let container = DIContainer { Shared(Ticket(number: 1)).into((any Engine).self) }
            _ = try container.resolve.orThrow([any Engine].self)
        } fixes: {
            Fix("make Ticket conform to any Engine") {
                struct Ticket: Engine { let kind = "ticket" }
                let container = DIContainer { Shared(Ticket()).into((any Engine).self) }
                _ = try container.resolve.orThrow([any Engine].self)
            }
            Fix("remove `.into((any Engine).self)`", removing: [".into((any Engine).self)"]) {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                _ = try container.resolve.orThrow(Ticket.self)
            }
        },
        Fault("An autowired parameter has a default", "Nothing is registered for Int.") {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                Scoped(autowiring: Leaflet.init)
            }
            _ = try container.resolve.orThrow(Leaflet.self)
        } fixes: {
            Fix("register it: `container.register { Shared(… as Int) }`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Scoped(autowiring: Leaflet.init)
                }
                container.register { Shared(20 as Int) }
                _ = try container.resolve.orThrow(Leaflet.self)
            }
            Fix("omit the parameter in a closure, if it has a default: `Scoped { resolve in Leaflet(…) }`") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Scoped { resolve in Leaflet(engine: resolve()) }
                }
                _ = try container.resolve.orThrow(Leaflet.self)
            }
        },
        Fault("A nested type is registered as its implementation", "Nothing is registered for any Harbor.Crane.") {
            let container = DIContainer { Shared(Harbor.SteelCrane()) }
            _ = try container.resolve.orThrow((any Harbor.Crane).self)
        } fixes: {
            Fix("register it as that type: `Shared(… as any Harbor.Crane)`") {
                let container = DIContainer { Shared(Harbor.SteelCrane() as any Harbor.Crane) }
                _ = try container.resolve.orThrow((any Harbor.Crane).self)
            }
            Fix("add `as: (any Harbor.Crane).self` to the registration at File.swift:1") {
                let container = DIContainer { Shared(Harbor.SteelCrane(), as: (any Harbor.Crane).self) }
                _ = try container.resolve.orThrow((any Harbor.Crane).self)
            }
        },
    ]
}

private typealias Fix = Fault.Fix
