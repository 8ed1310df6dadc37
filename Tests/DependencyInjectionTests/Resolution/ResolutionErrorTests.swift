import DependencyInjection
import Testing

@Suite("Errors")
struct ResolutionErrorTests {
    @Test("Rules 4, 18: an error says what was asked, by whom, on which path, what is near and what to write")
    func text() throws {
        let registered: UInt = #line + 2
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel())
            New { resolve in Ticket(number: try resolve.orThrow(Car.self).engine.kind.count) }
            Shared(Diesel() as any Starter, name: "main")
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.kind == "notRegistered")
        #expect(error.key == "any Engine")
        #expect(error.path.map(\.key) == ["Ticket", "Car"])
        #expect(error.path.map(\.line) == [registered + 2, registered])
        #expect(error.path[0].file == #fileID)
        #expect(error.file == #fileID)
        let text = error.description
        #expect(text.contains("Nothing is registered for any Engine."))
        #expect(text.contains("Ticket  (registered at \(#fileID):\(registered + 2))"))
        #expect(text.contains("Car  (registered at \(#fileID):\(registered))"))
        #expect(text.contains("→ any Engine"))
        #expect(text.contains("asked for at \(#fileID):\(registered)"))
        #expect(
            text.contains("to mend it: register it first, as in `DIContainer.register { Shared(… as any Engine) }`"))

        let asked: UInt = #line + 1
        let direct = try #require(failure { _ = try container.resolve.orThrow((any Starter).self) })
        #expect(direct.line == asked)
        #expect(direct.path.isEmpty)
        #expect(direct.candidates.first?.hasPrefix("any Starter named \"main\"") == true)
        #expect(direct.description.contains("resolve((any Starter).self, name: \"main\")"))
    }

    @Test("Rule 18: the nearest candidates come first")
    func candidates() throws {
        struct LoggerImpl: Sendable {}
        struct Loger: Sendable {}
        struct Unrelated: Sendable {}
        struct Logger: Sendable {}
        let container = DIContainer {
            Shared(Unrelated())
            Shared(Loger())
            Shared(LoggerImpl())
            Shared(Logger(), name: "file")
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Logger.self) })
        #expect(error.candidates.map { $0.prefix { $0 != " " } } == ["Logger", "LoggerImpl", "Loger"])
        container.unregister(Logger.self, name: "file")
        let second = try #require(failure { _ = try container.resolve.orThrow(Logger.self) })
        #expect(second.description.contains("`Shared(… as Logger)`, or add `as: Logger.self`"))
        let named = try #require(failure { _ = try container.resolve.orThrow(Loger.self, name: "x") })
        #expect(named.description.contains("ask without a name"))
    }

    @Test("Rule 18: an error passes through autowired initializers and throwing factories unchanged")
    func passes() throws {
        final class Outer: Sendable { init(_ car: Car) {} }
        let container = DIContainer {
            Shared(autowiring: Outer.init)
            Shared { resolve in Car(engine: try resolve.orThrow()) }
            New { _ -> any Engine in throw Sabotage() }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Outer.self) })
        #expect(error.kind == "factoryFailed")
        #expect(error.path.map(\.key) == ["Outer", "Car"])
        #expect(error.description.contains("The factory of any Engine failed: sabotaged"))
    }

    @Test("Failure leaves the container as it was")
    func containerUnharmed() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Ticket(number: 1))
        }
        #expect(failure { _ = try container.resolve.orThrow(Car.self) }?.kind == "notRegistered")
        #expect(container.resolve(Ticket.self).number == 1)
        container.register(Shared { _ -> any Engine in throw Sabotage() })
        #expect(failure { _ = try container.resolve.orThrow(Car.self) }?.kind == "factoryFailed")
        container.register(Shared(Diesel() as any Engine))
        #expect(isSame(container.resolve(Car.self).engine, container.resolve((any Engine).self)))
        // The path of a later error has no trace of the earlier ones.
        #expect(failure { _ = try container.resolve.orThrow(Int.self) }?.path.isEmpty == true)
    }
}
