import DependencyInjection
import Testing

@Suite("Cycles")
struct CycleTests {
    final class Left: Sendable {
        let right: Right
        init(right: Right) { self.right = right }
    }
    final class Right: Sendable {
        let left: Left
        init(left: Left) { self.left = left }
    }
    final class Cell<T>: Sendable {}

    private func expectCycle(_ container: DIContainer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for _ in 0..<2 {
            let error = try #require(
                failure { _ = try container.resolve.orThrow(Left.self) }, sourceLocation: sourceLocation)
            #expect(error.kind == "cycle", sourceLocation: sourceLocation)
            #expect(error.path.map(\.key) == ["Left", "Right"], sourceLocation: sourceLocation)
            #expect(error.key == "Left", sourceLocation: sourceLocation)
            #expect(error.description.contains("Left → Right → Left"), sourceLocation: sourceLocation)
        }
    }

    @Test("Rule 16: a cycle of Shared, of New and of both is an error that prints the whole path")
    func kinds() throws {
        try expectCycle(
            DIContainer {
                Shared(autowiring: Left.init); Shared(autowiring: Right.init)
            })
        try expectCycle(
            DIContainer {
                New(autowiring: Left.init); New(autowiring: Right.init)
            })
        try expectCycle(
            DIContainer {
                Shared(autowiring: Left.init); New(autowiring: Right.init)
            })
        try expectCycle(
            DIContainer {
                New(autowiring: Left.init); Shared(autowiring: Right.init)
            })
        try expectCycle(
            DIContainer {
                Shared { resolve in Left(right: try resolve.orThrow()) }
                Shared { _ in Right(left: try DIContainer.resolve.orThrow()) }
            })
    }

    @Test("Rule 16: a cycle through an alias is an error")
    func alias() throws {
        final class Loop: Sendable {
            init(_ engine: any Engine) {}
        }
        struct LoopingEngine: Engine { let kind = "loop" }
        let container = DIContainer {
            Shared(
                { resolve in
                    _ = try resolve.orThrow(Loop.self)
                    return LoopingEngine()
                }, as: (any Engine).self)
            Shared(autowiring: Loop.init)
        }
        let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self) })
        #expect(error.kind == "cycle")
        #expect(error.description.contains("any Engine → LoopingEngine → Loop → any Engine"))
    }

    @Test("Rule 16: after a cycle was reported, everything else resolves and the key can be registered again")
    func recovery() {
        let container = DIContainer {
            Shared(autowiring: Left.init)
            Shared(autowiring: Right.init)
            Shared(Ticket(number: 1))
        }
        #expect(failure { _ = try container.resolve.orThrow(Left.self) }?.kind == "cycle")
        #expect(container.resolve(Ticket.self).number == 1)
        final class Placeholder: Sendable {}
        container.register(New { (_, _: Placeholder) -> Left in throw Sabotage() })
        container.register {
            Shared(autowiring: Left.init)
            Shared { _ -> Right in throw Sabotage() }
        }
        #expect(failure { _ = try container.resolve.orThrow(Left.self) }?.kind == "factoryFailed")
    }

    @Test("Rule 16: one type twice in a graph, under two names, in two containers or with other parameters is no cycle")
    func noFalseAlarm() {
        final class Outer: Sendable {
            let cells: [Any.Type]
            init(_ first: Cell<Int>, _ second: Cell<Int>) { cells = [Cell<Int>.self] }
        }
        let other = DIContainer { Shared(Ticket(number: 1)) }
        let container = DIContainer {
            New(autowiring: Outer.init)
            New { resolve in
                _ = resolve(Cell<String>.self)
                return Cell<Int>()
            }
            New(Cell<String>())
            Shared(name: "outer") { resolve in Ticket(number: resolve(Ticket.self, name: "inner").number + 1) }
            Shared(name: "inner") { _ in Ticket(number: other.resolve(Ticket.self).number + 1) }
        }
        _ = container.resolve(Outer.self)
        #expect(container.resolve(Ticket.self, name: "outer").number == 3)

        let module = Module { Shared { resolve in Ticket(number: resolve(Int.self)) } }
        let inner = DIContainer {
            module; Shared(1)
        }
        let outer = DIContainer {
            module; Shared { _ in inner.resolve(Ticket.self).number + 1 }
        }
        #expect(outer.resolve(Ticket.self).number == 2)
    }

    @Test("Rule 16: many threads in one graph raise no false alarm")
    func threads() {
        for _ in 0..<50 {
            let container = DIContainer {
                Shared(autowiring: { (engine: any Engine) in Car(engine: engine) })
                Shared(Diesel() as any Engine)
                New { resolve in Ticket(number: resolve(Car.self).engine.kind.count) }
            }
            let numbers = onThreads(4) { _ in container.resolve(Ticket.self).number }
            #expect(numbers == [6, 6, 6, 6])
        }
    }

    @Test("Rule 16: a cycle that a lazy wrapper or a provider breaks works")
    func broken() {
        final class Parent: Sendable {
            let child: Child
            init(child: Child) { self.child = child }
        }
        final class Child: @unchecked Sendable {  // Used on one thread.
            @LazyInject var parent: Parent
            let provider: Provider<Parent>
            init(provider: Provider<Parent>) { self.provider = provider }
        }
        let container = DIContainer {
            Shared(autowiring: Parent.init)
            Shared(autowiring: Child.init)
        }
        let parent: Parent = container.resolve()
        #expect(parent.child.parent === parent)
        #expect(parent.child.provider() === parent)
    }

    @Test("Rule 16: a New that takes arguments may build itself with others, and is stopped where that does not end")
    func recursion() throws {
        final class Tree {
            let children: [Tree]
            init(_ children: [Tree]) { self.children = children }
        }
        let container = DIContainer {
            New { (resolve, depth: Int) -> Tree in
                Tree(depth == 0 ? [] : [try resolve.orThrow(depth - 1), try resolve.orThrow(depth - 1)])
            }
            New { (resolve, endless: String) -> Ticket in try resolve.orThrow(endless) }
            New(name: "deep") { (resolve, depth: Int) -> [Int] in
                depth == 0 ? [] : try resolve.orThrow(depth - 1, name: "deep") + [depth]
            }
        }
        #expect(try container.resolve.orThrow([Int].self, name: "deep", arguments: 64).count == 64)
        let error = failure { _ = try container.resolve.orThrow([Int].self, name: "deep", arguments: 65) }
        #expect(error?.kind == "cycle" && error?.path.count == 65)
        let tree: Tree = container.resolve(5)
        #expect(tree.children[1].children[0].children.count == 2)
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: "on") }?.kind == "cycle")
    }

    @Test("Rule 16: a Shared that takes arguments and asks for itself is a cycle, also with others")
    func sharedWithArguments() throws {
        let runs = Counter()
        let container = DIContainer {
            Shared { (resolve, depth: Int) -> Ticket in
                runs.increment()
                return depth == 0 ? Ticket(number: 0) : try resolve.orThrow(depth - 1)
            }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 2) })
        #expect(error.kind == "cycle" && error.path.map(\.key) == ["Ticket"] && runs.count == 1)
        #expect(container.resolve(Ticket.self, arguments: 0).number == 0)
        #expect(container.resolve(Ticket.self, arguments: 2).number == 0)
    }

    @Test("Rule 16: a circle of two types of one name is one of two")
    func sameName() {
        let container = DIContainer {
            Shared { resolve in First.Model(try resolve.orThrow(Second.Model.self)) }
            Shared { resolve in Second.Model(try resolve.orThrow(First.Model.self)) }
        }
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow(First.Model.self) }
        #expect(error?.description.contains("Model → ") == true)
        #expect(error?.description.contains("let one of them ask later") == true)
    }
}

private enum First { final class Model: Sendable { init(_ needs: any Sendable) {} } }
private enum Second { final class Model: Sendable { init(_ needs: any Sendable) {} } }
