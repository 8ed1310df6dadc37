import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Unchecked registrations and the arguments of factories")
struct UncheckedRegistrationTests {
    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(autowiring: Car.init)
        New { _, number in Ticket(number: number) }
        Shared(name: "closure") { resolve in Diesel(kind: (resolve() as Car).engine.kind) }
        Shared(name: "plain") { Diesel() }
        ProvidedByChild((any Starter).self)
    }

    @Test("Expressions and closures are unchecked, initializers and literals aren't")
    func uncheckedRegistrations() {
        let graph = container.graph
        #expect(
            graph.uncheckedRegistrations.map(\.key) == [
                "any Engine", "Ticket", "Diesel named \"closure\"", "Diesel named \"plain\"",
            ])
        #expect(
            graph.description.hasSuffix(
                """
                \n4 of 5 registrations are expressions or closures, whose dependencies are only known when they run: use \
                `autowiring:`, `.building` or the audit
                """)
        )
        let wired = DIContainer { Shared(autowiring: Car.init) }
        #expect(!wired.graph.description.contains("closure"))
    }

    @Test("Numbers, Booleans and strings are literals, and other expressions are unchecked")
    func literals() {
        let literals = DIContainer {
            Shared(1)
            Shared(1.5 as Float)
            Shared(true)
            Shared("text", name: "greeting")
            Shared("x" as Character)
            New(mainActor: 2 as UInt8)
        }
        #expect(literals.graph.uncheckedRegistrations.isEmpty && literals.graph.uncheckedSummary == nil)
        let stored = Ticket(number: 1)
        let expressions = DIContainer {
            Shared(stored)
            Shared([1, 2])
            Shared(Diesel.init)
            Shared(name: "closure") { Diesel() }
            Shared(mainActor: Diesel() as any Engine)
            Shared(mainActor: { Diesel() as any Starter })
            Shared { resolve in resolve(Ticket.self).number }
        }
        #expect(expressions.graph.uncheckedRegistrations.count == 7)
        let declared = DIContainer { Shared(autowiring: Diesel.init as @Sendable () -> Diesel) }
        #expect(declared.graph.uncheckedRegistrations.isEmpty)
    }

    @Test("The summary counts one registration in the singular")
    func summary() {
        let one = DIContainer {
            Shared(Diesel() as any Engine)
            Shared(autowiring: Car.init)
        }
        #expect(
            one.graph.uncheckedSummary == """
                1 of 2 registrations is an expression or closure, whose dependencies are only known when they run: use \
                `autowiring:`, `.building` or the audit
                """)
    }

    @Test("A decorated registration and an asynchronous factory are unchecked")
    func decorated() {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Decorate((any Engine).self) { base, _ in base }
            Shared(async: { _ in Ticket(number: 1) })
        }
        #expect(container.graph.uncheckedRegistrations.count == 2)
    }

    @Test("A cycle of two closures passes, and is counted")
    func cycle() throws {
        struct Hen: Sendable { init(_ egg: Egg) {} }
        struct Egg: Sendable { init() {} }
        let container = DIContainer {
            Shared { resolve in Hen(resolve()) }
            Shared { (resolve: Resolver) in
                _ = resolve(Hen.self)
                return Egg()
            }
        }
        #expect(try container.validate().isEmpty)
        #expect(container.graph.uncheckedRegistrations.count == 2)
    }

    @Test("The arguments of a factory are in listings, in the graph and in descriptions")
    func arguments() throws {
        let ticket = try #require(container.registrations.first { $0.type == Ticket.self })
        #expect(ticket.arguments.map { "\($0)" } == ["Int"])
        #expect(ticket.description.hasPrefix("New Ticket (Int)  ("))
        #expect(container.graph.mermaid().contains("New Ticket (Int)"))
        #expect(container.graph.description.contains("New Ticket (Int)"))
        #expect(container.registrations.first?.arguments.isEmpty == true)
    }
}
