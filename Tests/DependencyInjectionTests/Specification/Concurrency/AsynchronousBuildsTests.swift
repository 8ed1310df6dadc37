import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite(
    "Rule C10: An asynchronous build is awaited by all its callers (asynchronous builds under way)", .mayHang,
    .ownThread)
struct AsyncBuildTests {
    typealias Repository = AsyncFactoryTests.Repository

    @Test("A failed build is reported to all its waiters, and the next request retries it")
    func failing() async throws {
        let gate = Gate()
        let attempts = Counter()
        let container = DIContainer {
            Shared(async: { _ -> Connection in
                try await gate.wait()
                if attempts.increment() == 1 { throw Sabotage() }
                return Connection("main")
            })
        }
        let waiting = (0..<10).map { _ in
            Task { _ = try await container.resolve.async(Connection.self) }
        }
        // A later request would begin another build.
        await container.untilTasksWait(waiting.count)
        gate.open()
        for (number, task) in waiting.enumerated() {
            let error = await #expect(throws: ResolutionError.self, "task \(number)") { try await task.value }
            #expect(
                error?.kind == "factoryFailed" && error?.description.contains("sabotaged") == true, "task \(number)")
        }
        #expect(attempts.count == 1)
        _ = try await container.resolve.async(Connection.self)
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
                return Connection("main")
            })
        }
        // The task that starts the build waits for it. Later tasks may be canceled before they wait.
        let first = Task { try await container.resolve.async(Connection.self) }
        #expect(await eventually { started.count == 1 })
        let second = Task { try await container.resolve.async(Connection.self) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(canceled.count == 0)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(await eventually { canceled.count == 1 })
        let third = Task { try await container.resolve.async(Connection.self) }
        #expect(await eventually { started.count == 2 })
        let fourth = Task { try await container.resolve.async(Connection.self) }
        fourth.cancel()
        await #expect(throws: CancellationError.self) { try await fourth.value }
        gate.open()
        let database = try await third.value
        #expect(try database === container.resolve.orThrow(Connection.self))
        #expect(started.count == 2 && canceled.count == 1)
    }

    @Test("Waiters get the new registration, decoration or instance after a change")
    func changedMeanwhile() async throws {
        let changes: [(change: @Sendable (DIContainer) -> Void, name: String, builds: Int)] = [
            ({ container in container.register(Shared(Connection("new"))) }, "new", 1),
            (
                { container in
                    container.register {
                        Decorate(Connection.self) { base, _ in Connection("decorated \(base.name)") }
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
                    return Connection("\(number)")
                })
                Shared(autowiring: Repository.init)
            }
            let waiting = Task { try await container.resolve.async(Repository.self) }
            #expect(await eventually { started.count == 1 }, "\(name)")
            change(container)
            gate.open()
            #expect(try await waiting.value.database.name == name, "\(name)")
            #expect(try container.resolve.orThrow(Connection.self).name == name, "\(name)")
            #expect(started.count == builds, "\(name)")
        }
    }

    @Test("A task that outlives its factory may request the type that this factory built")
    func outlivingTask() async throws {
        final class Session: Sendable {
            let refreshed: Task<Connection, any Error>
            init(_ refreshed: Task<Connection, any Error>) { self.refreshed = refreshed }
        }
        let gate = Gate()
        let attempts = Counter()
        let late = Locked<Task<Connection, any Error>?>(nil)
        let container = DIContainer {
            Shared(async: { resolve in
                guard attempts.increment() == 1 else { return Connection("second") }
                let task = Task {
                    try await gate.wait()
                    return try await resolve.async(Connection.self)
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
            New(async: { resolve in Session(Task { try await resolve.async(Connection.self) }) }, name: "inner")
        }
        await #expect(throws: ResolutionError.self) { try await container.resolve.async(Connection.self) }
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
                return Connection("main")
            })
            Shared(Diesel())
        }
        let waiting = Task { try await container.resolve.async(Connection.self) }
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
                return Connection("main")
            })
        }
        container.observe { if $0.kind == .built { returned.increment() } }
        let first = Task { try await container.resolve.async(Connection.self) }
        #expect(await eventually { started.count == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = try await container.resolve.async(Connection.self)
        gate.open()
        #expect(await eventually { returned.count == 2 })
        #expect(await !eventually(within: 0.2) { container.resolve(Connection.self) !== second })
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
                return Connection("main")
            })
            Shared(async: { resolve in
                started.increment()
                try await hasStopped.wait()
                do { return Ticket(number: try await resolve.async(Connection.self).name.count) } catch {
                    failed.increment()
                    throw error
                }
            })
        }
        // Another task also waits for the ticket, so that its build isn't canceled.
        async let ticket = container.resolve.async(Ticket.self)
        #expect(await eventually { started.count == 1 })
        _ = try await container.resolve.async(Connection.self)
        #expect(try await ticket.number == 4)
    }
}

