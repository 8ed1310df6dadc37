import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule C11: preparing what a block registers, in a tree")
struct PrepareBlockInTreeTests {
    @Test("in a child, what is scoped is the child's own, and what the block has scoped is built for the child only")
    func child() async throws {
        let root = DIContainer {
            Scoped(Diesel())
            New(autowiring: Car.init)
            Shared { resolve in resolve(Diesel.self) as any Engine }
        }
        let built = Counter()
        func block() -> Module {
            Module {
                Shared(async: { resolve in resolve(Diesel.self) }, name: "seen")
                Scoped(async: { _ in "\(built.increment())" })
            }
        }
        let child = root.makeChild()
        try await child.prepare { block() }
        #expect(child.resolve(Diesel.self, name: "seen") === child.resolve(Diesel.self))
        #expect(child.resolve(Diesel.self) !== root.resolve(Diesel.self))
        #expect(child.resolve(String.self) == "1" && !root.isRegistered(String.self))
        try await root.prepare { block() }
        #expect(built.count == 1 && root.resolve(Diesel.self, name: "seen") === root.resolve(Diesel.self))
        #expect(failure { _ = try root.resolve.orThrow(String.self) }?.reason == .asyncRequired)
        // What a child decorates of its parent's is the child's.
        try await child.prepare { Decorate((any Engine).self) { base, _ in Diesel(kind: "child's \(base.kind)") } }
        #expect(
            child.resolve(Car.self).engine.kind == "child's diesel" && root.resolve(Car.self).engine.kind == "diesel")
    }

    @Test("a child gets the new instance at its next request, and keeps what it made of the old one no longer")
    func seenByChild() async throws {
        let parent = DIContainer { Shared(async: { _ in Diesel(kind: "0") }) }
        let child = parent.makeChild { Decorate(Diesel.self) { base, _ in Diesel(kind: "child's \(base.kind)") } }
        try await child.prepare()
        #expect(child.resolve(Diesel.self).kind == "child's 0")
        try await parent.prepare { Shared(async: { _ in Diesel(kind: "1") }) }
        #expect(child.resolve(Diesel.self).kind == "child's 1")
    }
}
