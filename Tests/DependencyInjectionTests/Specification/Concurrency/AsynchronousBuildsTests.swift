import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite(
    "Rule C10: An asynchronous build is awaited by all its callers (asynchronous builds under way)", .mayHang,
    .ownThread)
struct AsyncBuildTests {
    @Test("A failed build is reported to all its waiters, and the next request retries it")
    func failing() async throws {
        let build = Latch()
        let container = DIContainer {
            Shared(async: { _ -> Connection in
                try await build.opening()
                if build.count == 1 { throw Sabotage() }
                return Connection("main")
            })
        }
        let waiting = (0..<10).map { _ in
            Task { _ = try await container.resolve.async(Connection.self) }
        }
        // A later request would begin another build.
        await container.untilTasksWait(waiting.count)
        build.open()
        for (number, task) in waiting.enumerated() {
            let error = await #expect(throws: ResolutionError.self, "task \(number)") { try await task.value }
            #expect(
                error?.kind == "factoryFailed" && error?.description.contains("sabotaged") == true, "task \(number)")
        }
        #expect(build.count == 1)
        _ = try await container.resolve.async(Connection.self)
        #expect(build.count == 2)
    }

    @Test("While a build waits, nothing holds the queue")
    func queueIsFree() async throws {
        let build = Latch()
        let container = DIContainer {
            Shared(async: { _ in try await build.opening(returning: Connection("main")) })
            Shared(Diesel())
        }
        let waiting = Task { try await container.resolve.async(Connection.self) }
        let kinds = onThreads(2) { _ in container.resolve(Diesel.self).kind }
        container.register(Shared(1))
        #expect(try kinds.count == 2 && container.resolve.orThrow(Int.self) == 1)
        build.open()
        _ = try await waiting.value
    }

    // MARK: Changes during a build

    enum Change: CaseIterable { case register, decorate, resetInstances }

    @Test(
        "Rules C10, C11: Waiters and prepare() get the new registration, decoration or instance after a change",
        arguments: Change.allCases, [false, true])
    func changedMeanwhile(_ change: Change, isPreparing: Bool) async throws {
        let build = Latch()
        let container = DIContainer {
            Shared(async: { _ in try await build.opening(returning: Connection("\(build.count)")) })
            Shared(autowiring: Dependent<Connection>.init)
        }
        let waiting = Task {
            if isPreparing {
                try await container.prepare()
            } else {
                _ = try await container.resolve.async(Dependent<Connection>.self)
            }
        }
        await build.isReached()
        let (name, builds): (String, Int)
        switch change {
        case .register:
            container.register(Shared(async: { _ in Connection("new") }))
            (name, builds) = ("new", 1)
        case .decorate:
            container.register { Decorate(Connection.self) { base, _ in Connection("decorated \(base.name)") } }
            (name, builds) = ("decorated 2", 2)
        case .resetInstances:
            container.resetInstances()
            (name, builds) = ("2", 2)
        }
        build.open()
        try await waiting.value
        #expect(try container.resolve.orThrow(Connection.self).name == name)
        #expect(try container.resolve.orThrow(Dependent<Connection>.self).dependency.name == name)
        #expect(build.count == builds)
    }

    @Test(
        "A task left behind causes no cycle between the end of its factory and the caching of the instance", .blocksPool
    )
    func beforeCaching() async throws {
        let (car, firstEnded) = (Latch(), Latch())
        let mayBeCached = Latch()
        let leftBehind = Locked<Task<Car, any Error>?>(nil)
        let container = DIContainer {
            Shared(async: { resolve in
                let task = Task { try await resolve.async(Car.self) }
                leftBehind.withLock { $0 = task }
                await car.isReached()
                return Diesel()
            })
            Shared(async: { resolve in
                try await car.opening()
                return Car(engine: try await resolve.async(Diesel.self))
            })
        }
        // The observer is notified when the factory has ended, and delays the next step.
        container.observe { event in
            guard event.kind == .built, event.registration?.type == Diesel.self else { return }
            firstEnded.open()
            car.open()
            mayBeCached.wait()
        }
        let request = Task { try await container.resolve.async(Diesel.self) }
        try await firstEnded.opening()
        // Otherwise the car's factory would find the engine in the cache.
        await container.untilTasksWait(3)
        mayBeCached.open()
        let diesel = try await request.value
        let engine = try await leftBehind.withLock { $0 }?.value.engine
        #expect(engine as? Diesel === diesel)
    }

    // MARK: Cancellation

    @Test("Only canceling all waiters cancels the build, and the next request retries it")
    func canceling() async throws {
        let (build, canceled) = (Latch(), Counter())
        let container = DIContainer {
            Shared(async: { _ in
                do { try await build.opening() } catch {
                    canceled.increment()
                    throw error
                }
                return Connection("main")
            })
        }
        // The task that starts the build waits for it. Later tasks may be canceled before they wait.
        let first = Task { try await container.resolve.async(Connection.self) }
        await build.isReached()
        let second = Task { try await container.resolve.async(Connection.self) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(canceled.count == 0)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(await eventually { canceled.count == 1 })
        let third = Task { try await container.resolve.async(Connection.self) }
        await build.isReached(times: 2)
        let fourth = Task { try await container.resolve.async(Connection.self) }
        fourth.cancel()
        await #expect(throws: CancellationError.self) { try await fourth.value }
        build.open()
        let connection = try await third.value
        #expect(try connection === container.resolve.orThrow(Connection.self))
        #expect(build.count == 2 && canceled.count == 1)
    }

    @Test("Rule 7: a canceled build that ends late does not replace the next instance")
    func cancelledAndLate() async throws {
        let (build, started, returned) = (Latch(), Counter(), Counter())
        let container = DIContainer {
            Shared(async: { _ in
                // A separate task isn't canceled with the factory.
                if started.increment() == 1 { try await Task { try await build.opening() }.value }
                return Connection("main")
            })
        }
        container.observe { if $0.kind == .built { returned.increment() } }
        let first = Task { try await container.resolve.async(Connection.self) }
        await build.isReached()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = try await container.resolve.async(Connection.self)
        build.open()
        #expect(await eventually { returned.count == 2 })
        #expect(await !eventually(within: 0.2) { container.resolve(Connection.self) !== second })
    }

    @Test("A canceled build that continues doesn't remove the next build from the list when it ends")
    func endsLate() async throws {
        let (builds, started, released) = ([Latch(), Latch()], Counter(), Counter())
        let container = DIContainer {
            Shared(async: { (_, _: Tracked) in
                let number = started.increment()
                // A separate task isn't canceled with the factory.
                if number <= 2 { try await Task { try await builds[number - 1].opening() }.value }
                if number == 1 { throw Sabotage() }
                return Connection("\(number)")
            })
        }
        let first = Task { try await container.resolve.async(Connection.self, arguments: Tracked(released)).name }
        await builds[0].isReached()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await container.resolve.async(Connection.self, arguments: Tracked(Counter())).name }
        await builds[1].isReached()
        builds[0].open()
        // The arguments live until the build is removed from the list.
        #expect(await eventually { released.count == 1 })
        let third = Task { try await container.resolve.async(Connection.self, arguments: Tracked(Counter())).name }
        await container.untilTasksWait(2)
        builds[1].open()
        #expect(try await second.value == "2")
        #expect(try await third.value == "2")
    }

    @Test("A build that no longer waits for another one may be awaited by that build")
    func stoppedWaiting() async throws {
        let (ticket, failed) = (Latch(), Counter())
        let container = DIContainer {
            Shared(async: { resolve in
                let waiting = Task { try await resolve.async(Ticket.self) }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                ticket.open()
                // This factory still runs during the other request. A cycle would be reported immediately.
                _ = await eventually(within: 0.1) { failed.count > 0 }
                return Connection("main")
            })
            Shared(async: { resolve in
                try await ticket.opening()
                do { return Ticket(number: try await resolve.async(Connection.self).name.count) } catch {
                    failed.increment()
                    throw error
                }
            })
        }
        // Another task also waits for the ticket, so that its build isn't canceled.
        async let number = container.resolve.async(Ticket.self).number
        await ticket.isReached()
        _ = try await container.resolve.async(Connection.self)
        #expect(try await number == 4)
    }

    @Test("A canceled factory begins no build")
    func canceledFactory() async throws {
        let started = Counter()
        let container = DIContainer {
            Shared(async: { _ in started.increment() })
            Shared(async: { resolve in
                started.increment()
                while !Task.isCancelled { await Task.yield() }
                return Ticket(number: try await resolve.async(Int.self))
            })
        }
        let request = Task { try await container.resolve.async(Ticket.self) }
        #expect(await eventually { started.count == 1 })
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(await !eventually(within: 0.2) { started.count > 1 })
    }

    @Test(
        "A factory's CancellationError is a failure for callers that aren't canceled",
        arguments: [false, true])
    func ownCancellationError(cancelsTask: Bool) async {
        let container = DIContainer {
            Shared(async: { _ -> Ticket in
                if cancelsTask { withUnsafeCurrentTask { $0?.cancel() } }
                throw CancellationError()
            })
            Shared(async: { resolve in "\(try await resolve.async(Ticket.self))" })
            New(async: { _ -> Ticket in throw CancellationError() }, name: "new")
        }
        let caller = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        let new = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Ticket.self, name: "new")
        }
        let factory = await #expect(throws: ResolutionError.self) { try await container.resolve.async(String.self) }
        let prepared = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(!Task.isCancelled)
        #expect(prepared?.failures.count == 1)
        let errors = ["caller": caller, "New": new, "factory": factory, "prepare()": prepared?.failures.first]
        for (row, error) in errors {
            #expect(error?.reason.underlyingError is CancellationError, "\(row)")
            #expect(error?.key.hasPrefix("Ticket") == true, "\(row)")
        }
    }

    @Test("A factory that cancels its own task throws a CancellationError in a canceled task, in either order")
    func selfCanceledWaiter() async {
        for round in 0..<raceRounds {
            let waiter = Locked<Task<Ticket, any Error>?>(nil)
            let mayFail = Latch()
            let container = DIContainer {
                Shared(async: { _ -> Ticket in
                    try await mayFail.opening()
                    waiter.withLock { $0 }?.cancel()
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw CancellationError()
                })
            }
            let request = Task { try await container.resolve.async(Ticket.self) }
            waiter.withLock { $0 = request }
            mayFail.open()
            await #expect(throws: CancellationError.self, "round \(round)") { try await request.value }
        }
    }
}

