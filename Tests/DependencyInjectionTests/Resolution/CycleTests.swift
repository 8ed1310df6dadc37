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

    @Test("Rule 16: a cycle of Shared or New prints the whole path, at every request")
    func kinds() throws {
        let containers = [
            DIContainer { Module(Shared(autowiring: Left.init), Shared(autowiring: Right.init)) },
            DIContainer { Module(New(autowiring: Left.init), New(autowiring: Right.init)) },
            DIContainer { Module(Shared(autowiring: Left.init), New(autowiring: Right.init)) },
            DIContainer { Module(New(autowiring: Left.init), Shared(autowiring: Right.init)) },
            DIContainer {
                Shared { resolve in Left(right: try resolve.orThrow()) }
                Shared { _ in Right(left: try DIContainer.resolve.orThrow()) }
            },
        ]
        for container in containers + containers {
            let error = try #require(failure { _ = try container.resolve.orThrow(Left.self) })
            #expect(error.kind == "cycle" && error.key == "CycleTests.Left")
            #expect(error.path.map(\.key) == ["CycleTests.Left", "CycleTests.Right"])
            #expect(error.description.contains("CycleTests.Left → CycleTests.Right → CycleTests.Left"))
        }
        // The error doesn't change the container.
        let first = containers[0]
        first.register(Shared(Ticket(number: 1)), Shared { _ -> Right in throw Sabotage() })
        #expect(try first.resolve.orThrow(Ticket.self).number == 1)
        #expect(failure { _ = try first.resolve.orThrow(Left.self) }?.kind == "factoryFailed")
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
        #expect(error.description.contains("any Engine → CycleTests.LoopingEngine → CycleTests.Loop → any Engine"))
    }

    @Test("Rule 16: one type under two keys or in two containers is not a cycle")
    func noFalseAlarm() throws {
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
        _ = try container.resolve.orThrow(Outer.self)
        #expect(try container.resolve.orThrow(Ticket.self, name: "outer").number == 3)

        let module = Module { Shared { resolve in Ticket(number: resolve(Int.self)) } }
        let inner = DIContainer {
            module; Shared(1)
        }
        let outer = DIContainer {
            module; Shared { _ in inner.resolve(Ticket.self).number + 1 }
        }
        #expect(try outer.resolve.orThrow(Ticket.self).number == 2)
    }

    @Test("Rule 16: a New with arguments may recurse, and endless recursion is an error")
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
        let tree: Tree = try container.resolve.orThrow(5)
        #expect(tree.children[1].children[0].children.count == 2)
        let endless = failure { _ = try container.resolve.orThrow(Ticket.self, arguments: "on") }
        let text = try #require(endless).description
        #expect(text.hasPrefix("Circular dependency: Ticket → Ticket\n"))
        #expect(text.contains("fix: end the recursion: a factory with arguments may resolve its own type"))
    }

    @Test("Rule 16: a Shared with arguments that requests itself is a cycle")
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
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 0).number == 0)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 2).number == 0)
    }
}
