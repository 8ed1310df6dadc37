import Testing

@testable import DependencyInjection

@Suite("Rule 20: Closing a container runs its handlers", .mayHang, .ownThread)
struct ClosingTests {
    @Test("Handlers run in reverse order of construction")
    func order() async throws {
        let log = Log()
        let app = DIContainer {
            Shared { _ in Pool() }
                .onClose { _ in log.add("first") }
                .onClose { (_: Pool, failure) in log.add("second \(failure == nil)") }
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in log.add("unit") }
            Shared(Ticket(number: 1))
                .onClose { _ in log.add("never built") }
        }
        _ = try app.resolve.orThrow(Unit.self)
        try await app.close()
        #expect(log.all == ["unit", "second true", "first"])
    }

    @Test("A build that began before closing ends, and its instance is closed", arguments: [false, true])
    func earlierBuild(isAsync: Bool) async throws {
        let (log, build) = (Log(), Latch())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            if isAsync {
                Shared(async: { resolve in try await build.opening(returning: Unit(pool: resolve())) })
                    .onClose { _ in log.add("unit") }
            } else {
                Shared { resolve in build.wait(returning: Unit(pool: resolve())) }
                    .onClose { _ in log.add("unit") }
            }
            Shared(Ticket(number: 1))
        }
        _ = try app.resolve.orThrow(Ticket.self)
        let building = Task(executorPreference: Threads()) { try await app.resolve.async(Unit.self) }
        await build.isReached()
        let closing = Task { try await app.close() }
        #expect(await eventually { app.isClosing })
        #expect(failure { _ = try app.resolve.orThrow(Pool.self) }?.kind == "closed")
        // The ticket is built, and has no handler.
        #expect(try app.resolve.orThrow(Ticket.self).number == 1)
        #expect(log.all.isEmpty)
        build.open()
        _ = try await building.value
        try await closing.value
        #expect(log.all == ["unit", "pool"])
    }

    @Test("A handler that throws does not stop the others, and the error lists all failures")
    func failures() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
                .onClose { _ in throw Sabotage() }
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in throw Sabotage() }
        }
        _ = try app.resolve.orThrow(Unit.self)
        let error = try #require(await #expect(throws: CloseError.self) { try await app.close() })
        #expect(error.failures.map { "\($0.registration.type) \($0.error)" } == ["Unit sabotaged", "Pool sabotaged"])
        #expect(log.all == ["pool"])
        let text = "\(error)"
        #expect(text.contains("completed with 2 failures."))
        #expect(text.contains("1. Unit, by the `onClose` at \(#fileID):"))
        #expect(text.contains("2. Pool, by the `onClose` at \(#fileID):"))
    }

    /// Changes that release the registration of the pool or its instance.
    private static let changes: [Row<@Sendable (DIContainer) -> Void>] = [
        Row("register(_:)") { $0.register(Shared(Pool())) },
        Row("an alias") { $0.register(Shared(Diesel(), as: Pool.self)) },
        Row("unregister(_:)") { $0.unregister(Pool.self) },
        Row("reset()") { $0.reset() },
        Row("resetInstances()") { $0.resetInstances() },
    ]

    @Test("A factory that began before closing may change the container and create children", arguments: changes)
    func changeInFactory(_ change: Row<@Sendable (DIContainer) -> Void>) async throws {
        let (log, build) = (Log(), Latch())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            Shared { resolve in
                let unit = Unit(pool: try resolve.orThrow())
                build.wait()
                change.value(DIContainer.current)
                _ = DIContainer.current.makeChild()
                return unit
            }
            .onClose { _ in log.add("unit") }
        }
        let building = BackgroundThread { Result { try app.resolve.orThrow(Unit.self) } }
        await build.isReached()
        async let closing: Void = app.close()
        #expect(await eventually { app.isClosing })
        build.open()
        _ = try building.result()?.get()
        try await closing
        #expect(log.all == ["unit", "pool"])
    }

    // MARK: The task that closes

    @Test("A main-actor instance is closed on that actor, and any other on no actor")
    @MainActor
    func actors() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    log.add("pool \(MainActorCheck.isMainQueue)")
                    await Task.yield()
                    log.add("pool \(MainActorCheck.isMainQueue)")
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in
                    MainActor.assertIsolated()
                    window.isOpen = false
                })
                .onClose(mainActor: { (window: Window, failure) in
                    MainActor.assertIsolated()
                    log.add("window \(window.isOpen) \(failure is Sabotage)")
                })
        }
        _ = try app.resolve.orThrow(Pool.self)
        let window = try app.resolve.orThrow(Window.self)
        try await app.close(dueTo: Sabotage())
        #expect(log.all == ["window true true", "pool false", "pool false"])
        #expect(!window.isOpen)
    }

    /// A value of the task that calls `close()`.
    @TaskLocal private static var place = "nowhere"

    @Test("The handlers see the closing task's local values and current container")
    func taskLocals() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("\(Self.place) \(DIContainer.resolve(Ticket.self).number)") }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(DIContainer { Shared(Ticket(number: 3)) }) {
            try await Self.$place.withValue("here") { try await app.close() }
        }
        #expect(log.all == ["here 3"])
    }

    @Test("Canceling the task that closes cancels nothing, and the task still waits", arguments: [true, false])
    func canceled(isEarly: Bool) async throws {
        let (log, handler) = (Log(), Latch())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    try await handler.opening()
                    log.add("pool, canceled \(Task.isCancelled)")
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let closing = Task {
            if isEarly { while !Task.isCancelled { await Task.yield() } }
            try await app.close()
            log.add("closed, canceled \(Task.isCancelled)")
        }
        if !isEarly { await handler.isReached() }
        closing.cancel()
        await handler.isReached()
        handler.open()
        try await closing.value
        #expect(log.all == ["pool, canceled false", "closed, canceled true"])
    }

    /// Without a handler, closing creates no task.
    @Test(
        "A second close() waits for the release of the instances, and ends as the first", arguments: [false, true])
    func second(hasHandler: Bool) async throws {
        let (ended, release) = (Counter(), Latch())
        let app = DIContainer {
            if hasHandler {
                Shared(Pool()).onClose { _ in
                    try await release.opening()
                    throw Sabotage()
                }
            } else {
                Shared(ReleaseAction { release.wait() })
            }
        }
        try await app.prepare(.all)
        let close: @Sendable () async -> Int = {
            defer { ended.increment() }
            do { try await app.close() } catch { return (error as? CloseError)?.failures.count ?? 0 }
            return 0
        }
        // Without a handler, the task blocks its thread.
        let first = Task(executorPreference: Threads()) { await close() }
        await release.isReached()
        let second = Task { await close() }
        #expect(await eventually { app.hasWaitingClose })
        #expect(ended.count == 0)
        release.open()
        let expected = hasHandler ? 1 : 0
        #expect(await first.value == expected)
        #expect(await second.value == expected)
        #expect(await close() == expected)
        #expect(release.count == 1)
    }

    // MARK: Each instance of a factory is closed exactly once

    @Test("The instance without decorators is closed, once for all aliases")
    func decorated() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Diesel(), as: (any Engine).self, (any Starter).self).onClose { log.add($0.kind) }
            Decorate(Diesel.self) { _, _ in Diesel(kind: "decorated") }
            tune()
        }
        #expect(try app.resolve.orThrow((any Engine).self).kind == "tuned decorated")
        #expect(try app.makeChild().resolve.orThrow((any Starter).self).kind == "decorated")
        try await app.close()
        #expect(log.all == ["diesel"])
    }

    private static let failingParts: [Row<@Sendable (Log) -> Module>] = [
        Row("a decorator") { log in Module(Shared(Connection("a")).onClose { log.add($0.name) }) },
        Row("a decorator of an asynchronous factory") { log in
            Module(Shared(async: { _ in Connection("a") }).onClose { log.add($0.name) })
        },
        Row("a factory") { log in
            Module(Shared { _ -> Connection in throw Sabotage() }.onClose { log.add($0.name) })
        },
    ]

    @Test(
        "Each instance whose decorator failed is closed, and a failed factory leaves nothing", arguments: failingParts)
    func failing(_ failing: Row<@Sendable (Log) -> Module>) async throws {
        let log = Log()
        let app = DIContainer {
            failing.value(log)
            Decorate(Connection.self) { base, _ -> Connection in throw Sabotage() }
        }
        for round in 0..<3 {
            await #expect(throws: ResolutionError.self, "round \(round)") {
                try await app.resolve.async(Connection.self)
            }
        }
        #expect(log.all.isEmpty)
        try await app.close()
        #expect(log.all == (failing.testDescription == "a factory" ? [] : ["a", "a", "a"]))
    }

    @Test("An instance whose registration changes during its build is closed", arguments: changes)
    func changedMeanwhile(_ change: Row<@Sendable (DIContainer) -> Void>) async throws {
        let (closed, build) = (Counter(), Latch())
        let app = DIContainer {
            Shared(async: { _ in try await build.opening(returning: Pool()) })
                .onClose { _ in closed.increment() }
        }
        let request = Task { try? await app.resolve.async(Pool.self) }
        await build.isReached()
        change.value(app)
        build.open()
        _ = await request.value
        try await app.close()
        // `resetInstances()` makes the request start again.
        #expect(closed.count == build.count)
    }

    private static let removals: [Row<@Sendable ([DIContainer]) -> Void>] = [
        Row("removed from the parent") { $0[0].unregister(Connection.self) },
        Row("hidden in between") { $0[1].register(New(Connection("2"))) },
        Row("hidden in the child") { $0[2].register(Shared(Connection("2"))) },
    ]

    @Test(
        "A child closes its instance of a removed or hidden registration of a parent", arguments: removals,
        [false, true])
    func removed(_ removal: Row<@Sendable ([DIContainer]) -> Void>, isDetectedByRequest: Bool) async throws {
        let log = Log()
        let app = DIContainer { Scoped(Connection("1")).onClose { log.add($0.name) } }
        let middle = app.makeChild()
        let child = middle.makeChild()
        _ = try child.resolve.orThrow(Connection.self)
        removal.value([app, middle, child])
        if isDetectedByRequest { _ = child.resolve(Connection?.self) }
        try await child.close()
        #expect(log.all == ["1"])
    }

    @Test("A fork closes only its own instances, with the handlers of its overrides")
    func forks() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Connection("real")).onClose { log.add("closed \($0.name)") }
            Shared(Diesel()).onClose { log.add($0.kind) }
        }
        let fork = app.fork { Shared(Connection("fake")) }
        _ = try (
            fork.resolve.orThrow(Connection.self), fork.resolve.orThrow(Diesel.self),
            app.resolve.orThrow(Connection.self)
        )
        try await fork.close()
        #expect(log.all == ["diesel"])
        try await app.close()
        #expect(log.all == ["diesel", "closed real"])
    }

    @Test("A renewed instance is closed once, before the older one, despite resets")
    func renewed() async throws {
        let log = Log()
        let app = DIContainer { Shared(Connection("1")).onClose { log.add($0.name) } }
        _ = try app.resolve.orThrow(Connection.self)
        for name in ["2", "3"] {
            let fresh = Connection(name)
            app.register(Shared(fresh).onClose { log.add($0.name) })
        }
        #expect(try app.resolve.orThrow(Connection.self).name == "3")
        app.reset()
        #expect(log.all.isEmpty)
        try await app.close()
        #expect(log.all == ["3", "1"])
    }

    @Test("A registration closes its instance in each container with all its handlers")
    func copies() async throws {
        let log = Log()
        let plain = Shared(Connection("a"))
        let closed = plain.onClose { log.add("first \($0.name)") }
        let twice = closed.onClose { log.add("second \($0.name)") }
        for (form, lines) in [(plain, []), (closed, ["first a"]), (twice, ["second a", "first a"])] {
            let app = DIContainer { Module("M") { Module { form } } }
            _ = try app.resolve.orThrow(Connection.self)
            try await app.close()
            #expect(Array(log.all.suffix(lines.count)) == lines, "\(lines)")
        }
        #expect(log.all.count == 3)
    }
}
