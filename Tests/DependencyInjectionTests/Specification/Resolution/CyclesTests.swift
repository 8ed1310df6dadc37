import DependencyInjection
import Testing

@Suite("Rule 16: Cycles are found", .mayHang)
struct CycleTests {
    @Test("A cycle of Shared or New prints the whole path, at every request")
    func kinds() throws {
        let containers: KeyValuePairs = [
            "Shared": DIContainer { Module(Shared(autowiring: Hen.init), Shared(autowiring: Egg.init)) },
            "New": DIContainer { Module(New(autowiring: Hen.init), New(autowiring: Egg.init)) },
            "Shared, New": DIContainer { Module(Shared(autowiring: Hen.init), New(autowiring: Egg.init)) },
            "New, Shared": DIContainer { Module(New(autowiring: Hen.init), Shared(autowiring: Egg.init)) },
            "closures": DIContainer {
                Shared { resolve in Hen(try resolve.orThrow()) }
                Shared { _ in Egg(try DIContainer.resolve.orThrow()) }
            },
        ]
        for (row, container) in Array(containers) + Array(containers) {
            let error = try #require(container.error(of: Hen.self), "\(row)")
            #expect(error.kind == "cycle" && error.key == "Hen", "\(row)")
            #expect(error.path.map(\.id.description) == ["Hen", "Egg"], "\(row)")
            #expect(error.description.contains("Hen → Egg → Hen"), "\(row)")
        }
        // The error doesn't change the container.
        let first = containers[0].value
        first.register(Shared(Ticket(number: 1)), Shared { _ -> Egg in throw Sabotage() })
        #expect(try first.resolve.orThrow(Ticket.self).number == 1)
        #expect(first.error(of: Hen.self)?.kind == "factoryFailed")
    }

    @Test("A cycle through an alias is an error")
    func alias() throws {
        let container = DIContainer {
            Shared(as: (any Engine).self) { resolve in Tuned(try resolve.orThrow(Car.self).engine) }
            Shared(autowiring: Car.init)
        }
        let error = try #require(container.error(of: (any Engine).self))
        #expect(error.kind == "cycle")
        #expect(error.description.contains("any Engine → Tuned → Car → any Engine"))
    }

    @Test("One type under two keys or in two containers is not a cycle")
    func noFalseAlarm() throws {
        let other = DIContainer { Shared(Ticket(number: 1)) }
        let container = DIContainer {
            New(autowiring: { (_: Diesel, _: Diesel) in Pool() })
            New { resolve in Diesel(kind: resolve(Connection.self).name) }
            New(Connection("main"))
            Shared(name: "outer") { resolve in Ticket(number: resolve(Ticket.self, name: "inner").number + 1) }
            Shared(name: "inner") { _ in Ticket(number: other.resolve(Ticket.self).number + 1) }
        }
        _ = try container.resolve.orThrow(Pool.self)
        #expect(try container.resolve.orThrow(Ticket.self, name: "outer").number == 3)

        let module = Module { Shared { resolve in Ticket(number: resolve(Int.self)) } }
        let inner = DIContainer { Module(module, Shared(1)) }
        let outer = DIContainer { Module(module, Shared { _ in inner.resolve(Ticket.self).number + 1 }) }
        #expect(try outer.resolve.orThrow(Ticket.self).number == 2)
    }

    @Test("A New with arguments may recurse, and endless recursion is an error")
    func recursion() throws {
        let container = DIContainer {
            New(name: "tree") { (resolve, depth: Int) -> Ticket in
                if depth == 0 { return Ticket(number: 1) }
                let left: Ticket = try resolve.orThrow(depth - 1, name: "tree")
                let right: Ticket = try resolve.orThrow(depth - 1, name: "tree")
                return Ticket(number: left.number + right.number)
            }
            New { (resolve, endless: String) -> Ticket in try resolve.orThrow(endless) }
            New(name: "deep") { (resolve, depth: Int) -> [Int] in
                depth == 0 ? [] : try resolve.orThrow(depth - 1, name: "deep") + [depth]
            }
        }
        #expect(try container.resolve.orThrow([Int].self, name: "deep", arguments: 64).count == 64)
        let error = failure { _ = try container.resolve.orThrow([Int].self, name: "deep", arguments: 65) }
        #expect(error?.kind == "cycle" && error?.path.count == 65)
        #expect(try container.resolve.orThrow(Ticket.self, name: "tree", arguments: 5).number == 32)
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
        #expect(error.kind == "cycle" && error.path.map(\.id.description) == ["Ticket"] && runs.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 0).number == 0)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 2).number == 0)
    }

