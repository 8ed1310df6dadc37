import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule C10: asynchronous builds under way", .mayHang, .ownThread)
struct AsyncBuildTests {
    typealias Database = AsyncFactoryTests.Database
    typealias Repository = AsyncFactoryTests.Repository

    @Test("A failed build is reported to all its waiters, and the next request retries it")
    func failing() async throws {
        let gate = Gate()
        let attempts = Counter()
        let container = DIContainer {
            Shared(async: { _ -> Database in
                try await gate.wait()
                if attempts.increment() == 1 { throw Sabotage() }
                return Database()
            })
        }
        let waiting = (0..<10).map { _ in
            Task { _ = try await container.resolve.async(Database.self) }
        }
        // A later request would begin another build.
        await container.untilTasksWait(waiting.count)
        gate.open()
        for task in waiting {
            let error = await #expect(throws: ResolutionError.self) { try await task.value }
            #expect(error?.kind == "factoryFailed" && error?.description.contains("sabotaged") == true)
        }
        #expect(attempts.count == 1)
        _ = try await container.resolve.async(Database.self)
        #expect(attempts.count == 2)
    }

    @Test("Only canceling all waiters cancels the build, and the next request retries it")
    func canceling() async throws {
        let gate = Gate()
        let started = Counter()
        let canceled = Counter()
        let container = DIContainer {
            Shared(async: { _ in
                started.increment()
                do { try await gate.wait() } catch {
                    canceled.increment()
                    throw error
                }
                return Database()
            })
        }
        // The task that starts the build waits for it. Later tasks may be canceled before they wait.
        let first = Task { try await container.resolve.async(Database.self) }
        #expect(await eventually { started.count == 1 })
        let second = Task { try await container.resolve.async(Database.self) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(canceled.count == 0)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(await eventually { canceled.count == 1 })
        let third = Task { try await container.resolve.async(Database.self) }
        #expect(await eventually { started.count == 2 })
        let fourth = Task { try await container.resolve.async(Database.self) }
        fourth.cancel()
        await #expect(throws: CancellationError.self) { try await fourth.value }
        gate.open()
        let database = try await third.value
        #expect(try database === container.resolve.orThrow(Database.self))
        #expect(started.count == 2 && canceled.count == 1)
    }

    @Test("Waiters get the new registration, decoration or instance after a change")
    func changedMeanwhile() async throws {
        let changes: [(change: @Sendable (DIContainer) -> Void, name: String, builds: Int)] = [
            ({ container in container.register(Shared(Database(name: "new"))) }, "new", 1),
            (
                { container in
                    container.register {
                        Decorate(Database.self) { base, _ in Database(name: "decorated \(base.name)") }
                    }
                }, "decorated 2", 2
            ),
            ({ container in container.resetInstances() }, "2", 2),
        ]
        for (change, name, builds) in changes {
            let gate = Gate()
            let started = Counter()
            let container = DIContainer {
                Shared(async: { _ in
                    let number = started.increment()
                    try await gate.wait()
                    return Database(name: "\(number)")
                })
                Shared(autowiring: Repository.init)
            }
            let waiting = Task { try await container.resolve.async(Repository.self) }
            #expect(await eventually { started.count == 1 })
            change(container)
            gate.open()
            #expect(try await waiting.value.database.name == name)
            #expect(try container.resolve.orThrow(Database.self).name == name)
            #expect(started.count == builds)
        }
    }

    @Test("A task that outlives its factory may request the type that this factory built")
    func outlivingTask() async throws {
        final class Session: Sendable {
            let refreshed: Task<Database, any Error>
            init(_ refreshed: Task<Database, any Error>) { self.refreshed = refreshed }
        }
        let gate = Gate()
        let attempts = Counter()
        let late = Locked<Task<Database, any Error>?>(nil)
        let container = DIContainer {
            Shared(async: { resolve in
                guard attempts.increment() == 1 else { return Database(name: "second") }
                let task = Task {
                    try await gate.wait()
                    return try await resolve.async(Database.self)
                }
                late.withLock { $0 = task }
                throw Sabotage()
            })
            New(async: { resolve in
                Session(
                    Task {
                        try await gate.wait()
                        return try await resolve.async(Session.self, name: "inner").refreshed.value
                    })
            })
            New(async: { resolve in Session(Task { try await resolve.async(Database.self) }) }, name: "inner")
        }
        await #expect(throws: ResolutionError.self) { try await container.resolve.async(Database.self) }
        let session = try await container.resolve.async(Session.self)
        gate.open()
        #expect(try await late.withLock { $0! }.value.name == "second")
        #expect(try await session.refreshed.value.name == "second")
    }

    @Test("While a build waits, nothing holds the queue")
    func queueIsFree() async throws {
        let gate = Gate()
        let container = DIContainer {
            Shared(async: { _ in
                try await gate.wait()
                return Database()
            })
            Shared(Diesel())
        }
        let waiting = Task { try await container.resolve.async(Database.self) }
        let kinds = onThreads(2) { _ in container.resolve(Diesel.self).kind }
        container.register(Shared(1))
        #expect(try kinds.count == 2 && container.resolve.orThrow(Int.self) == 1)
        gate.open()
        _ = try await waiting.value
    }

    @Test("Rule 7: a canceled build that ends late does not replace the next instance")
    func cancelledAndLate() async throws {
        let gate = Gate()
        let (started, returned) = (Counter(), Counter())
        let container = DIContainer {
            Shared(async: { _ in
                // A separate task isn't canceled with the factory.
                if started.increment() == 1 { try await Task { try await gate.wait() }.value }
                return Database()
            })
        }
        container.observe { if $0.kind == .built { returned.increment() } }
        let first = Task { try await container.resolve.async(Database.self) }
        #expect(await eventually { started.count == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = try await container.resolve.async(Database.self)
        gate.open()
        #expect(await eventually { returned.count == 2 })
        #expect(await !eventually(within: 0.2) { container.resolve(Database.self) !== second })
    }

    @Test("A build that no longer waits for another one may be awaited by that build")
    func stoppedWaiting() async throws {
        let hasStopped = Gate()
        let started = Counter()
        let failed = Counter()
        let container = DIContainer {
            Shared(async: { resolve in
                let waiting = Task { try await resolve.async(Ticket.self) }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                hasStopped.open()
                // This factory still runs during the other request. A cycle would be reported immediately.
                _ = await eventually(within: 0.1) { failed.count > 0 }
                return Database()
            })
            Shared(async: { resolve in
                started.increment()
                try await hasStopped.wait()
                do { return Ticket(number: try await resolve.async(Database.self).name.count) } catch {
                    failed.increment()
                    throw error
                }
            })
        }
        // Another task also waits for the ticket, so that its build isn't canceled.
        async let ticket = container.resolve.async(Ticket.self)
        #expect(await eventually { started.count == 1 })
        _ = try await container.resolve.async(Database.self)
        #expect(try await ticket.number == 4)
    }
}
