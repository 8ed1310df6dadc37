import DependencyInjection
import Testing

@Suite("Rule C11: preparation failures")
struct PreparationFailureTests {
    private final class Needed: Sendable {}
    private final class Needing: Sendable { init(_ dependency: Needed) {} }

    @Test("reports each failure once, numbered, and caches the finished instances")
    func failures() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Int in throw Sabotage() })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            Shared(async: { _ -> Double in throw Sabotage() })
            Shared(async: { resolve in try await resolve.async(Float.self) > 1 })
            Shared(async: { _ in "built" })
        }
        let error = try #require(
            await #expect(throws: PreparationError.self) { try await container.prepare() })
        #expect(Set(error.failures.map(\.key)) == ["Int", "Double", "Float"] && error.failures.count == 3)
        let texts = error.failures.enumerated().map { "\n\($0 + 1). \($1)" }
        #expect(error.description == "`prepare()` ended, but 3 of its builds failed." + texts.joined())
        #expect(error.failures.first { $0.key == "Float" }?.path.map(\.key) == ["Bool"])
        #expect(try container.resolve.orThrow(String.self) == "built")
    }

    @Test("Rule 16: asynchronous cycles are found instead of hanging")
    func cycles() async throws {
        for _ in 0..<100 {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
                Shared(async: { resolve in Int(try await resolve.async(Double.self)) })
                Shared(async: { resolve in Double(try await resolve.async(Ticket.self).number) })
            }
            let single = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
            #expect(single?.kind == "cycle")
            #expect(single?.description.contains("Ticket → Int → Double → Ticket") == true)
            // The tasks of all three are independent and run concurrently.
            let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
            #expect(error?.failures.allSatisfy { $0.kind == "cycle" } == true)
        }
        let container = DIContainer {
            New(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            New(async: { resolve in try await resolve.async(Ticket.self).number })
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        #expect(error?.kind == "cycle")
    }

    @Test("reports a factory that cancels itself, and rethrows the caller's cancellation")
    func cancellation() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Ticket in
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
                return Ticket(number: 1)
            })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(error?.failures.count == 1)
        #expect(error?.description.hasPrefix("`prepare()` ended, but 1 of its builds failed.\n1. ") == true)
        #expect(error?.failures.first?.reason.underlyingError is CancellationError)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await container.prepare()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Rule C11: reports that a build has a main-actor dependency")
    func needsMainActor() async {
        let container = DIContainer {
            Shared(mainActor: { _ in Needed() })
            Shared(async: { resolve in Needing(try resolve.orThrow(Needed.self)) })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(error?.failures.map(\.reason) == [.mainActorRequired])
    }

    private final class First: Sendable { init(_ second: Second?) {} }
    private final class Second: Sendable { init(_ first: First?) {} }

    @Test("Rule 16: a cycle through a plain request of an asynchronous factory is found")
    func plainCycles() async throws {
        let container = DIContainer {
            Shared(async: { resolve in First(try resolve.orThrow(Second.self)) })
            Shared { resolve in Second(try resolve.orThrow(First.self)) }
        }
        let first = await #expect(throws: ResolutionError.self) { try await container.resolve.async(First.self) }
        #expect(first?.reason == .cycle)
        let second = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Second.self) }
        #expect(second?.reason == .cycle)
        let all = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(all?.failures.map(\.reason) == [.cycle])

        let own = DIContainer { Shared(async: { resolve in First(Second(try resolve.orThrow(First.self))) }) }
        let error = await #expect(throws: ResolutionError.self) { try await own.resolve.async(First.self) }
        #expect(error?.reason == .cycle)
    }
}
