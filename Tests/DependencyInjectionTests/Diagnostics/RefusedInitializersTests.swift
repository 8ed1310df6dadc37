import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private actor Kitchen {}

@globalActor private actor KitchenActor { static let shared = Kitchen() }

@KitchenActor private final class Meal: Sendable { init(_ ticket: Ticket) {} }

/// Registers an initializer with parameters without the label `autowiring:`.
private func withoutLabel() -> DIContainer {
    DIContainer {
        Shared(Bus.init, as: (any Starter).self)
        New { resolve in Trip(try resolve.orThrow((any Starter).self)) }
        Module("Garage") { New(Bus.init, name: "new", as: (any Starter).self) }
    }
}

private final class Bus: Starter {
    init(engine: any Engine) {}
    func start() -> String { "start" }
}

private final class Trip: Sendable { init(_ starter: any Starter) {} }

@Suite("Registrations whose initializer cannot be called")
struct RefusedInitializerTests {
    @Test("are an error of the alias, which advises `autowiring:`")
    func missingLabel() throws {
        let container = withoutLabel()
        let found = findings(container).filter { $0.isError }
        #expect(found.map(\.kind) == [.error(.typeMismatch), .error(.typeMismatch)], "\(found)")
        #expect(found.map(\.key) == ["any Starter", "any Starter named \"new\""])
        for finding in found { #expect(finding.description.contains("`autowiring:`"), "\(finding)") }
        for name in [nil, "new"] as [RegistrationName?] {
            let error = try #require(failure { _ = try container.resolve.orThrow((any Starter).self, name: name) })
            #expect(error.kind == "typeMismatch", "\(name)")
        }
    }

    @Test("are errors in another actor, even in a module that is registered again")
    func ofActor() async throws {
        let module = Module {
            Shared(autowiring: Meal.init)
            Shared(Ticket(number: 1))
        }
        let container = DIContainer { module }
        container.register { Module("Menu") { module } }
        for (row, found) in await allFindings(container) {
            #expect(found.map(\.kind) == [.error(.factoryFailed)], "\(found)")
            let text = try #require(found.first).description
            #expect(
                text.contains("Meal cannot be built: its initializer is isolated to Kitchen and has to be awaited."),
                "\(row)")
            #expect(text.contains("\n  fix: register a factory that awaits the initializer"), "\(row)")
        }
    }

    @Test("don't hide a failure of another registration for the key")
    func inTree() async {
        let parent = DIContainer {
            Shared(autowiring: Meal.init)
            Shared(autowiring: { (meal: Meal) in Wheel() })
        }
        let child = parent.makeChild { Shared { _ -> Meal in throw Sabotage() } }
        let found = await builtFindings(child).filter { $0.key == "Meal" }
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)], "\(found)")
        #expect(Set(found.map(\.line)).count == 2)
    }
}
