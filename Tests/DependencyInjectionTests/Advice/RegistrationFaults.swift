import DependencyInjection
import Testing

// Requests for unregistered types.
extension Fault {
    static let registrationFaults = implementations + names + containers + kinds

    private static let implementations: [Fault] = [
        Fault(
            requesting: (any Engine).self, "An implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel())
        } fixes: {
            Fix(replacing: "add `as: (any Engine).self` to the registration at File.swift:1") {
                Shared(Diesel(), as: (any Engine).self)
            }
        },
        Fault(
            requesting: Car.self, "An implementation is registered, and an autowired type depends on the protocol",
            "Nothing is registered for any Engine.", finding: "Nothing is registered for any Engine, which Car needs."
        ) {
            Scoped(Diesel())
            New(autowiring: Car.init)
        } fixes: {
            Fix(replacing: "add `as: (any Engine).self` to the registration at File.swift:1") {
                Scoped(Diesel(), as: (any Engine).self)
                New(autowiring: Car.init)
            }
        },
        Fault(
            requesting: (any Engine).self, "A named implementation is registered, and the protocol is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel(), name: "main")
        } fixes: {
            Fix(adding: "register any Engine") { Shared(Diesel() as any Engine) }
        },
        Fault(
            requesting: Diesel.self, "A protocol is registered, and the implementation is requested",
            "Nothing is registered for Diesel."
        ) {
            Scoped(Diesel() as any Engine)
        } fixes: {
            Fix(requesting: "request the registered type, any Engine") { try $0.resolve.orThrow((any Engine).self) }
            Fix(replacing: "register Diesel with `as: (any Engine).self`") {
                Scoped(Diesel() as Diesel, as: (any Engine).self)
            }
        },
        Fault(
            "A protocol is registered under a name, and the implementation is requested by it",
            "Nothing is registered for Diesel named \"main\".",
            request: { try $0.resolve.orThrow(Diesel.self, name: "main") },
            of: { Shared(Diesel() as any Engine, name: "main") }
        ) {
            Fix(requesting: "request the registered type, any Engine named \"main\"") {
                try $0.resolve.orThrow((any Engine).self, name: "main")
            }
            Fix(replacing: "register Diesel named \"main\" with `as: (any Engine).self`") {
                Shared(Diesel() as Diesel, name: "main", as: (any Engine).self)
            }
        },
        Fault(
            requesting: Bicycle.self, "The superclass is registered, and the class is requested",
            "Nothing is registered for Bicycle."
        ) {
            Shared(Vehicle())
        } fixes: {
            Fix(adding: "register Bicycle") { Shared(Bicycle() as Bicycle) }
        },
    ]

    private static let names: [Fault] = [
        Fault(requesting: Ticket.self, "The type is only registered under a name", "Nothing is registered for Ticket.")
        {
            Shared(Ticket(number: 1), name: "first")
        } fixes: {
            Fix(requesting: "request it by its name \"first\"") { try $0.resolve.orThrow(Ticket.self, name: "first") }
            Fix(adding: "register it without a name") { Shared(Ticket(number: 2) as Ticket) }
        },
        Fault(
            requesting: Car.self, "An autowired type depends on a type that is only registered under a name",
            "Nothing is registered for any Engine.", finding: "Nothing is registered for any Engine, which Car needs."
        ) {
            Shared(Diesel() as any Engine, name: "main")
            Shared(autowiring: Car.init)
        } fixes: {
            Fix(replacing: "request it by its name \"main\" in a closure, which replaces `autowiring:`") {
                Shared(Diesel() as any Engine, name: "main")
                Shared { resolve in Car(engine: resolve(name: "main")) }
            }
            Fix(adding: "register it without a name") { Shared(Diesel() as any Engine) }
        },
        Fault(
            "The type is registered without the requested name", "Nothing is registered for Ticket named \"first\".",
            request: { try $0.resolve.orThrow(Ticket.self, name: "first") }, of: { Shared(Ticket(number: 1)) }
        ) {
            Fix(requesting: "request it without a name") { try $0.resolve.orThrow(Ticket.self) }
            Fix(adding: "register it under the name \"first\"") { Shared(Ticket(number: 1) as Ticket, name: "first") }
        },
    ]

    private static let decoration = Module { Decorate(Ticket.self) { base, _ in base } }

