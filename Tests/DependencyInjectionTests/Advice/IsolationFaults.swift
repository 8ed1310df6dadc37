import DependencyInjection
import Testing

extension Fix {
    /// Creates an alternative that makes the same plain request on the main actor.
    fileprivate init<T: Sendable>(onMainActor type: T.Type) {
        self.init(requesting: "request it on the main actor: mark the caller `@MainActor`, or use `MainActor.run`") {
            container in
            @MainActor func caller() throws { _ = try container.resolve.orThrow(type) }
            try await caller()
            return try await MainActor.run { try container.resolve.orThrow(type) }
        }
    }

    /// Creates an alternative that awaits the request. A cached instance is then requested without awaiting.
    fileprivate init<T: Sendable>(awaiting type: T.Type, isCached: Bool = true) {
        self.init(requesting: "request it with `try await resolve.async`") { container in
            let resolve = container.resolve
            let instance = try await resolve.async(type)
            return isCached ? try container.resolve.orThrow(type) : instance
        }
    }
}

// Requests off the main actor, and plain requests for asynchronous types.
extension Fault {
    static let isolationFaults = mainActor + asynchronous

    private static let problem = "Window is isolated to the main actor but was requested off it."

    private static let mainActor: [Fault] = [
        Fault(
            requesting: Diesel.self, "A main-actor type is requested off the main actor",
            "Diesel is isolated to the main actor but was requested off it."
        ) {
            Shared(mainActor: Diesel())
        } fixes: {
            Fix(onMainActor: Diesel.self)
        },
        Fault(requesting: Ticket.self, "A closure off the main actor requests a main-actor type by an alias", problem) {
            New(mainActor: Window(), as: AnyObject.self)
            Shared { resolve in Ticket(number: [try resolve.orThrow(AnyObject.self)].count) }
        } fixes: {
            Fix(replacing: "register Ticket with `mainActor:`") {
                New(mainActor: Window(), as: AnyObject.self)
                Shared(mainActor: { resolve in Ticket(number: [try resolve.orThrow(AnyObject.self)].count) })
            }
            Fix(onMainActor: Ticket.self)
        },
        Fault(
            "An asynchronous factory requests a main-actor type off the main actor", problem,
            request: { try await $0.resolve.async(Dependent<Window>.self) },
            of: {
                Shared(mainActor: Window())
                Shared(async: { resolve in Dependent<Window>(try resolve.orThrow()) })
            }
        ) {
            Fix(replacing: "request it on the main actor: mark the caller `@MainActor`, or use `MainActor.run`") {
                Shared(mainActor: Window())
                Shared(async: { resolve in
                    try await MainActor.run { Dependent<Window>(try resolve.orThrow()) }
                })
            }
        },
        Fault(
            requesting: Ledger.self, "An initializer of another actor is autowired",
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
        Fault(
            requesting: Diesel.self, "An asynchronous Shared is requested before it is awaited",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            Shared(async: { _ in Diesel() })
        } fixes: {
            Fix(requesting: "call `try await container.prepare()` before the first request") { container in
                try await container.prepare()
                return try container.resolve.orThrow(Diesel.self)
            }
            Fix(awaiting: Diesel.self)
        },
        Fault(
            "An asynchronous Shared with arguments is requested before it is awaited",
            "Ticket is built by an asynchronous factory, which has not been awaited.",
            request: { try $0.resolve.orThrow(Ticket.self, arguments: 7) },
            of: { Shared(async: { (_, number: Int) in Ticket(number: number) }) }
        ) {
            Fix(requesting: "request it with `try await resolve.async`") {
                try await $0.resolve.async(Ticket.self, arguments: 7)
            }
        },
        Fault(
            requesting: Diesel.self, "An asynchronous New is requested without await",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            New(async: { _ in Diesel() })
        } fixes: {
            Fix(awaiting: Diesel.self, isCached: false)
        },
        Fault(
            requesting: Dependent<Diesel>.self, "A plain factory requests an asynchronous New",
            "Diesel is built by an asynchronous factory, which has not been awaited."
        ) {
            New(async: { _ in Diesel() }, as: (any Engine).self)
            Weak { resolve in Dependent<Diesel>(try resolve.orThrow()) }
        } fixes: {
            Fix(
                """
                register Dependent<Diesel> with `Shared(async:)`, and request it with `try await resolve.async` there
                """
            ) {
                let container = DIContainer {
                    New(async: { _ in Diesel() })
                    Shared(async: { resolve in Dependent(try await resolve.async(Diesel.self)) })
                }
                _ = try await container.resolve.async(Dependent<Diesel>.self)
            }
        },
        Fault(
            "An asynchronous factory requests an asynchronous New without await",
            "Diesel is built by an asynchronous factory, which has not been awaited.",
            request: { try await $0.resolve.async(Dependent<Diesel>.self) },
            of: {
                New(async: { _ in Diesel() })
                Shared(async: { resolve in Dependent<Diesel>(try resolve.orThrow()) })
            }
        ) {
            Fix(replacing: "request it with `try await resolve.async`") {
                New(async: { _ in Diesel() })
                Shared(async: { resolve in Dependent<Diesel>(try await resolve.async()) })
            }
        },
        Fault(
            requesting: Ticket.self, "An asynchronous Scoped is requested in a container without a parent",
            "Ticket is built by an asynchronous factory, which has not been awaited.", in: [.root, .forkOfRoot]
        ) {
            Scoped(async: { _ in Ticket(number: 1) })
        } fixes: {
            Fix(requesting: "request it in a child, after `try await child.prepare()`") { container in
                let child = container.makeChild()
                try await child.prepare()
                return try child.resolve.orThrow(Ticket.self)
            }
            Fix(awaiting: Ticket.self)
        },
        Fault(
            requesting: Dependent<Ticket>.self,
            "A New of a container without a parent depends on an asynchronous Scoped",
            "Ticket is built by an asynchronous factory, which has not been awaited.", in: [.root, .forkOfRoot]
        ) {
            Scoped(async: { _ in Ticket(number: 1) })
            New { resolve in Dependent<Ticket>(try resolve.orThrow()) }
        } fixes: {
            Fix(requesting: "request it in a child, after `try await child.prepare()`") { container in
                let child = container.makeChild()
                try await child.prepare()
                return try child.resolve.orThrow(Dependent<Ticket>.self)
            }
            Fix(awaiting: Dependent<Ticket>.self, isCached: false)
        },
        Fault(
            requesting: Car.self,
            "A New that a Shared of a container without a parent requests depends on an asynchronous Scoped",
            "Ticket is built by an asynchronous factory, which has not been awaited.", in: [.root, .forkOfRoot]
        ) {
            Scoped(async: { _ in Ticket(number: 1) })
            New { resolve in Diesel(kind: "\(try resolve.orThrow(Ticket.self))") }
            Shared { resolve in Car(engine: try resolve.orThrow(Diesel.self)) }
        } fixes: {
            Fix("register Diesel with `New(async:)`, and request it with `try await resolve.async` there") {
                let container = DIContainer {
                    Scoped(async: { _ in Ticket(number: 1) })
                    New(async: { resolve in Diesel(kind: "\(try await resolve.async(Ticket.self))") })
                    Shared(async: { resolve in Car(engine: try await resolve.async(Diesel.self)) })
                }
                _ = try await container.resolve.async(Car.self)
            }
        },
        Fault(
            "An asynchronous Scoped is requested in a child that is not prepared",
            "Ticket is built by an asynchronous factory, which has not been awaited.",
            request: { try $0.makeChild().resolve.orThrow(Ticket.self) },
            of: { Scoped(async: { _ in Ticket(number: 1) }) }
        ) {
            Fix(requesting: "call `try await container.prepare()` before the first request") { container in
                let child = container.makeChild()
                try await child.prepare()
                return try child.resolve.orThrow(Ticket.self)
            }
            Fix(requesting: "request it with `try await resolve.async`") { container in
                let child = container.makeChild()
                let resolve = child.resolve
                _ = try await resolve.async(Ticket.self)
                return try child.resolve.orThrow(Ticket.self)
            }
        },
    ]
}
