import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 18: errors of a container that is observed")
struct ObservedPathTests {
    @Test("an observer's requests leave the beginning of an error's path unchanged")
    func origin() throws {
        let container = DIContainer {
            New { _ in Ticket(number: 1) }
            New { resolve in
                _ = resolve(Ticket.self)
                return Car(engine: try resolve.orThrow(file: "Factory.swift", line: 2))
            }
        }
        container.observe { [weak container] event in
            guard event.kind == .building, let container else { return }
            _ = try? container.makeChild { New(Diesel()) }.resolve.orThrow(Diesel.self, file: "Observer.swift", line: 3)
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Car.self, file: "Asking.swift", line: 1) })
        #expect("\(error)".contains("requested at Asking.swift:1"))
        #expect(!"\(error)".contains("Observer.swift"))
    }
}