/// Tasks begin to wait while another thread finishes the build. Each test repeats this race many times.
@Suite("Rule C10: An asynchronous build is awaited by all its callers (races of asynchronous builds)", .mayHang)
struct AsyncRaceTests {
    private static let rounds = 400

    /// Returns a container whose factory suspends zero to a few times, depending on the round.
    private func container(_ round: Int, _ built: Counter = Counter()) -> DIContainer {
        DIContainer {
            Shared(
                async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    return Connection("\(built.increment())")
                }, as: (any Sendable).self)
        }
    }

    @Test("A single request in a new container always gets its instance", arguments: [false, true])
    func single(isDetached: Bool) async throws {
        for round in 0..<Self.rounds {
            let built = Counter()
            let container = container(round, built)
            let database: Connection =
                if isDetached {
                    try await Task.detached { try await container.resolve.async() }.value
                } else {
                    try await container.resolve.async()
                }
            let isCached = try container.resolve.orThrow(Connection.self) === database
            #expect(isCached && built.count == 1, "\(round)")
        }
    }

    @Test("Requests that come as the build ends get its instance")
    func several() async throws {
        for round in 0..<Self.rounds {
            let built = Counter()
            let container = container(round, built)
            let instances = try await withThrowingTaskGroup(of: Connection.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        for _ in 0..<number * 2 { await Task.yield() }
                        return try await container.resolve.async()
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(
                instances.count == 6 && instances.allSatisfy { $0 === instances[0] } && built.count == 1, "\(round)")
        }
    }

    @Test("A request that is canceled as the build ends returns once, as does the next")
    func canceled() async throws {
        for round in 0..<Self.rounds {
            let container = container(round)
            let canceled = Task { try await container.resolve.async(Connection.self) }
            let patient = Task { try await container.resolve.async(Connection.self) }
            for _ in 0..<round % 7 { await Task.yield() }
            canceled.cancel()
            let expected = try await patient.value
            switch await canceled.result {
            case .success(let database): #expect(database === expected, "\(round)")
            case .failure(let error): #expect(error is CancellationError, "\(round)")
            }
            let next: Connection = try await container.resolve.async()
            #expect(next === expected, "\(round)")
        }
    }

    @Test("A build without waiters is available to the next request after cancellation")
    func abandoned() async throws {
        for round in 0..<Self.rounds {
            let container = container(round)
            let canceled = Task { try await container.resolve.async(Connection.self) }
            for _ in 0..<round % 7 { await Task.yield() }
            canceled.cancel()
            let database = try await container.resolve.async(Connection.self)
            #expect(try container.resolve.orThrow(Connection.self) === database, "\(round)")
            if case .failure(let error) = await canceled.result { #expect(error is CancellationError, "\(round)") }
        }
    }

    @Test("A failing build fails for all its waiters, and the next request builds again")
    func failing() async throws {
        for round in 0..<Self.rounds {
            let attempts = Counter()
            let container = DIContainer {
                Shared(async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    if attempts.increment() == 1 { throw Sabotage() }
                    return Connection("main")
                })
            }
            let waiting = (0..<4).map { _ in Task { try await container.resolve.async(Connection.self) } }
            var failures = 0
            for (number, task) in waiting.enumerated() {
                guard case .failure(let error) = await task.result else { continue }
                #expect((error as? ResolutionError)?.kind == "factoryFailed", "task \(number)")
                failures += 1
            }
            let database = try await container.resolve.async(Connection.self)
            #expect(
                try failures >= 1 && attempts.count == 2 && container.resolve.orThrow(Connection.self) === database,
                "\(round)")
        }
    }
}

@Suite(
    "Rule C10: An asynchronous build is awaited by all its callers (a task that is left behind)", .mayHang, .ownThread)
struct AbandonedTaskTests {
    private final class First: Sendable {}
    private final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test("reports no cycle between the end of its factory and the caching of the instance")
    func beforeCaching() async throws {
        let secondBegan = Gate()
        let firstEnded = Gate()
        let mayBeCached = Latch()
        let leftBehind = Locked<Task<Second, any Error>?>(nil)
        let container = DIContainer {
            Shared(async: { resolve in
                let task = Task { try await resolve.async(Second.self) }
                leftBehind.withLock { $0 = task }
                try await secondBegan.wait()
                return First()
            })
            Shared(async: { resolve in
                secondBegan.open()
                try await firstEnded.wait()
                return Second(try await resolve.async())
            })
        }
        // The observer is notified when the factory has ended, and delays the next step.
        container.observe { event in
            guard event.kind == .built, event.registration?.type == First.self else { return }
            firstEnded.open()
            mayBeCached.wait()
        }
        let request = Task { try await container.resolve.async(First.self) }
        try await firstEnded.wait()
        // Otherwise the factory of the second instance would find the first instance in the cache.
        await container.untilTasksWait(3)
        mayBeCached.open()
        let first = try await request.value
        let second = try await leftBehind.withLock { $0 }?.value
        #expect(second?.first === first)
    }
}

