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
            let error = try #require(container.error(of: Hen.self))
            #expect(error.kind == "cycle" && error.key == "Hen", "\(row)")
            #expect(error.path.map(\.key) == ["Hen", "Egg"], "\(row)")
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
        #expect(error.kind == "cycle" && error.path.map(\.key) == ["Ticket"] && runs.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 0).number == 0)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 2).number == 0)
    }

    // MARK: Two objects that reference each other

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

extension ExitTests {
    @Suite("Rule 16: Cycles are found (deep graphs)") struct DepthTests {}
}

extension ExitTests.DepthTests {
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

    /// Whether a request succeeds on a stack of the size that secondary threads have on Apple platforms.
    private static func succeedsOnSmallStack(_ container: DIContainer, _ name: RegistrationName? = nil) -> Bool {
        BackgroundThread(stackSize: 512 << 10) { container.error(of: Ticket.self, name: name) == nil }.result()
            == true
    }

    @Test("A chain of factories uses little stack, even built from its end")
    func stepByStep() async {
        // In a process of its own, because an overflow of the stack ends the process.
        await #expect(processExitsWith: .success) {
            precondition(Self.succeedsOnSmallStack(Self.chain(20), "0"))
            let container = Self.chain(2_000)
            for index in stride(from: 2_000, through: 0, by: -5) {
                precondition(Self.succeedsOnSmallStack(container, RegistrationName("\(index)")))
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
            precondition(Self.succeedsOnSmallStack(container))
            precondition((container.resolve((any Sendable).self) as? Ticket)?.number == 7)
        }
    }
}