    // MARK: Two objects that reference each other

    private final class Lazy: @unchecked Sendable { @LazyInject var other: Dependent<Lazy> }
    private final class Provided: Sendable {
        let other: Provider<Dependent<Provided>>
        init(other: Provider<Dependent<Provided>>) { self.other = other }
    }

    @Test("A lazy wrapper or a provider breaks a cycle, and a provider retains nothing")
    func broken() throws {
        weak var lazy: Lazy?
        weak var provided: Provided?
        do {
            let container = DIContainer {
                Shared(Lazy())
                Shared(autowiring: Dependent<Lazy>.init)
                Shared(autowiring: Provided.init)
                Shared(autowiring: Dependent<Provided>.init)
            }
            let (first, second) = try (container.resolve.orThrow(Lazy.self), container.resolve.orThrow(Provided.self))
            #expect(try first.other === container.resolve.orThrow(Dependent<Lazy>.self))
            #expect(try second.other() === container.resolve.orThrow(Dependent<Provided>.self))
            (lazy, provided) = (first, second)
        }
        #expect(lazy != nil)
        #expect(provided == nil)
    }

    // MARK: Paths of asynchronous factories

    @Test("Separate asynchronous builds of one registration in two containers are not a cycle")
    func twoContainers() async throws {
        let module = Module { Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) }) }
        let inner = DIContainer { Module(module, Shared(1)) }
        let outer = DIContainer {
            module
            Shared(async: { _ in try await inner.resolve.async(Ticket.self).number + 1 })
        }
        #expect(try await outer.resolve.async(Ticket.self).number == 2)
        // Built for a child, and then for its parent
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
        #expect(error?.path.map(\.id.description) == ["Ticket", "String", "Car"])
    }

    @Test("Rule 18: a later request of a task leaves its finished factory out of the path")
    func overBeforehand() async throws {
        let gate = Latch()
        let container = DIContainer {
            Shared(async: { resolve in
                Task {
                    try await gate.opening()
                    return try await resolve.async(Ticket.self).number
                }
            })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
        }
        let late = try await container.resolve.async(Task<Int, any Error>.self)
        gate.open()
        let error = await #expect(throws: ResolutionError.self) { try await late.value }
        #expect(error?.key == "Int" && error?.path.map(\.id.description) == ["Ticket"])
    }

    @Test("A task left behind by a factory never closes a cycle", arguments: [false, true])
    func leftBehind(_ isBuiltBefore: Bool) async throws {
        let hasReturned = Latch()
        let requested = Latch()
        let container = DIContainer {
            Shared(async: { resolve in
                Task {
                    try await hasReturned.opening()
                    requested.open()
                    return try await resolve.async(Ticket.self).number
                }
            })
            Shared(async: { resolve in
                _ = try await resolve.async(Task<Int, any Error>.self)
                hasReturned.open()
                try await requested.opening()
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
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        #expect(error?.kind == "cycle")
    }

    @Test("Rule 18: the error of two tasks that wait for each other names both types and the step between")
    func crossed() async throws {
        let (isFirst, isSecond) = (Latch(), Latch())
        let container = DIContainer {
            Shared(async: { resolve in
                isFirst.open()
                try await isSecond.opening()
                return Ticket(number: try await resolve.async(String.self).count)
            })
            Shared(async: { resolve in
                isSecond.open()
                try await isFirst.opening()
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
