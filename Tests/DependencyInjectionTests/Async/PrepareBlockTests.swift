import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule C11: preparing what a block registers")
struct PrepareBlockTests {
    /// What is renewed. It keeps the resolver that its factory was given.
    private final class Pool: Sendable {
        let version: Int
        let resolve: Resolver
        let makeTicket: Provider<Ticket>
        let tracked: Tracked?

        init(_ version: Int, _ resolve: Resolver, _ makeTicket: Provider<Ticket>, _ tracked: Tracked? = nil) {
            self.version = version
            self.resolve = resolve
            self.makeTicket = makeTicket
            self.tracked = tracked
        }
    }

    private protocol Versioned: Sendable { var number: Int { get } }

    private final class Repository: Versioned {
        let pool: Pool
        init(pool: Pool) { self.pool = pool }
        var number: Int { pool.version }
    }

    private struct Page: Sendable {
        let pool: Pool
        init(pool: Pool) { self.pool = pool }
    }

    private func pool(
        _ version: Int, name: RegistrationName? = nil, _ released: Counter? = nil, before: Gate? = nil
    ) -> Shared {
        Shared(
            async: { resolve in
                try await before?.wait()
                return Pool(version, resolve, try resolve.orThrow(), released.map { Tracked($0) })
            }, name: name)
    }

    // MARK: Renewing

    @Test("readers always get the old instance or the new one, through every handle, during many renewals")
    func readers() async throws {
        let container = DIContainer {
            pool(0)
            New(autowiring: Page.init)
            Shared(autowiring: Repository.init, as: (any Versioned).self)
        }
        try await container.prepare()
        let isDone = Counter()
        let handles: [@Sendable (DIContainer) throws -> Int] = [
            { try $0.resolve.orThrow(Pool.self).version }, { try $0.resolve.orThrow(Page.self).pool.version },
            { try $0.makeChild().resolve.orThrow(Pool.self).version },
            { try $0.resolve.orThrow(Pool?.self)?.version ?? -1 },
            { try $0.resolve.orThrow((any Versioned).self).number },
            { container in
                try DIContainer.withContainer(container) { try DIContainer.resolve.orThrow(Page.self).pool.version }
            },
        ]
        // On threads of their own, which leave the others time to run.
        let reading = Task.detached {
            await awaitThreads(handles.count) { index in
                var (last, rest) = (0, 10_000)
                while isDone.count == 0 || last < 300 && rest > 0 {
                    do {
                        let version = try handles[index](container)
                        guard version >= last else { return "\(version) after \(last)" }
                        last = version
                    } catch { return "\(error)" }
                    rest -= isDone.count
                    usleep(2_000)
                }
                return last == 300 ? "read" : "ended with \(last)"
            }
        }
        for version in 1...300 {
            try await container.prepare {
                pool(version)
                Shared(autowiring: Repository.init, as: (any Versioned).self)
            }
        }
        isDone.increment()
        #expect(await reading.value.allSatisfy { $0 == "read" })
    }

    @Test("what was built of the old instance stays, and the old instance goes with its last holder")
    func oldOnes() async throws {
        let released = Counter()
        let container = DIContainer {
            pool(0, released)
            Shared(autowiring: Repository.init)
        }
        try await container.prepare()
        let repository = container.resolve(Repository.self)
        for version in 1...50 { try await container.prepare { pool(version, released) } }
        #expect(container.resolve(Pool.self).version == 50)
        #expect(container.resolve(Repository.self) === repository && repository.pool.version == 0)
        #expect(await eventually { released.count == 49 }, "\(released.count)")
        container.reset()
        #expect(await eventually { released.count == 50 }, "\(released.count)")
    }

