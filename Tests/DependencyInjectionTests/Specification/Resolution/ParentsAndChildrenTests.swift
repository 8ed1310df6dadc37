import DependencyInjection
import Foundation
import Testing

/// Rule 10: a parent has no reference to its children. It never waits for one and never changes one.
@Suite("Rule 10: A parent knows nothing of its children", .mayHang, .ownThread)
struct ParentAndChildTests {
    private static let changes: [Row<@Sendable (DIContainer) -> Void>] = [
        Row("registering") { parent in
            parent.register {
                Shared(Diesel(kind: "new"), as: (any Engine).self)
                Scoped(Ticket(number: 2))
                Shared("new")
            }
        },
        Row("decorating") { $0.register(Decorate(Diesel.self) { _, _ in Diesel(kind: "new") }) },
        Row("unregistering") { $0.unregister(Diesel.self) },
        Row("forgetting instances") { $0.resetInstances() },
        Row("resetting") { $0.reset() },
        Row("sealing") { $0.seal() },
        Row("forking") { _ = $0.fork { Shared(1) } },
        Row("making another child") { _ = $0.makeChild { Shared(1) }.resolve(Ticket.self) },
        Row("resolving") { _ = $0.resolve(Diesel.self) },
        Row("building") { _ = $0.fork().resolve.all(Diesel.self) },
    ]

    @Test("A change of a parent never waits for a factory of a descendant", arguments: changes, [false, true])
    func parentNeverWaits(_ change: Row<@Sendable (DIContainer) -> Void>, isGrandchild: Bool) throws {
        let pair = ParentAndChild()
        let grandchild = pair.child.makeChild { Shared(1.5) }
        _ = try (grandchild.resolve.orThrow((any Engine).self), grandchild.resolve.orThrow(Ticket.self))
        let isDone = whileBuilding(in: isGrandchild ? grandchild : pair.child) {
            change.value(pair.parent)
            return true
        }
        #expect(isDone == true)
    }

    @Test("A child's factory may wait for a thread that registers in the parent")
    func factoryWaitsForParent() throws {
        let pair = ParentAndChild()
        let parent = pair.parent
        pair.child.register(
            Shared { _ in
                let registering = BackgroundThread {
                    parent.register(Shared(Diesel(kind: "new")))
                    return true
                }
                return registering.result() == true
            })
        #expect(try pair.child.resolve.orThrow(Bool.self), "the two wait for each other")
        #expect(try pair.child.resolve.orThrow(Diesel.self).kind == "new")
    }
}
