import DependencyInjection
import Testing

@Suite("Rule C10: a factory whose build is canceled begins no other build", .mayHang)
struct CanceledRequestTests {
    @Test("with many paths to one build")
    func ladder() async throws {
        let started = Counter()
        let container = DIContainer {
            Shared(0, name: "10")
            for level in 0..<10 {
                Shared(
                    async: { resolve in
                        started.increment()
                        while level == 0, !Task.isCancelled { await Task.yield() }
                        let next = RegistrationName("\(level + 1)")
                        async let first = resolve.async(Int.self, name: next)
                        async let second = resolve.async(Int.self, name: next)
                        return try await first + second
                    }, name: RegistrationName("\(level)"))
            }
        }
        let request = Task { try await container.resolve.async(Int.self, name: "0") }
        #expect(await eventually { started.count == 1 })
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(await !eventually(within: 0.2) { started.count > 1 }, "\(started.count) builds")
    }
}
