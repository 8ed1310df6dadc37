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
}
