import DependencyInjection
import Testing

@Suite("Paths of asynchronous factories", .mayHang)
struct AsyncPathTests {
    @Test("Rule 16: separate builds of one registration in two containers are not a cycle")
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

    @Test("Rule 16: a New(async:) built for a child and then for its parent is not a cycle")
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

    @Test("Rule 16: a task left behind by a factory never closes a cycle", arguments: [false, true])
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

    @Test("Rule 16: requests of a task from a plain factory belong to the outer build")
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
}
