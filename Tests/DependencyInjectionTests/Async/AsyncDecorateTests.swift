import DependencyInjection
import Testing

/// Rule 17: a decorator runs where and how the factory runs, its container being current.
@Suite("Decorators of asynchronous factories")
struct AsyncDecorateTests {
    protocol Labelled: Sendable { var seen: String? { get } }

    /// Knows which container was current when it was decorated.
    struct Label: Labelled {
        var seen: String? = "not decorated"
    }

    private static var decorateLabel: Decorate {
        Decorate(Label.self) { _, _ in Label(seen: DIContainer.resolve(String?.self)) }
    }

    /// Asks outside of every scope, and in the scope of another container.
    private func seen(_ ask: () async throws -> any Labelled) async throws -> [String?] {
        let other = DIContainer { Shared("another container's") }
        let outside = try await ask().seen
        let inside = try await DIContainer.withContainer(other) { try await ask().seen }
        return [outside, inside]
    }

    @Test("Rule 17: a decorator of New(async:) runs with its container as the current one")
    func direct() async throws {
        let container = DIContainer {
            Shared("mine")
            New(async: { _ in Label() })
            Self.decorateLabel
        }
        #expect(try await seen { try await container.resolve.async(Label.self) } == ["mine", "mine"])
        #expect(try await seen { try await container.resolve.async(Label?.self) ?? Label() } == ["mine", "mine"])
    }

    @Test("Rule 17: a decorator of an alias of New(async:) runs with its container as the current one")
    func alias() async throws {
        let container = DIContainer {
            Shared("mine")
            New(async: { _ in Label() }, as: (any Labelled).self)
            Decorate((any Labelled).self) { _, _ in Label(seen: DIContainer.resolve(String?.self)) }
        }
        #expect(try await seen { try await container.resolve.async((any Labelled).self) } == ["mine", "mine"])
    }

    @Test("Rule 17: a child's decorator of a parent's New(async:) runs with the child as the current container")
    func inherited() async throws {
        let parent = DIContainer {
            Shared("parent's")
            New(async: { _ in Label() }, as: (any Labelled).self)
        }
        let child = parent.makeChild {
            Shared("child's")
            Self.decorateLabel
        }
        #expect(try await seen { try await child.resolve.async(Label.self) } == ["child's", "child's"])
        #expect(try await seen { try await child.resolve.async((any Labelled).self) } == ["child's", "child's"])
    }

    @Test("Rule 17: a parent's decorator of New(async:) runs with the container that was asked as the current one")
    func ofParent() async throws {
        let parent = DIContainer {
            Shared("parent's")
            New(async: { _ in Label() })
            Self.decorateLabel
        }
        let child = parent.makeChild { Shared("child's") }
        #expect(try await seen { try await child.resolve.async(Label.self) } == ["child's", "child's"])
        #expect(try await seen { try await parent.resolve.async(Label.self) } == ["parent's", "parent's"])
    }

    @Test("Rule 17: a decorator of Shared(async:) and Scoped(async:) runs with its container as the current one")
    func kept() async throws {
        let parent = DIContainer {
            Shared("parent's")
            Shared(async: { _ in Label() })
            Scoped(async: { _ in Label() }, name: "scoped")
            Self.decorateLabel
            Decorate(Label.self, name: "scoped") { _, _ in Label(seen: DIContainer.resolve(String?.self)) }
        }
        let child = parent.makeChild { Shared("child's") }
        #expect(try await child.resolve.async(Label.self).seen == "parent's")
        #expect(try await child.resolve.async(Label.self, name: "scoped").seen == "child's")
    }

    @Test("Rule 17: a decorator of Scoped(async:) on the main actor has the resolver of the container that was asked")
    @MainActor func onMainActor() async throws {
        let parent = DIContainer {
            Shared("parent's")
            Scoped(async: { _ in Label() })
            Decorate(Label.self, mainActor: { _, resolve in Label(seen: resolve(String?.self)) })
        }
        let child = parent.makeChild { Shared("child's") }
        #expect(try await child.resolve.async(Label.self).seen == "child's")
        #expect(try await parent.resolve.async(Label.self).seen == "parent's")
    }

    @Test(
        "Rule 17: what a decorator asks for is built first, in its container and in a child", arguments: [false, true])
    func asynchronousNeed(_ isInChild: Bool) async throws {
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
            if !isInChild { decorate() }
        }
        let container = isInChild ? base.makeChild { decorate() } : base
        #expect(try await container.fork().resolve.async(Diesel.self).kind == "base 1")
        try await container.prepare()
        #expect(container.resolve(Diesel.self).kind == "base 1")
    }

    @Test("Rule 17: a decorator of the main actor that needs an asynchronous type is run there")
    @MainActor func asynchronousNeedOnMainActor() async throws {
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

    @Test("Rule 17: a decorator that needs a New(async:) says what to write")
    func needsNew() async throws {
        let container = DIContainer {
            Shared(async: { _ in Diesel() })
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