    @Test("several tasks may renew at the same time: the last to finish wins, and nobody's request fails")
    func together() async throws {
        let container = DIContainer { pool(0) }
        try await container.prepare()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 1...8 {
                group.addTask {
                    for round in 1...20 {
                        try await container.prepare { pool(task * 100 + round) }
                        _ = try container.resolve.orThrow(Pool.self)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(container.resolve(Pool.self).version % 100 == 20)
        #expect(container.registrations.map(\.isBuilt) == [true])
    }

    // MARK: What the block holds

    @Test("registrations of a block get one another, under names and aliases; a New is only registered")
    func contents() async throws {
        let (built, made) = (Counter(), Counter())
        let container = DIContainer {
            pool(0)
            New(autowiring: Page.init)
        }
        try await container.prepare()
        let before = container.resolve(Pool.self)
        try await container.prepare {
            Module {
                Shared { resolve in
                    built.increment()
                    // Plainly, though only `await` builds it.
                    return Repository(pool: resolve(name: "main"))
                }
                Shared(
                    async: { resolve in "\(try await resolve.async(Page.self).pool.version)" }, as: (any Sendable).self)
            }
            pool(1)
            pool(2, name: "main")
            New { _ in
                made.increment()
                return Ticket(number: 1)
            }
            Shared(async: { (_, text: String) in text.count })
            Shared(mainActor: Window())
            Expected(Double.self)
        }
        #expect(built.count == 1 && made.count == 0 && before.version == 0)
        #expect(container.resolve(Repository.self).number == 2 && built.count == 1)
        #expect(container.resolve(String.self) == "1" && container.resolve((any Sendable).self) as? String == "1")
        #expect(
            container.resolve(Pool.self, name: "main").version == 2 && container.resolve(Page.self).pool.version == 1)
        #expect(container.resolve(Ticket.self).number == 1 && made.count == 1)
        #expect(try await container.resolve.async(Int.self, arguments: "four") == 4)
        #expect(failure { _ = try container.resolve.orThrow(Double.self) }?.description.contains("expected at") == true)
        await MainActor.run { _ = container.resolve(Window.self) }
        let text = container.debugDescription
        #expect(text.contains("Shared String, built") && text.contains("Shared Pool named \"main\", built"))
    }

    @Test("an empty block does nothing")
    func empty() async throws {
        let container = DIContainer { pool(0) }
        container.seal()
        try await container.prepare {}
        #expect(failure { _ = try container.resolve.orThrow(Pool.self) }?.reason == .asyncRequired)
    }

    @Test("what the container keeps itself is built by its own registrations, and is not renewed")
    func ownRegistrations() async throws {
        let container = DIContainer {
            Shared(autowiring: Repository.init)
            pool(0)
        }
        try await container.prepare()
        try await container.prepare {
            pool(1)
            Shared(async: { resolve in resolve(Repository.self).number }, name: "seen")
            Shared(async: { resolve in try await resolve.async(Page?.self)?.pool.version ?? -1 })
        }
        // It was built for the block, but of the container's own pool.
        #expect(container.resolve(Int.self, name: "seen") == 0 && container.resolve(Repository.self).number == 0)
        #expect(container.resolve(Int.self) == -1 && container.resolve(Pool.self).version == 1)
    }

    @Test("decorators of the container and of the block wrap once, also what the block does not register")
    func decorators() async throws {
        let wrapped = Counter()
        func tune(_ label: String) -> Module {
            Module {
                Decorate(Diesel.self) { base, _ in
                    wrapped.increment()
                    return Diesel(kind: "\(label) \(base.kind)")
                }
            }
        }
        let own = tune("own")
        let container = DIContainer {
            Shared(async: { _ in Diesel(kind: "0") }, as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "alias of \(base.kind)") }
            own
        }
        try await container.prepare()
        try await container.prepare {
            Shared(async: { _ in Diesel(kind: "1") })
            own
            tune("block")
            Shared(async: { resolve in try await resolve.async((any Engine).self).kind })
        }
        #expect(container.resolve(Diesel.self).kind == "block own 1" && wrapped.count == 3)
        #expect(container.resolve(String.self) == "alias of block own 1")
        #expect(container.resolve((any Engine).self).kind == "alias of block own 1")
        let first = container.resolve(Diesel.self)
        try await container.prepare { tune("alone") }
        #expect(container.resolve(Diesel.self).kind == "alone block own 1" && wrapped.count == 6)
        // A decorator that is there already changes nothing.
        try await container.prepare { own }
        #expect(first.kind == "block own 1" && wrapped.count == 6)
    }

    // MARK: Failing

    @Test("if a build fails, nothing changes, and what was built for nothing is released")
    func failing() async throws {
        let released = Counter()
        let container = DIContainer { pool(0) }
        try await container.prepare()
        let old = container.resolve(Pool.self)
        let before = container.debugDescription
        let blocks: [@Sendable () -> Shared] = [
            { Shared(async: { _ -> Int in throw Sabotage() }) }, { Shared { _ -> Int in throw Sabotage() } },
        ]
        for block in blocks {
            let error = await #expect(throws: PreparationError.self) {
                try await container.prepare {
                    pool(1, released)
                    Shared { resolve in Repository(pool: try resolve.orThrow()) }
                    block()
                }
            }
            #expect(error?.failures.map(\.key) == ["Int"])
        }
        #expect(container.resolve(Pool.self) === old && container.debugDescription == before)
        #expect(await eventually { released.count == 2 }, "\(released.count)")
    }

    // MARK: What factories keep

    @Test("resolvers, providers and the current container that factories keep are the container's own afterwards")
    func captured() async throws {
        let parent = DIContainer {
            Scoped(Diesel(kind: "scoped"))
            Graph { _ in Car(engine: Diesel()) }
            New { resolve in [resolve(Car.self), resolve(Pool.self).resolve(Car.self)] }
            New { resolve in "\(resolve(Diesel.self).kind) \(resolve(Pool.self).version)" }
            Weak { _ in Repository(pool: Pool(-1, DIContainer.resolve, Provider())) }
        }
        let container = parent.makeChild {
            Shared(Ticket(number: 1))
            pool(0)
        }
        try await container.prepare { pool(1) }
        let renewed = container.resolve(Pool.self)
        let resolve = renewed.resolve
        #expect(resolve(Pool.self) === renewed)
        #expect(resolve(Diesel.self) === container.resolve(Diesel.self))
        #expect(resolve(String.self) == "scoped 1" && resolve(Diesel?.self) === container.resolve(Diesel.self))
        let cars = container.resolve([Car].self)
        #expect(cars[0] === cars[1])
        let repository = resolve(Repository.self)
        #expect(container.resolve(Repository.self) === repository)
        #expect(resolve.all(Ticket.self).map(\.number) == [1])
        container.register(Shared(Ticket(number: 2)), Shared(1.0))
        #expect(renewed.makeTicket().number == 2 && resolve(Double.self) == 1)
        try await container.prepare { pool(2) }
        #expect(resolve(Pool.self).version == 2 && resolve(String.self) == "scoped 2")
        container.resetInstances()
        #expect(try await resolve.async(Pool.self) === container.resolve(Pool.self))
        #expect(resolve(Diesel.self) === container.resolve(Diesel.self))
    }
}

@MainActor private final class Window {}
