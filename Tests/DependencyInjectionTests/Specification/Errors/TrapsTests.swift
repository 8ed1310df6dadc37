import DependencyInjection
import Testing

// Each plain form stops the program with the text of the error. The tests read the text from the stopped process.

extension ExitTests {
    @Suite("Rule 18: There is one type of error, and it names the fix") struct TrapTests {}
}

extension ExitTests.TrapTests {
    @Test("A missing registration traps with its text")
    func missing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DIContainer { Shared(Diesel()) }.resolve((any Engine).self).kind.first.map { _ in }
        }
        #expect(standardError(of: result).contains("Nothing is registered for any Engine."))
        #expect(standardError(of: result).contains("requested at \(#fileID):"))
        #expect(standardError(of: result).contains("fix:"))
    }

    @Test("A plain request in a factory traps with the whole path")
    func plainRequestInFactory() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer {
                Shared { resolve in Car(engine: resolve()) }
                New { resolve in Ticket(number: resolve(Car.self).engine.kind.count) }
            }
            _ = try? container.resolve.orThrow(Ticket.self)
        }
        #expect(standardError(of: result).contains("Nothing is registered for any Engine."))
        #expect(standardError(of: result).contains("Ticket  (registered at"))
        #expect(standardError(of: result).contains("Car  (registered at"))
    }

    @Test("Rule 16: a cycle through @Inject in initializers traps with its path")
    func cycle() async {
        final class Chicken: Sendable {
            init() { @Inject var egg: Egg; _ = egg }
        }
        final class Egg: Sendable {
            init() { _ = DIContainer.resolve(Chicken.self) }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DIContainer.register {
                Shared(Chicken.init)
                New(Egg.init)
            }
            _ = DIContainer.resolve(Chicken.self)
        }
        #expect(standardError(of: result).contains("ExitTests.TrapTests.Chicken → ExitTests.TrapTests.Egg"))
        #expect(
            standardError(of: result).contains(
                "inject a `Provider<ExitTests.TrapTests.Chicken>`, and call it after the initializer"))
    }

    @Test("Rule 13: a failing registration traps in a request for all")
    func all() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DIContainer { Shared { _ -> Ticket in throw Sabotage() } }.resolve.all(Ticket.self)
        }
        #expect(standardError(of: result).contains("The factory of Ticket failed: sabotaged"))
    }
}
