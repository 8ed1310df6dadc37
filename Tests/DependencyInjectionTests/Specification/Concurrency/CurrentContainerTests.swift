import DependencyInjection
import Testing

@Suite("Rule C7: The current container follows the code", .mayHang, .ownThread)
struct CurrentContainerTests {
    private var number: Int { DIContainer.resolve(Ticket.self).number }

    @Test("A scope inside a factory takes precedence over the factory's container")
    func scopeInFactory() throws {
        let outer = DIContainer { Shared(Ticket(number: 1)) }
        let inner = DIContainer { Shared(Ticket(number: 2)) }
        outer.register {
            New(name: "scoped") { _ in DIContainer.withContainer(inner) { DIContainer.resolve(Ticket.self) } }
            New(name: "plain") { _ in DIContainer.resolve(Ticket.self) }
        }
        #expect(try outer.resolve.orThrow(Ticket.self, name: "scoped").number == 2)
        // The factory's container takes precedence over a scope that was entered before.
        DIContainer.withContainer(inner) { #expect(outer.resolve(Ticket.self, name: "plain").number == 1) }
    }

    @Test("Each task uses its own container across suspensions, in groups and in child tasks")
    func tasks() async {
        await withTaskGroup(of: [Int].self) { group in
            for number in 0..<20 {
                group.addTask {
                    await DIContainer.withContainer(DIContainer { Shared(Ticket(number: number)) }) {
                        var numbers: [Int] = []
                        for _ in 0..<20 {
                            await Task.yield()
                            numbers.append(self.number - number)
                        }
                        async let child = self.number - number
                        return numbers + [await child]
                    }
                }
            }
            for await differences in group { #expect(differences == Array(repeating: 0, count: 21), "a task") }
        }
    }

    @Test("A scope retains its container until it and its tasks have ended", arguments: [false, true])
    func lifetime(hasTask: Bool) async throws {
        let (built, released, task) = (Counter(), Counter(), Latch())
        let container = DIContainer { Shared(built.counting(Tracked(released))) }
        // The fork is released at the end of its scope.
        let running = DIContainer.withContainer(container.fork()) { () -> Task<Void, any Error>? in
            _ = DIContainer.resolve(Tracked.self)
            #expect(released.count == 0)
            if !hasTask { return nil }
            return Task {
                try await task.opening()
                _ = DIContainer.resolve(Tracked.self)
            }
        }
        #expect(released.count == (hasTask ? 0 : 1))
        task.open()
        try await running?.value
        #expect(await eventually { released.count == 1 })
        #expect(built.count == 1)
    }

    @Test("Rule 10: a task of a parent's factory uses the parent, even for a child")
    func taskOfFactory() async {
        let parent = DIContainer {
            Shared(Ticket(number: 1))
            Shared { _ in Task { DIContainer.resolve(Ticket.self).number } }
            Scoped { _ in Task { "\(DIContainer.resolve(Ticket.self).number)" } }
        }
        let child = parent.makeChild { Shared(Ticket(number: 2)) }
        let (shared, scoped) = DIContainer.withContainer(child) {
            (DIContainer.resolve(Task<Int, Never>.self), DIContainer.resolve(Task<String, Never>.self))
        }
        #expect(await shared.value == 1)
        #expect(await scoped.value == "2")
    }

    @Test("The current container is the scope's, the factory's, or the default")
    func current() {
        #expect(DIContainer.current === DIContainer.shared)
        let outer = DIContainer { Shared(Ticket(number: 1)) }
        let inner = DIContainer { Shared(Ticket(number: 2)) }
        DIContainer.withContainer(outer) {
            #expect(DIContainer.current === outer)
            DIContainer.withContainer(inner) { #expect(DIContainer.current === inner && number == 2) }
            #expect(throws: Sabotage()) { try DIContainer.withContainer(inner) { throw Sabotage() } }
            #expect(DIContainer.current === outer && number == 1)
        }
    }

    @Test("A scope's current container retains its instances, and a factory's does not")
    func keeping() throws {
        weak var engine: Diesel?
        let kept = DIContainer.withContainer(DIContainer { Shared(Diesel()) }) { DIContainer.current }
        engine = try kept.resolve.orThrow(Diesel.self)
        #expect(engine != nil)
        let container = DIContainer {
            Shared(Diesel())
            New { _ in DIContainer.current }
        }
        engine = try container.resolve.orThrow(Diesel.self)
        // The same holds inside a scope of that container. Otherwise the instance would retain the container forever.
        var handle: DIContainer? = DIContainer.withContainer(container) { container.resolve() }
        #expect(try handle !== container && handle?.resolve.orThrow(Diesel.self) === engine)
        handle?.register(New(7))
        handle = nil
        #expect(
            try engine != nil && container.resolve.orThrow(Diesel.self) === engine
                && container.resolve.orThrow(Int.self) == 7)
    }
}

extension ExitTests {
    @Test(
        "Rule C7: An instance that stores the current container does not retain an old default",
        arguments: [false, true])
    static func keepingDefault(isAsync: Bool) async {
        await #expect(processExitsWith: .success) { [isAsync] in
            final class Owner: Sendable { let container = DIContainer.current }
            DIContainer.register(isAsync ? Shared(async: { _ in Owner() }) : Shared(Owner()))
            weak var owner: Owner?
            if isAsync {
                owner = try await DIContainer.resolve.async(Owner.self)
            } else {
                owner = DIContainer.resolve(Owner.self)
            }
            precondition(owner?.container.isRegistered(Owner.self) == true)
            DIContainer.shared = DIContainer()
            // The task of an asynchronous build may retain the instance a moment longer.
            let isReleased = await isAsync ? eventually { owner == nil } : owner == nil
            precondition(isReleased)
        }
    }
}
