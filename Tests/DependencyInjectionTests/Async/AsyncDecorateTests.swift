import DependencyInjection
import Testing

/// Rule 17: a decorator runs where and how the factory runs, and its container is the current one.
@Suite("Decorators of asynchronous factories")
struct AsyncDecorateTests {
    protocol Recording: Sendable { var seen: String? { get } }

    /// A decorated object that records the current container and the container of the decorator's resolver.
    struct Decorated: Recording {
        var seen: String? = "not decorated"

        static func seen(_ resolve: Resolver) -> Decorated {
            let (current, own) = (DIContainer.resolve(String?.self), resolve(String?.self))
            return Decorated(seen: current == own ? current : "two containers")
        }
    }

    @Test("Rule 17: a decorator resolves from the building container, which is current", arguments: [true, false])
    func current(isInScope: Bool) async throws {
        let parent = DIContainer {
            Shared("parent's")
            New(async: { _ in Decorated() })
            New(async: { _ in Decorated() }, name: "alias", as: (any Recording).self)
            Shared(async: { _ in Decorated() }, name: "shared")
            Scoped(async: { _ in Decorated() }, name: "scoped")
            Decorate((any Recording).self, name: "alias") { _, resolve in Decorated.seen(resolve) }
            for name in [nil, "shared", "scoped"] as [RegistrationName?] {
                Decorate(Decorated.self, name: name) { _, resolve in Decorated.seen(resolve) }
            }
        }
        let child = parent.makeChild { Shared("child's") }
        /// The containers seen during a request, outside of every scope or in the scope of another container.
        func seen(_ request: () async throws -> any Recording) async throws -> String? {
            if !isInScope { return try await request().seen }
            return try await DIContainer.withContainer(DIContainer { Shared("another's") }) { try await request().seen }
        }
        for (container, own) in [(parent, "parent's"), (child, "child's")] {
            let resolve = container.resolve
            #expect(try await seen { try await resolve.async(Decorated.self) } == own)
            #expect(try await seen { try await resolve.async(Decorated?.self) ?? Decorated() } == own)
            #expect(try await seen { try await resolve.async((any Recording).self, name: "alias") } == own)
            #expect(try await seen { try await resolve.async(Decorated.self, name: "shared") } == "parent's")
            #expect(try await seen { try await resolve.async(Decorated.self, name: "scoped") } == own)
        }
    }

    @Test("Rule 17: a main-actor decorator of Scoped(async:) has the child's resolver")
    @MainActor func onMainActor() async throws {
        let parent = DIContainer {
            Shared("parent's")
            Scoped(async: { _ in Decorated() })
            Decorate(Decorated.self, mainActor: { _, resolve in Decorated(seen: resolve(String?.self)) })
        }
        let child = parent.makeChild { Shared("child's") }
        #expect(try await child.resolve.async(Decorated.self).seen == "child's")
        #expect(try await parent.resolve.async(Decorated.self).seen == "parent's")
    }

    @Test("Rule 17: a decorator's asynchronous dependency is built first, also in a child", arguments: [false, true])
    func asynchronousDependency(_ isInChild: Bool) async throws {
        func decorate() -> Decorate {
            Decorate(Diesel.self) { base, resolve in
                Diesel(kind: "\(base.kind) \(try resolve.orThrow(Ticket.self).number)")
            }
        }
        let base = DIContainer {
            Shared(async: { _ in Diesel(kind: "base") })
            Shared(async: { _ in
                try await Task.sleep(for: .milliseconds(20))
                return Ticket(number: 1)
            })
            decorate()
        }
        let container = isInChild ? base.makeChild() : base
        #expect(try await container.fork().resolve.async(Diesel.self).kind == "base 1")
        try await container.prepare()
        #expect(try container.resolve.orThrow(Diesel.self).kind == "base 1")
    }

    @Test("Rule 17: a main-actor decorator with an asynchronous dependency runs there")
    @MainActor func asynchronousDependencyOnMainActor() async throws {
        let container = DIContainer {
            Shared(async: { _ in Diesel(kind: "base") })
            Shared(async: { _ in Ticket(number: 1) })
            Decorate(
                Diesel.self,
                mainActor: { base, resolve in
                    MainActor.assertIsolated()
                    return Diesel(kind: "\(base.kind) \(try resolve.orThrow(Ticket.self).number)")
                })
        }
        #expect(try await container.resolve.async(Diesel.self).kind == "base 1")
    }

    @Test("Rules 17, C10: a decorator's plain request for a New(async:) is an error", arguments: [true, false])
    func needsNew(isAsync: Bool) async throws {
        let container = DIContainer {
            if isAsync { Shared(async: { _ in Diesel() }) } else { Shared(Diesel()) }
            New(async: { _ in Ticket(number: 1) })
            Decorate(Diesel.self) { base, resolve in
                _ = try resolve.orThrow(Ticket.self)
                return base
            }
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Diesel.self) }
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket")
    }
}
