import DependencyInjection
import Testing

/// Rule 12: a `Weak` instance is retained until the graph that depends on it is built, even if the graph is awaited.
@Suite("Weak instances in asynchronous graphs", .mayHang)
struct AsyncWeakTests {
    /// An object that only the graph retains.
    private final class Part: Sendable {
        private let released: Counter
        init(built: Counter, released: Counter) {
            self.released = released
            built.increment()
        }
        deinit { released.increment() }
    }

    private struct Parts: Sendable {
        let built = Counter()
        let released = Counter()
        var registration: Weak<Part> { Weak { [built, released] _ in Part(built: built, released: released) } }
    }

    /// Requests a type twice, without retaining the instance in between.
    @Sendable private static func requestTwice(_ resolve: Resolver) async -> Ticket {
        _ = resolve(Part.self)
        await Task.yield()
        _ = resolve(Part.self)
        return Ticket(number: 1)
    }

    @Test("Rule 12: a dependency of an asynchronous factory lives until it returns")
    func oneFactory() async throws {
        let registrations: [any RegistrationConvertible] = [
            Shared(async: { resolve in await Self.requestTwice(resolve) }),
            Scoped(async: { resolve in await Self.requestTwice(resolve) }),
            New(async: { resolve in await Self.requestTwice(resolve) }),
        ]
        for registration in registrations {
            let parts = Parts()
            let container = DIContainer {
                parts.registration
                Module { registration.registrations }
            }
            _ = try await container.resolve.async(Ticket.self)
            #expect(parts.built.count == 1, "\(type(of: registration))")
            // It is released afterwards.
            #expect(await eventually { parts.released.count == parts.built.count })
        }
    }

    @Test("Rule 12: a dependency of an awaited factory lives until the graph is complete", arguments: [true, false])
    func dependencies(asksBefore: Bool) async throws {
        let parts = Parts()
        let container = DIContainer {
            parts.registration
            Shared(async: { resolve in
                if asksBefore { _ = resolve(Part.self) }
                let first = try await resolve.async(Ticket.self, name: "first")
                let second = try await resolve.async(Ticket.self, name: "second")
                _ = resolve(Part.self)
                return "\(first.number + second.number)"
            })
            Shared(async: { resolve in await Self.requestTwice(resolve) }, name: "first")
            New(async: { resolve in await Self.requestTwice(resolve) }, name: "second")
        }
        #expect(try await container.resolve.async(String.self) == "2")
        #expect(parts.built.count == 1)
        #expect(await eventually { parts.released.count == parts.built.count })
    }

    @Test("Rules 12, 19: a build stays one graph if its first request is canceled")
    func starterIsCancelled() async throws {
        let parts = Parts()
        let gate = Gate()
        let began = Gate()
        let container = DIContainer {
            parts.registration
            Graph { _ in Diesel() }
            Shared(async: { resolve in
                _ = resolve(Part.self)
                let member = resolve(Diesel.self)
                began.open()
                try await gate.wait()
                _ = resolve(Part.self)
                return member === resolve(Diesel.self)
            })
        }
        let first = Task { try await container.resolve.async(Bool.self) }
        try await began.wait()
        let second = Task { try await container.resolve.async(Bool.self) }
        // Otherwise the second request would begin another build.
        await container.untilTasksWait(2)
        first.cancel()
        _ = await first.result
        gate.open()
        #expect(try await second.value, "one factory had two members of one graph")
        #expect(parts.built.count == 1)
        #expect(await eventually { parts.released.count == parts.built.count })
    }
}
