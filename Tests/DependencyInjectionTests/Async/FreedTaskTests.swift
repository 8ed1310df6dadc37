import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Tasks of a factory that has returned")
struct FreedTaskTests {
    @Test("Rule 16: what such a task asks for may ask for what the factory built, even if that is yet to be kept")
    func notKeptYet() async throws {
        let gate = Gate()
        let (started, failed) = (Counter(), Counter())
        let container = DIContainer {
            Shared(async: { resolve in
                Task { try await resolve.async(Int.self) }
                await eventually { started.count > 0 }
                return "text"
            })
            Shared(async: { resolve in
                started.increment()
                try await gate.wait()
                do { return try await resolve.async(String.self).count } catch {
                    failed.increment()
                    throw error
                }
            })
        }
        // Between the return of the factory and the keeping of what it returned.
        container.observe { event in
            guard event.kind == .built, event.registration?.type == String.self else { return }
            gate.open()
            eventually(within: 1) { failed.count > 0 }
        }
        #expect(try await container.resolve.async(String.self) == "text")
        #expect(try await container.resolve.async(Int.self) == 4)
        #expect(failed.count == 0)
    }
}
