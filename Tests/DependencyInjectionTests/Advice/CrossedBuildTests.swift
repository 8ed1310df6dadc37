import DependencyInjection
import Testing

@Suite("Rule 16: a cycle of builds in two tasks is an error", .mayHang)
struct CrossedBuildTests {
    @Test("The error names both types and the step between them, and advises a provider", .mayHang)
    func crossed() async throws {
        let (isFirst, isSecond) = (Gate(), Gate())
        let container = DIContainer {
            Shared(async: { resolve in
                isFirst.open()
                try await isSecond.wait()
                return Ticket(number: try await resolve.async(String.self).count)
            })
            Shared(async: { resolve in
                isSecond.open()
                try await isFirst.wait()
                return "\(try await resolve.async(Ticket.self).number)"
            })
        }
        async let first = failure { try await container.resolve.async(Ticket.self).number }
        async let second = failure { try await container.resolve.async(String.self).count }
        let texts = await [first, second].compactMap(\.self).filter { $0.reason == .cycle }.map(\.description)
        #expect(!texts.isEmpty)
        let ways = ["Ticket → … → String → Ticket\n", "String → … → Ticket → String\n"]
        for text in texts {
            #expect(ways.contains { text.hasPrefix("Circular dependency: \($0)") }, "\(text)")
            #expect(
                text.hasSuffix("\n  fix: connect the instances after their initializers, in one factory"), "\(text)")
        }
    }

    private func failure(_ work: @Sendable () async throws -> Int) async -> ResolutionError? {
        do {
            _ = try await work()
            return nil
        } catch { return error as? ResolutionError }
    }
}
