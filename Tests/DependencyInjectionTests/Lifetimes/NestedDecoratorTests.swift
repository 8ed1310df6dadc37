import DependencyInjection
import Foundation
import Testing

private protocol Shape: Sendable { var depth: Int { get } }
private final class Square: Shape { let depth = 0 }
private final class Framed: Shape {
    let depth: Int
    init(_ base: any Shape) { depth = base.depth + 1 }
}
private struct Refused: Error {}

private protocol Tree: Sendable { var height: Int { get } }
private final class Branch: Tree {
    let height: Int
    init(_ inner: (any Tree)?) { height = (inner?.height ?? 0) + 1 }
}

@Suite("Decorators and aliases on several levels")
struct NestedDecoratorTests {
    /// Each evaluation makes another decorator.
    static var framing: Module { Module { Decorate((any Shape).self) { base, _ in Framed(base) } } }
    static let shapes = [
        Module(Shared(Square() as any Shape)), Module(New(Square() as any Shape)),
        Module(Scoped(Square() as any Shape)), Module(Weak(Square() as any Shape)),
        Module(Graph(Square() as any Shape)), Module(Shared(async: { _ in Square() as any Shape })),
    ]

    @Test(
        "Rule 17: the same decorator of a parent and of its children wraps once, and another each time, whatever the lifetime",
        arguments: [true, false])
    func nested(isSame: Bool) async throws {
        for shape in Self.shapes {
            let one = Self.framing
            func framing() -> Module { isSame ? one : Self.framing }
            let low = DIContainer { shape }.makeChild { framing() }.makeChild { framing() }
            let inner = low.makeChild { framing() }
            try await inner.prepare()
            #expect(try inner.resolve.orThrow((any Shape).self).depth == (isSame ? 1 : 3))
            #expect(try low.resolve.orThrow((any Shape).self).depth == (isSame ? 1 : 2))
        }
    }

    @Test("Rule 16: a New with arguments may lead to itself through a child's decorator")
    func recursion() throws {
        let parent = DIContainer {
            New { resolve, height in
                Branch(height == 1 ? nil : try resolve.orThrow((any Tree).self, arguments: height - 1)) as any Tree
            }
        }
        let child = parent.makeChild { Decorate((any Tree).self) { base, _ in base } }
        #expect(try child.resolve.orThrow((any Tree).self, arguments: 5).height == 5)
        let circle = parent.makeChild { Decorate((any Tree).self) { _, resolve in try resolve.orThrow() } }
        let error = #expect(throws: ResolutionError.self) {
            try circle.resolve.orThrow((any Tree).self, arguments: 1)
        }
        #expect(error?.reason != .cycle || error?.path.isEmpty == false)
    }

    @Test("Rule 18: the text names the registration whose factory failed, also if that registered another")
    func replacedMeanwhile() {
        let container = DIContainer()
        let line: UInt = #line + 1
        container.register {
            Shared { [weak container] _ -> any Shape in
                container?.register(Shared(Square() as any Shape))
                throw Refused()
            }
        }
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow((any Shape).self) }
        #expect(error?.description.contains("registered at \(#fileID):\(line + 1)\n") == true)
    }

    @Test("Rule 17: who waited for the queue with what a decorator wraps wraps nothing twice")
    func waitingWithBase() {
        let began = Latch()
        let wrapped = [Counter(), Counter()]
        let parent = DIContainer { Shared(Ticket(number: 0)) }
        let child = parent.makeChild {
            Decorate(Ticket.self) { base, _ in
                wrapped[base.number].increment()
                return base
            }
            Shared { [weak parent] resolve in
                began.open()
                // The other thread has what it wraps by then, and waits; if not, the test proves less.
                Thread.sleep(forTimeInterval: 0.1)
                _ = resolve(Ticket.self)
                parent?.register(Shared(Ticket(number: 1)))
                return true
            }
        }
        let slow = Elsewhere { child.resolve(Bool.self) }
        began.wait()
        #expect(child.resolve(Ticket.self).number == 1)
        #expect(slow.result() == true)
        #expect(wrapped.map(\.count) == [1, 1])
    }

    @Test("Rule 17: who waited for the queue to build what a decorator wraps gets an answer if that was overridden")
    func overriddenWhileWaiting() {
        let began = Latch()
        let parent = DIContainer { Scoped(Ticket(number: 0)) }
        let child = parent.makeChild { Decorate(Ticket.self) { base, _ in base } }
        child.register(
            Shared { [weak child] _ in
                began.open()
                // The other thread has found what it is to build by then, and waits; if not, the test proves less.
                Thread.sleep(forTimeInterval: 0.1)
                child?.unregister(Ticket.self)
                child?.register(Shared(Ticket(number: 1)))
                return true
            })
        let slow = Elsewhere { child.resolve(Bool.self) }
        began.wait()
        let waiting = Elsewhere { child.resolve(Ticket.self).number }
        #expect(waiting.result() != nil, "it asks for ever")
        #expect(slow.result() == true)
        #expect(child.resolve(Ticket.self).number == 1)
    }

    private class Plain: Shape, @unchecked Sendable { let depth = 0 }
    private final class Special: Plain, @unchecked Sendable {}
    private final class Around: Shape {
        let depth = 1
        let base: any Shape
        init(_ base: any Shape) { self.base = base }
    }

    @Test(
        "Rule 17: what a parent's decorator wraps by way of a child's alias belongs to the child",
        arguments: [true, false])
    func childsAlias(_ isParentFirst: Bool) {
        let root = DIContainer {
            Shared(Plain(), as: (any Shape).self)
            Decorate((any Shape).self) { base, _ in Around(base) }
            Shared(Special())
        }
        let child = root.makeChild { Shared(Special(), as: Plain.self) }
        // The alias stays, and leads to the root's instance.
        child.unregister(Special.self)
        if isParentFirst { _ = root.resolve((any Shape).self) }
        let first = Elsewhere { child.resolve((any Shape).self) as? Around }.result() ?? nil
        let second = Elsewhere { child.resolve((any Shape).self) as? Around }.result() ?? nil
        #expect(first != nil && first === second)
        #expect(first.map { isSame($0.base, root.resolve(Special.self)) } == true)
        let own = root.resolve((any Shape).self) as? Around
        #expect(own.map { isSame($0.base, root.resolve(Plain.self)) } == true)
    }
}
