import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private actor Kitchen {}

@globalActor private actor KitchenActor { static let shared = Kitchen() }

@KitchenActor private final class Meal: Sendable { init(_ ticket: Ticket) {} }

/// What is deprecated may be written in what is deprecated, and called through a protocol.
private protocol Refusing {
    /// Registers a bus by an initializer that takes parameters, without a label.
    func container() -> DIContainer
}

private struct Refused: Refusing {
    @available(*, deprecated) func container() -> DIContainer {
        DIContainer {
            Shared(Bus.init, as: (any Starter).self)
            Shared(autowiring: { (bus: Bus) in Wheel() })
            New { resolve in Trip(try resolve.orThrow((any Starter).self)) }
            Module("Garage") { New(Bus.init, name: "new", as: (any Starter).self) }
        }
    }
}

private final class Bus: Starter {
    init(engine: any Engine) {}
    func start() -> String { "start" }
}

private final class Trip: Sendable { init(_ starter: any Starter) {} }

@Suite("Registrations whose initializer cannot be called")
struct RefusedInitializerTests {
    private let refused: any Refusing = Refused()

    @Test("are errors, once each, that say which label to write")
    func withoutLabel() async throws {
        let container = refused.container()
        for found in [findings(container), await builtFindings(container)] {
            #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)], "\(found)")
            #expect(found.map(\.key) == ["Bus", "Bus named \"new\""] && found.allSatisfy { $0.isError })
            let text = try #require(found.first).description
            #expect(
                text.hasPrefix(
                    "Bus cannot be built: its initializer takes parameters, and is registered without `autowiring:`.\n")
            )
            #expect(text.contains("\n  fix: write `autowiring:` before the initializer"))
        }
    }

    @Test("say at a request which label to write")
    func request() throws {
        let container = refused.container()
        for error in [
            failure { _ = try container.resolve.orThrow(Bus.self) },
            failure { _ = try container.resolve.orThrow((any Starter).self) },
            failure { _ = try container.resolve.orThrow((any Starter).self, name: "new") },
        ] {
            let error = try #require(error)
            #expect(error.kind == "factoryFailed")
            #expect(
                error.description.contains(
                    " cannot be built: its initializer takes parameters, and is registered without `autowiring:`"))
            #expect(
                error.description.hasSuffix(
                    "\n  fix: write `autowiring:` before the initializer, so that its parameters are resolved"))
        }
    }

    @Test("are errors if the initializer belongs to another actor, in a module that is registered again, too")
    func ofActor() async throws {
        let module = Module {
            Shared(autowiring: Meal.init)
            Shared(Ticket(number: 1))
        }
        let container = DIContainer { module }
        container.register { Module("Menu") { module } }
        for found in [findings(container), await builtFindings(container)] {
            #expect(found.map(\.kind) == [.error(.factoryFailed)], "\(found)")
            let text = try #require(found.first).description
            #expect(
                text.contains("Meal cannot be built: its initializer is isolated to Kitchen and has to be awaited."))
            #expect(text.contains("\n  fix: register a factory that awaits the initializer"))
        }
    }

    @Test("hide no failure of another registration for the key")
    func inTree() async {
        let parent = refused.container()
        let child = parent.makeChild { Shared { _ -> Bus in throw Sabotage() } }
        let found = await builtFindings(child).filter { $0.key == "Bus" }
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)], "\(found)")
        #expect(Set(found.map(\.line)).count == 2)
    }
}
