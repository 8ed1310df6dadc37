import DependencyInjection
import Testing

@Suite("Rule 16: Cycles are found")
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

    @Test("A cycle of Shared or New prints the whole path, at every request")
    func kinds() throws {
        let containers: KeyValuePairs = [
            "Shared": DIContainer { Module(Shared(autowiring: Left.init), Shared(autowiring: Right.init)) },
            "New": DIContainer { Module(New(autowiring: Left.init), New(autowiring: Right.init)) },
            "Shared, New": DIContainer { Module(Shared(autowiring: Left.init), New(autowiring: Right.init)) },
            "New, Shared": DIContainer { Module(New(autowiring: Left.init), Shared(autowiring: Right.init)) },
            "closures": DIContainer {
                Shared { resolve in Left(right: try resolve.orThrow()) }
                Shared { _ in Right(left: try DIContainer.resolve.orThrow()) }
            },
        ]
        for (row, container) in Array(containers) + Array(containers) {
            let error = try #require(failure { _ = try container.resolve.orThrow(Left.self) })
            #expect(error.kind == "cycle" && error.key == "CycleTests.Left", "\(row)")
            #expect(error.path.map(\.key) == ["CycleTests.Left", "CycleTests.Right"], "\(row)")
            #expect(error.description.contains("CycleTests.Left → CycleTests.Right → CycleTests.Left"), "\(row)")
        }
        // The error doesn't change the container.
        let first = containers[0].value
        first.register(Shared(Ticket(number: 1)), Shared { _ -> Right in throw Sabotage() })
        #expect(try first.resolve.orThrow(Ticket.self).number == 1)
        #expect(failure { _ = try first.resolve.orThrow(Left.self) }?.kind == "factoryFailed")
    }

    @Test("A cycle through an alias is an error")
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

    @Test("One type under two keys or in two containers is not a cycle")
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

    @Test("A New with arguments may recurse, and endless recursion is an error")
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

    @Test("A Shared with arguments that requests itself is a cycle")
    func sharedWithArguments() throws {
        let runs = Counter()
        let container = DIContainer {
            Shared { (resolve, depth: Int) -> Ticket in
                try runs.counting(depth == 0 ? Ticket(number: 0) : resolve.orThrow(depth - 1))
            }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 2) })
        #expect(error.kind == "cycle" && error.path.map(\.key) == ["Ticket"] && runs.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 0).number == 0)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 2).number == 0)
    }
}

extension ExitTests {
    @Suite("Rule 16: Cycles are found (deep graphs)") struct DepthTests {}
}

extension ExitTests.DepthTests {
    /// The stack size of secondary threads on Apple platforms.
    private static let smallStack = 512 << 10

    /// A chain of tickets, each of which depends on the next. The first one is named "0".
    private static func chain(_ length: Int) -> DIContainer {
        DIContainer {
            Shared(Ticket(number: 1), name: RegistrationName("\(length)"))
            for index in 0..<length {
                Shared(name: RegistrationName("\(index)")) { resolve in
                    try resolve.orThrow(Ticket.self, name: RegistrationName("\(index + 1)"))
                }
            }
        }
    }

    /// Resolves on a small stack, and returns the error or nil.
    private static func failureOnSmallStack(
        _ container: DIContainer, _ name: RegistrationName? = nil
    ) -> ResolutionError? {
        let outcome = BackgroundThread(stackSize: smallStack) {
            failure { _ = try container.resolve.orThrow(Ticket.self, name: name) }
        }.result()
        guard let outcome else { preconditionFailure("It does not end.") }
        return outcome
    }

    @Test("A chain of factories uses little stack, even built from its end")
    func stepByStep() async {
        // In a process of its own, because an overflow of the stack ends the process.
        await #expect(processExitsWith: .success) {
            precondition(Self.failureOnSmallStack(Self.chain(20), "0") == nil)
            let container = Self.chain(2_000)
            for index in stride(from: 2_000, through: 0, by: -5) {
                precondition(Self.failureOnSmallStack(container, RegistrationName("\(index)")) == nil)
            }
        }
    }

    @Test("Aliases in a thousand containers are not a cycle on a small stack")
    func aliases() async {
        await #expect(processExitsWith: .success) {
            var container = DIContainer { Shared(Ticket(number: 7)) }
            for _ in 0..<1_000 {
                container = container.makeChild {
                    Shared(Ticket(number: 0), as: (any Sendable).self)
                    Decorate((any Sendable).self) { base, _ in base }
                }
                container.unregister(Ticket.self)
            }
            precondition(Self.failureOnSmallStack(container) == nil)
            precondition((container.resolve((any Sendable).self) as? Ticket)?.number == 7)
        }
    }
}

@Suite("Rule 16: Cycles are found (Two objects that reference each other)")
struct LazyCycleTests {
    private final class Lazy: @unchecked Sendable { @LazyInject var other: LazyOther }
    private final class LazyOther: @unchecked Sendable { @LazyInject var other: Lazy }
    private final class Provided: Sendable {
        let other: Provider<ProvidedOther>
        init(other: Provider<ProvidedOther>) { self.other = other }
    }
    private final class ProvidedOther: Sendable {
        let other: Provided
        init(other: Provided) { self.other = other }
    }

    @Test("Lazy wrappers on both sides retain each other after they were read", arguments: [true, false])
    func lazy(isWeak: Bool) throws {
        weak var object: Lazy?
        do {
            let container = DIContainer {
                if isWeak { Weak { _ in Lazy() } } else { Shared { _ in Lazy() } }
                if isWeak { Weak { _ in LazyOther() } } else { Shared { _ in LazyOther() } }
            }
            let first = try container.resolve.orThrow(Lazy.self)
            #expect(first.other.other === first)
            object = first
        }
        #expect(object != nil)
    }