/// Tasks begin to wait while another thread finishes the build, whose factory suspends zero to a few times. Each test
/// repeats this race many times.
@Suite("Rule C10: An asynchronous build is awaited by all its callers (races of asynchronous builds)", .mayHang)
struct AsyncRaceTests {
    private static let rounds = 400

    @Test("Requests that come as the build ends get its instance", arguments: [1, 6])
    func requests(count: Int) async throws {
        for round in 0..<Self.rounds {
            let built = Counter()
            let container = DIContainer {
                Shared(async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    return built.counting(Connection("main"))
                })
            }
            let instances = try await withThrowingTaskGroup(of: Connection.self) { group in
                for number in 0..<count {
                    group.addTask {
                        for _ in 0..<number * 2 { await Task.yield() }
                        return try await container.resolve.async()
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let cached = try container.resolve.orThrow(Connection.self)
            #expect(instances.count == count && built.count == 1, "round \(round)")
            #expect(instances.allSatisfy { $0 === cached }, "round \(round)")
        }
    }

    @Test("A request that is canceled as the build ends returns once, as does the next", arguments: [false, true])
    func canceled(hasOtherWaiter: Bool) async throws {
        for round in 0..<Self.rounds {
            let container = DIContainer {
                Shared(async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    return Connection("main")
                })
            }
            let canceled = Task { try await container.resolve.async(Connection.self) }
            let patient = hasOtherWaiter ? Task { try await container.resolve.async(Connection.self) } : nil
            for _ in 0..<round % 7 { await Task.yield() }
            canceled.cancel()
            let expected = try await patient?.value
            let next: Connection = try await container.resolve.async()
            #expect(try container.resolve.orThrow(Connection.self) === next, "round \(round)")
            if hasOtherWaiter { #expect(next === expected, "round \(round)") }
            switch await canceled.result {
            case .success(let connection):
                if hasOtherWaiter { #expect(connection === expected, "round \(round)") }
            case .failure(let error): #expect(error is CancellationError, "round \(round)")
            }
        }
    }
}