@Suite("Rule C10: An asynchronous build is awaited by all its callers (a canceled build that continues)", .mayHang)
struct CanceledBuildTests {
    @Test("doesn't remove the next build from the list when it ends")
    func endsLate() async throws {
        let (mayFail, mayRequest) = (Gate(), Gate())
        let (started, requesting, released) = (Counter(), Counter(), Counter())
        let container = DIContainer {
            Shared(async: { (resolve, _: Tracked) in
                switch started.increment() {
                case 1:
                    // A separate task isn't canceled with the factory.
                    try await Task { try await mayFail.wait() }.value
                    throw Sabotage()
                case 2:
                    // This task ends after the build of the ticket.
                    return Connection("\(try await resolve.async(Ticket.self).number)")
                default: return Connection("main")
                }
            })
            Shared(async: { resolve in
                requesting.increment()
                try await mayRequest.wait()
                // This request closes a cycle if the build that waits for this one is still in the list.
                let database = try await resolve.async(Connection.self, arguments: Tracked(Counter()))
                return Ticket(number: database.name.count)
            })
        }
        let ticket = Task { try await container.resolve.async(Ticket.self) }
        #expect(await eventually { requesting.count == 1 })
        let first = Task { try await container.resolve.async(Connection.self, arguments: Tracked(released)) }
        #expect(await eventually { started.count == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await container.resolve.async(Connection.self, arguments: Tracked(Counter())) }
        #expect(await eventually { started.count == 2 })
        mayFail.open()
        // The arguments live until the build is removed from the list.
        #expect(await eventually { released.count == 1 })
        mayRequest.open()
        await #expect(throws: ResolutionError.self) { try await ticket.value }
        await #expect(throws: ResolutionError.self) { try await second.value }
        #expect(started.count == 2)
    }
}

@Suite("Rule C10: An asynchronous build is awaited by all its callers (a canceled factory begins no build)", .mayHang)
struct CanceledRequestTests {
    @Test("with many paths to one build")
    func ladder() async throws {
        let started = Counter()
        let container = DIContainer {
            Shared(0, name: "10")
            for level in 0..<10 {
                Shared(
                    async: { resolve in
                        started.increment()
                        while level == 0, !Task.isCancelled { await Task.yield() }
                        let next = RegistrationName("\(level + 1)")
                        async let first = resolve.async(Int.self, name: next)
                        async let second = resolve.async(Int.self, name: next)
                        return try await first + second
                    }, name: RegistrationName("\(level)"))
            }
        }
        let request = Task { try await container.resolve.async(Int.self, name: "0") }
        #expect(await eventually { started.count == 1 })
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(await !eventually(within: 0.2) { started.count > 1 }, "\(started.count) builds")
    }
}

@Suite("Rule C10: An asynchronous build is awaited by all its callers (a factory that cancels its own task)", .mayHang)
struct SelfCanceledBuildTests {
    /// A factory that cancels its own task, and then throws a `CancellationError`.
    private static func giveUp() throws -> Ticket {
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
        return Ticket(number: 0)
    }

    private static func isCancelledFactory(_ error: any Error) -> Bool {
        (error as? ResolutionError)?.reason.underlyingError is CancellationError
    }

    @Test("fails for a waiting task that isn't canceled")
    func waiter() async {
        let container = DIContainer { Shared(async: { _ in try Self.giveUp() }) }
        await #expect(performing: { try await container.resolve.async(Ticket.self) }, throws: Self.isCancelledFactory)
        #expect(!Task.isCancelled)
    }

    @Test("fails for a waiting factory that isn't canceled")
    func dependent() async {
        let container = DIContainer {
            Shared(async: { _ in try Self.giveUp() })
            Shared(async: { resolve in "\(try await resolve.async(Ticket.self))" })
        }
        await #expect(
            performing: { try await container.resolve.async(String.self) },
            throws: { Self.isCancelledFactory($0) && ($0 as? ResolutionError)?.key == "Ticket" })
    }

    @Test("throws a CancellationError in a canceled task, in either order")
    func cancelledWaiter() async {
        for round in 0..<raceRounds {
            let waiter = Locked<Task<Ticket, any Error>?>(nil)
            let mayFail = Gate()
            let container = DIContainer {
                Shared(async: { _ in
                    try await mayFail.wait()
                    waiter.withLock { $0 }?.cancel()
                    return try Self.giveUp()
                })
            }
            let request = Task { try await container.resolve.async(Ticket.self) }
            waiter.withLock { $0 = request }
            mayFail.open()
            await #expect(throws: CancellationError.self, "round \(round)") { try await request.value }
        }
    }
}
