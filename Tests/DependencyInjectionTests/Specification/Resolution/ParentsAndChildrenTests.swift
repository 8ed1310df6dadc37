import DependencyInjection
import Foundation
import Testing

/// Rule 10: a parent has no reference to its children. It never waits for one and never changes one.
@Suite("Rule 10: A parent knows nothing of its children", .mayHang, .ownThread)
struct ParentAndChildTests {
    private static let changes: [(name: String, change: @Sendable (DIContainer) -> Void)] = [
        (
            "registering",
            { parent in
                parent.register {
                    Shared(Diesel(kind: "new"), as: (any Engine).self)
                    Scoped(Ticket(number: 2))
                    Shared("new")
                }
            }
        ),
        ("decorating", { parent in parent.register { Decorate(Diesel.self) { _, _ in Diesel(kind: "new") } } }),
        ("unregistering", { parent in parent.unregister(Diesel.self) }),
        ("forgetting instances", { parent in parent.resetInstances() }),
        ("resetting", { parent in parent.reset() }),
        ("sealing", { parent in parent.seal() }),
        ("forking", { parent in _ = parent.fork { Shared(1) } }),
        ("making another child", { parent in _ = parent.makeChild { Shared(1) }.resolve(Ticket.self) }),
        ("resolving", { parent in _ = parent.resolve(Diesel.self) }),
        ("building", { parent in _ = parent.fork().resolve.all(Diesel.self) }),
    ]

    @Test("A change of a parent never waits for a factory of a descendant", arguments: changes.indices)
    func parentNeverWaits(_ index: Int) throws {
        let (name, change) = Self.changes[index]
        for isGrandchild in [false, true] {
            let pair = ParentAndChild()
            let parent = pair.parent
            let grandchild = pair.child.makeChild { Shared(1.5) }
            _ = try (grandchild.resolve.orThrow((any Engine).self), grandchild.resolve.orThrow(Ticket.self))
            let isDone = whileBuilding(in: isGrandchild ? grandchild : pair.child) {
                change(parent)
                return true
            }
            #expect(isDone == true, "\(name) waits for the \(isGrandchild ? "grandchild" : "child")")
        }
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
