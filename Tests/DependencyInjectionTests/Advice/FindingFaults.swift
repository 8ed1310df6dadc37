import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

// Faults that validation finds. A program that follows the fix has no findings.
extension Fault {
    static let findingFaults = registrations + dependencies + builds

    private static let makeCar: @Sendable (Diesel) -> Car = { Car(engine: $0) }

    private static let registrations: [Fault] = [
        Fault(
            "A second registration of a class replaces the first",
            finding: "Diesel replaces the registration at File.swift:1."
        ) {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Diesel(), as: (any Starter).self)
        } fixes: {
            Fix(replacing: "remove one of the two, and list any Engine, any Starter in `as:` of the other") {
                Shared(Diesel() as Diesel, as: (any Engine).self, (any Starter).self)
            }
            Fix(replacing: "contribute both with `.into((any Engine).self)`") {
                Shared(Diesel() as any Engine).into((any Engine).self)
                Shared(Diesel() as any Engine).into((any Engine).self)
            }
        },
        Fault(
            "A second registration of a protocol replaces the first",
            finding: "any Engine replaces the registration at File.swift:1."
        ) {
            Shared(Diesel() as any Engine)
            Shared(Diesel() as any Engine)
        } fixes: {
            Fix(replacing: "remove one of the two, or give it a name") {
                Shared(Diesel() as any Engine)
                Shared(Diesel() as any Engine, name: "second")
            }
            Fix(replacing: "contribute both with `.into((any Engine).self)`") {
                Shared(Diesel() as any Engine).into((any Engine).self)
                Shared(Diesel() as any Engine).into((any Engine).self)
            }
        },
        Fault(
            "A function is registered without autowiring", "(Diesel) -> Car is a function, not its result.",
            text: { try only(DIContainer { New(makeCar) }).description.replacing("@Sendable ", with: "") }
        ) {
            Fix(replacing: "write `autowiring:` before it") {
                Shared(Diesel())
                New(autowiring: makeCar)
            }
            Fix(replacing: "register it with a name, if you need the function itself") { New(makeCar, name: "make") }
        },
        Fault("A decorated type is not registered", finding: "Ticket is decorated, but not registered.") {
            Decorate(Ticket.self) { base, _ in base }
        } fixes: {
            Fix(adding: "register Ticket") { Shared(Ticket(number: 1) as Ticket) }
            Fix(replacing: "remove the decorator") { Shared(Ticket(number: 1)) }
        },
        Fault(
            "A name is misspelled", "Ticket named \"frist\" is never requested, but Ticket named \"first\" is.",
            text: {
                let container = DIContainer {
                    Shared(Ticket(number: 1), name: "frist")
                    Decorate(Ticket.self, name: "first") { base, _ in base }
                }
                return try #require(findings(container).first { $0.kind == .similarName }).description
            }
        ) {
            Fix(replacing: "use one name for both") {
                Shared(Ticket(number: 1), name: "first")
                Decorate(Ticket.self, name: "first") { base, _ in base }
            }
        },
    ]

    private static let dependencies: [Fault] = [
        Fault("A parameter of a Shared is missing", finding: "Nothing is registered for any Engine, which Car needs.") {
            Shared(autowiring: Car.init)
        } fixes: {
            Fix(adding: "register any Engine") { Shared(Diesel() as any Engine) }
            Fix(replacing: "make the parameter an Optional") { Shared(autowiring: Dependent<(any Engine)?>.init) }
        },
        Fault("A parameter of a New is missing", finding: "Nothing is registered for any Engine, which Car needs.") {
            New(autowiring: Car.init)
        } fixes: {
            Fix(adding: "register any Engine") { Shared(Diesel() as any Engine) }
            Fix(adding: "declare it with `ProvidedByChild`, if each child registers it") {
                ProvidedByChild((any Engine).self)
            }
        },
        Fault(
            "A parameter's factory takes arguments",
            finding: "Dependent<Ticket> needs Ticket, whose factory takes (Int), and supplies ()."
        ) {
            New { (_, number: Int) in Ticket(number: number) }
            Shared(autowiring: Dependent<Ticket>.init)
        } fixes: {
            Fix(replacing: "change the type of the parameter to `Provider<Ticket, Int>`") {
                New { (_, number: Int) in Ticket(number: number) }
                Shared(autowiring: Dependent<Provider<Ticket, Int>>.init)
            }
        },
        Fault(
            "Validation finds a plain factory that depends on an asynchronous New",
            finding: "Dependent<Diesel> needs Diesel, which only `await` can build."
        ) {
            New(async: { _ in Diesel() })
            Shared(autowiring: Dependent<Diesel>.init)
        } fixes: {
            Fix("also register Dependent<Diesel> with `async:`") {
                let container = DIContainer {
                    New(async: { _ in Diesel() })
                    Shared(async: { resolve in Dependent(try await resolve.async(Diesel.self)) })
                }
                #expect(findings(container).isEmpty)
                try await container.prepare()
                _ = try container.resolve.orThrow(Dependent<Diesel>.self)
            }
        },
        Fault(
            "Validation finds a plain factory that depends on an asynchronous Shared",
            finding: "Car needs any Engine, which only `await` can build and which is not built yet."
        ) {
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Shared(autowiring: Car.init)
        } fixes: {
            Fix(requesting: "call `try await container.prepare()` before the first request") { container in
                try await container.prepare()
                #expect(findings(container).isEmpty)
                return try container.resolve.orThrow(Car.self)
            }
        },
        Fault(
            "Validation finds a plain Scoped that depends on an asynchronous Scoped",
            finding: "Dependent<Diesel> needs Diesel, which only `await` can build and which is not built yet."
        ) {
            Scoped(async: { _ in Diesel() })
            Scoped(autowiring: Dependent<Diesel>.init)
        } fixes: {
            Fix(requesting: "call `try await child.prepare()` in each child before the first request") { container in
                let child = container.makeChild()
                try await child.prepare()
                #expect(findings(child).isEmpty)
                return try child.resolve.orThrow(Dependent<Diesel>.self)
            }
        },
        Fault(
            "A provider with an argument provides an unregistered type",
            finding: "Nothing is registered for Ticket, which Dependent<Provider<Ticket, Int>> needs."
        ) {
            Shared(autowiring: Dependent<Provider<Ticket, Int>>.init)
        } fixes: {
            Fix(requesting: "register Ticket with a factory that takes (Int)") { container in
                container.register(New { (_, _: Int) in Ticket(number: 1) as Ticket })
                #expect(findings(container).isEmpty)
                return try container.resolve.orThrow(Dependent<Provider<Ticket, Int>>.self).dependency(1)
            }
            Fix(replacing: "make the parameter an Optional") {
                Shared(autowiring: Dependent<Provider<Ticket?, Int>>.init)
            }
        },
        Fault(
            "Validation finds a main-actor dependency of an autowired type off the main actor",
            finding: "Dependent<Window> needs Window, which is isolated to the main actor."
        ) {
            Shared(mainActor: Window())
            Shared(autowiring: Dependent<Window>.init)
        } fixes: {
            Fix(replacing: "register Dependent<Window> with `mainActor:`") {
                Shared(mainActor: Window())
                Shared(autowiring: { @MainActor (window: Window) in Dependent(window) })
            }
            Fix("mark its initializer `@MainActor`") {
                final class Cabin: Sendable { @MainActor init(window: Window) {} }
                let container = DIContainer {
                    Shared(mainActor: Window())
                    Shared(autowiring: Cabin.init)
                }
                #expect(findings(container).isEmpty)
            }
        },
        Fault(
            "A Shared depends on a type that children register",
            finding: "Car needs any Engine, which only children register, but their parent caches Car."
        ) {
            ProvidedByChild((any Engine).self)
            Shared(autowiring: Car.init)
        } fixes: {
            Fix(replacing: "register Car with `Scoped` or `New`, so that the child builds it") {
                ProvidedByChild((any Engine).self)
                Scoped(autowiring: Car.init)
                New(autowiring: Car.init, name: "new")
            }
            Fix(adding: "register any Engine in the parent") { Shared(Diesel() as any Engine) }
        },
    ]

    private static let builds: [Fault] = [
        Fault(
            "A registration with arguments is not built", finding: "Ticket was not built, because it takes arguments.",
            by: .building
        ) {
            New { (_, number: Int) in Ticket(number: number) }
        } fixes: {
            Fix(
                validating: "pass arguments with `.building(arguments:)`",
                .building { $0.type == Ticket.self ? [1 as Int] : nil })
        },
        Fault(
            "A main-actor registration with arguments is not built",
            finding: "Ticket was not built, because it takes arguments and it is isolated to the main actor.",
            by: .building
        ) {
            New(mainActor: { (_, number: Int) in Ticket(number: number) })
        } fixes: {
            Fix(
                validating: "pass arguments and the main actor with `.building(includingMainActor: true, arguments:)`",
                .building(includingMainActor: true) { $0.type == Ticket.self ? [1 as Int] : nil })
        },
        Fault(
            "A factory blocks", finding: "Building Ticket takes longer than 0.05 seconds.",
            by: .building(within: .milliseconds(50))
        ) {
            Shared { _ in
                Thread.sleep(forTimeInterval: 3_600)
                return Ticket(number: 1)
            }
        } fixes: {
            Fix(validating: "remove the wait from the factory, or register a stand-in that does not wait") {
                $0.fork { Shared(Ticket(number: 2)) }
            }
            Fix(validating: "allow more time with `.building(within:)`", .building(within: .seconds(60))) { _ in
                DIContainer { Shared(Ticket(number: 1)) }
            }
        },
        Fault("A close handler fails", finding: "The `onClose` of Ticket failed: sabotaged", by: .building) {
            Shared(Ticket(number: 1)).onClose { _ in throw Sabotage() }
        } fixes: {
            Fix(validating: "remove the cause of that error") { _ in
                DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }
            }
            Fix(validating: "register a stand-in that can be closed") { $0.fork { Shared(Ticket(number: 1)) } }
        },
    ]
}
