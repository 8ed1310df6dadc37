import DependencyInjection
import Testing

@Suite("Autowiring initializers of actors")
struct AutowiringIsolationTests {
    @globalActor actor Kitchen {
        static let shared = Kitchen()
    }
    @MainActor final class Window {
        let engine: any Engine
        let starter: (any Starter)?
        init(engine: any Engine, starter: (any Starter)?) {
            self.engine = engine
            self.starter = starter
        }
    }
    @Kitchen final class Oven {
        init(engine: any Engine) {}
    }

    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(autowiring: Window.init)
        New(autowiring: Window.init, name: "new", as: AnyObject.self)
        Scoped(autowiring: Car.init)
        Shared(autowiring: Oven.init)
        Shared(autowiring: { @Sendable (engine: any Engine) in engine.kind })
    }

    @Test("An initializer of the main actor creates a main-actor registration")
    @MainActor
    func mainActor() async throws {
        #expect(try container.resolve.orThrow(Window.self) === container.resolve.orThrow(Window.self))
        #expect(try container.resolve.orThrow(Window.self).engine is Diesel)
        #expect(try container.resolve.orThrow(AnyObject.self, name: "new") is Window)
        let reasons = await Task.detached { [container] in
            [
                failure { _ = try container.resolve.orThrow(Window.self) }?.kind,
                failure { _ = try container.resolve.orThrow(AnyObject.self, name: "new") }?.kind,
            ]
        }.value
        #expect(reasons == ["mainActorRequired", "mainActorRequired"])
    }

    @Test("An initializer without isolation is called on any thread")
    func nonisolated() throws {
        #expect(try container.resolve.orThrow(Car.self).engine is Diesel)
        #expect(try container.resolve.orThrow(String.self) == "diesel")
    }

    @Test("An initializer of another actor is an error with a fix")
    func otherActor() throws {
        let error = try #require(failure { _ = try container.resolve.orThrow(Oven.self) })
        #expect(error.kind == "factoryFailed")
        #expect(error.description.contains("its initializer is isolated to Kitchen and has to be awaited"))
    }

    @Test("An alias of a function of the main actor is an error that names the function")
    @MainActor
    func alias() throws {
        let container = DIContainer { Shared(mainActor: Window.init, as: (any Starter).self) }
        let starter = try #require(failure { _ = try container.resolve.orThrow((any Starter).self) })
        #expect(starter.kind == "typeMismatch")
        #expect(starter.description.contains(" is registered as any Starter, to which it does not conform.\n"))
    }
}