    @Test("A provider on one side retains nothing", arguments: [true, false])
    func provided(isWeak: Bool) throws {
        weak var object: Provided?
        do {
            let container = DIContainer {
                if isWeak { Weak(autowiring: Provided.init) } else { Shared(autowiring: Provided.init) }
                if isWeak { Weak(autowiring: ProvidedOther.init) } else { Shared(autowiring: ProvidedOther.init) }
            }
            let first = try container.resolve.orThrow(Provided.self)
            #expect(first.other().other === first)
            object = first
        }
        #expect(object == nil)
    }
}

@Suite("Rule 16: Cycles are found (paths of asynchronous factories)", .mayHang)
struct AsyncPathTests {
    @Test("Separate builds of one registration in two containers are not a cycle")
    func twoContainers() async throws {
        let module = Module {
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
        }
        let inner = DIContainer {
            module
            Shared(1)
        }
        let outer = DIContainer {
            module
            Shared(async: { _ in try await inner.resolve.async(Ticket.self).number + 1 })
        }
        #expect(try await outer.resolve.async(Ticket.self).number == 2)
    }

    @Test("A New(async:) built for a child and then for its parent is not a cycle")
    func parentAndChild() async throws {
        let parent = DIContainer {
            New(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            Shared(1)
        }
        let child = parent.makeChild {
            New(async: { _ in try await parent.resolve.async(Ticket.self).number + 1 })
        }
        #expect(try await child.resolve.async(Ticket.self).number == 2)
    }

    @Test("Rule 18: the asynchronous steps come before those of the thread")
    func order() async throws {
        let container = DIContainer {
            Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
            New(async: { resolve in "\(try resolve.orThrow(Car.self).engine.kind)" })
            Shared(autowiring: Car.init)
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        #expect(error?.kind == "notRegistered" && error?.key == "any Engine")
        #expect(error?.path.map(\.key) == ["Ticket", "String", "Car"])
    }

    @Test("Rule 18: a later request of a task leaves its finished factory out of the path")
    func overBeforehand() async throws {
        let gate = Gate()
        let container = DIContainer {
            Shared(async: { resolve in
                Task {
                    try await gate.wait()
                    return try await resolve.async(Ticket.self).number
                }
            })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
        }
        let late = try await container.resolve.async(Task<Int, any Error>.self)
        gate.open()
        let error = await #expect(throws: ResolutionError.self) { try await late.value }
        #expect(error?.key == "Int" && error?.path.map(\.key) == ["Ticket"])
    }

    @Test("A task left behind by a factory never closes a cycle", arguments: [false, true])
    func leftBehind(_ isBuiltBefore: Bool) async throws {
        let hasReturned = Gate()
        let requested = Gate()
        let container = DIContainer {
            Shared(async: { resolve in
                Task {
                    try await hasReturned.wait()
                    requested.open()
                    return try await resolve.async(Ticket.self).number
                }
            })
            Shared(async: { resolve in
                _ = try await resolve.async(Task<Int, any Error>.self)
                hasReturned.open()
                try await requested.wait()
                // The request below and the task both wait for this factory.
                await DIContainer.current.untilTasksWait(2)
                return Ticket(number: 1)
            })
        }
        if isBuiltBefore { _ = try await container.resolve.async(Task<Int, any Error>.self) }
        #expect(try await container.resolve.async(Ticket.self).number == 1)
        #expect(try await container.resolve.orThrow(Task<Int, any Error>.self).value == 1)
    }

    @Test("Requests of a task from a plain factory belong to the outer build")
    func taskOfPlainFactory() async throws {
        let container = DIContainer {
            New { resolve in Task { try await resolve.async(Ticket.self).number } }
            Shared(async: { resolve in
                let task = try await resolve.async(Task<Int, any Error>.self)
                return Ticket(number: try await task.value)
            })
        }
        let request = Task { try await container.resolve.async(Ticket.self) }
        let outcome = Locked<Result<Ticket, any Error>?>(nil)
        Task {
            let result = await request.result
            outcome.withLock { $0 = result }
        }
        #expect(await eventually { outcome.withLock { $0 != nil } }, "the two wait for each other")
        let error = #expect(throws: ResolutionError.self) { try outcome.withLock { $0 }?.get() }
        #expect(error?.kind == "cycle")
        request.cancel()
    }

    @Test("Rule 18: the error of two tasks that wait for each other names both types and the step between")
    func crossed() async throws {
        let (isFirst, isSecond) = (Gate(), Gate())
        let container = DIContainer {
            Shared(async: { resolve in
                isFirst.open()
                try await isSecond.wait()
                return Ticket(number: try await resolve.async(String.self).count)
            })
            Shared(async: { resolve in
                isSecond.open()
                try await isFirst.wait()
                return "\(try await resolve.async(Ticket.self).number)"
            })
        }
        let first = Task { _ = try await container.resolve.async(Ticket.self) }
        let second = Task { _ = try await container.resolve.async(String.self) }
        let texts = [await first.result, await second.result].compactMap { result in
            failure { try result.get() }.flatMap { $0.reason == .cycle ? $0.description : nil }
        }
        #expect(!texts.isEmpty)
        let ways = ["Ticket → … → String → Ticket\n", "String → … → Ticket → String\n"]
        for text in texts {
            #expect(ways.contains { text.hasPrefix("Circular dependency: \($0)") }, "\(text)")
            #expect(
                text.hasSuffix("\n  fix: connect the instances after their initializers, in one factory"), "\(text)")
        }
    }
}