    private static let containers: [Fault] = [
        Fault(requesting: Ticket.self, "The container is empty", "Nothing is registered for Ticket.") {
        } fixes: {
            Fix("resolve from the container that registers it, with `@Inject(from:)` or `DIContainer.withContainer`") {
                let app = DIContainer { Shared(Ticket(number: 1)) }
                _ = app.resolve(Ticket.self)
                @Inject(from: app) var ticket: Ticket
                let other = try DIContainer.withContainer(app) { try DIContainer.resolve.orThrow(Ticket.self) }
                #expect(ticket == other)
            }
            Fix(adding: "register Ticket") { Shared(Ticket(number: 1) as Ticket) }
        },
        Fault(
            "A type is requested with an argument", "Nothing is registered for Ticket.",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: 7) }, of: { Shared(Diesel()) }
        ) {
            Fix(adding: "register Ticket with a factory that takes (Int)") {
                New { (_, _: Int) in Ticket(number: 1) as Ticket }
            }
        },
        Fault(
            "A parent's Shared depends on a type that no container registers", "Nothing is registered for any Engine.",
            request: { try $0.makeChild().resolve.orThrow(Car.self) }, of: { Shared(autowiring: Car.init) }
        ) {
            Fix(adding: "register any Engine in the parent") { Shared(Diesel() as any Engine) }
        },
        Fault(
            "A parent's Shared depends on a type that only the child registers",
            """
            Nothing is registered for any Engine in the container that caches Car, and a parent does not see its children's \
            registrations.
            """,
            request: { try $0.makeChild { Shared(Diesel() as any Engine) }.resolve.orThrow(Car.self) },
            of: { Shared(autowiring: Car.init) }
        ) {
            Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                for parent in [DIContainer { Scoped(autowiring: Car.init) }, DIContainer { New(autowiring: Car.init) }]
                {
                    _ = try parent.makeChild { Shared(Diesel() as any Engine) }.resolve.orThrow(Car.self)
                }
            }
            Fix(adding: "register any Engine in the parent") { Shared(Diesel() as any Engine) }
        },
        Fault(
            requesting: Dependent<Car>.self, "The innermost of two Shared depends on a type that children register",
            """
            Nothing is registered for any Engine in the container that caches Car, and a parent does not see its children's \
            registrations.
            """
        ) {
            ProvidedByChild((any Engine).self)
            Shared(autowiring: Car.init)
            Shared(autowiring: Dependent<Car>.init)
        } fixes: {
            Fix("register Car with `Scoped` or `New`, so that the child builds it") {
                let parent = DIContainer {
                    ProvidedByChild((any Engine).self)
                    Scoped(autowiring: Car.init)
                    New(autowiring: Dependent<Car>.init)
                }
                #expect(findings(parent).isEmpty)
                _ = try parent.makeChild { Shared(Diesel() as any Engine) }.resolve.orThrow(Dependent<Car>.self)
            }
            Fix(adding: "register any Engine in the parent") { Shared(Diesel() as any Engine) }
        },
        Fault(
            "A child decorates a type that its parent registers",
            "Ticket is decorated in a child, but only its parent registers it.",
            request: { try $0.makeChild { decoration }.resolve.orThrow(Ticket.self) },
            of: { Shared(Ticket(number: 1)) }
        ) {
            Fix(adding: "decorate it in the parent, or also register it in the child") { decoration }
            Fix(requesting: "replace the child with a copy: `container.fork`") {
                try $0.fork { decoration }.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            requesting: Ticket.self, "A child has to register the type",
            "Nothing is registered for Ticket, which a child has to register."
        ) {
            ProvidedByChild(Ticket.self)
        } fixes: {
            Fix(requesting: "register Ticket in a child, and resolve from that child") {
                try $0.makeChild { Shared(Ticket(number: 1) as Ticket) }.resolve.orThrow(Ticket.self)
            }
        },
    ]

    private static let kinds: [Fault] = [
        Fault(requesting: Ticket.self, "The Optional of the type is registered", "Nothing is registered for Ticket.") {
            Shared(Ticket(number: 1) as Ticket?)
        } fixes: {
            Fix(replacing: "unwrap Optional<Ticket> before it is registered, because no request resolves an Optional") {
                if let ticket = Ticket(number: 1) as Ticket? { Shared(ticket) }
            }
        },
        Fault(
            requesting: [any Engine].self, "An array of a registered type is requested",
            "Nothing is registered for Array<any Engine>."
        ) {
            Shared(Diesel() as any Engine)
        } fixes: {
            Fix(adding: "register Array<any Engine>") { Shared([Diesel()] as [any Engine]) }
        },
        Fault(
            requesting: (any Engine).self, "One instance of a contributed type is requested",
            "Nothing is registered for any Engine."
        ) {
            Shared(Diesel() as any Engine).into((any Engine).self)
        } fixes: {
            Fix(requesting: "request `[any Engine]`, which contains all contributions") {
                try #require($0.resolve.orThrow([any Engine].self).first)
            }
            Fix(adding: "register any Engine") { Shared(Diesel() as any Engine) }
        },
        Fault(
            requesting: [any Engine].self, "A contributed instance doesn't conform",
            "Ticket is registered as any Engine, to which it does not conform.",
            finding: "Ticket is contributed to the collection of any Engine, and does not conform."
        ) {
            Shared(Ticket(number: 1)).into((any Engine).self)
        } fixes: {
            Fix(replacing: "register an instance that conforms to any Engine") {
                Shared(Diesel()).into((any Engine).self)
            }
            Fix(replacing: "remove `.into((any Engine).self)`") {
                Shared(Ticket(number: 1))
                Shared(Diesel()).into((any Engine).self)
            }
        },
    ]
}
