import DependencyInjection
import Dispatch
import Testing

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
        let (log, build) = (Log(), Checkpoint())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            if isAsync {
                Shared(async: { resolve in try await build.stop(returning: Unit(pool: resolve())) })
                    .onClose { _ in log.add("unit") }
            } else {
                Shared { resolve in build.block(returning: Unit(pool: resolve())) }
                    .onClose { _ in log.add("unit") }
            }
            Shared(Ticket(number: 1))
        }
        _ = try app.resolve.orThrow(Ticket.self)
        let building = Task(executorPreference: Threads()) { try await app.resolve.async(Unit.self) }
        await build.isReached()
        let closing = Task { try await app.close() }
        await app.untilClosing()
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

    // MARK: The task that closes

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main actor doesn't always run on the main thread.
    private static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test("A main-actor instance is closed on that actor, and any other on no actor")
    @MainActor
    func actors() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    log.add("pool \(Self.isOnMainActor)")
                    await Task.yield()
                    log.add("pool \(Self.isOnMainActor)")
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in
                    MainActor.assertIsolated()
                    window.isOpen = false
                })
                .onClose(mainActor: { (window: Window, failure) in
                    log.add("window \(window.isOpen) \(failure is Sabotage) \(Self.isOnMainActor)")
                })
        }
        _ = try app.resolve.orThrow(Pool.self)
        let window = try app.resolve.orThrow(Window.self)
        try await app.close(dueTo: Sabotage())
        #expect(log.all == ["window true true true", "pool false", "pool false"])
        #expect(!window.isOpen)
    }

    @Test("The handlers see the closing task's local values and current container")
    func taskLocals() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("\(WithChildTests.Place.name) \(DIContainer.resolve(Ticket.self).number)") }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(DIContainer { Shared(Ticket(number: 3)) }) {
            try await WithChildTests.Place.$name.withValue("here") { try await app.close() }
        }
        #expect(log.all == ["here 3"])
    }

    @Test("Canceling the task that closes cancels nothing, and the task still waits", arguments: [true, false])
    func canceled(isEarly: Bool) async throws {
        let (log, handler) = (Log(), Checkpoint())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    try await handler.stop()
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

    @Test("A second close() waits for the first and ends as it did")
    func second() async throws {
        let (log, handler) = (Log(), Checkpoint())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    try await handler.stop()
                    throw Sabotage()
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let close: @Sendable () async -> Int? = {
            do { try await app.close() } catch {
                log.add("ended")
                return (error as? CloseError)?.failures.count
            }
            return nil
        }
        let first = Task { await close() }
        await handler.isReached()
        let second = Task { await close() }
        await app.untilSecondCloseWaits()
        #expect(log.all.isEmpty)
        handler.open()
        #expect(await first.value == 1)
        #expect(await second.value == 1)
        #expect(await close() == 1)
        #expect(handler.count == 1)
    }

    /// Closing also lasts until the instances are released if there is no `onClose` handler, and so no closing task.
    @Test("A second close() waits until the instances are released")
    func secondDuringRelease() async throws {
        let (log, release) = (Log(), Checkpoint())
        let app = DIContainer { Shared(ReleaseAction { release.block() }) }
        _ = try app.resolve.orThrow(ReleaseAction.self)
        let first = Task { try await app.close() }
        await release.isReached()
        let second = Task {
            try await app.close()
            log.add("second")
        }
        await app.untilSecondCloseWaits()
        #expect(log.all.isEmpty)
        log.add("released")
        release.open()
        try await second.value
        try await first.value
        #expect(log.all == ["released", "second"])
    }

    // MARK: Each instance of a factory is closed exactly once

    @Test("A module in parent and child closes each instance once")
    func moduleTwice() async throws {
        let closed = Locked<[Thing]>([])
        let module = Module {
            Scoped(Thing()).onClose { thing in closed.withLock { $0.append(thing) } }
            Decorate(Thing.self) { base, _ in Thing(base) }
        }
        let app = DIContainer {
            module
            module
        }
        try await app.withChild {
            module
        } operation: { child in
            _ = child.resolve(Thing.self)
        }
        #expect(closed.withLock { $0.count } == 1)
        _ = try app.resolve.orThrow(Thing.self)
        try await app.close()
        let things = closed.withLock { $0 }
        #expect(things.count == 2 && things.first !== things.last)
    }

    @Test("An instance with aliases is closed once")
    func aliases() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Impl(), as: (any Port).self).onClose { (impl: Impl) in log.add("\(type(of: impl))") }
        }
        _ = try app.resolve.orThrow((any Port).self)
        _ = try app.resolve.orThrow(Impl.self)
        _ = try app.makeChild().resolve.orThrow((any Port).self)
        try await app.close()
        #expect(log.all == ["Impl"])
    }

    @Test("The instance without decorators is closed", arguments: [false, true])
    func decorated(isLater: Bool) async throws {
        let log = Log()
        let app = DIContainer {
            Scoped(Thing()).onClose { log.add($0.kind) }
            if !isLater { Decorate(Thing.self) { base, _ in Thing(base) } }
        }
        let child = app.makeChild()
        _ = try child.resolve.orThrow(Thing.self)
        if isLater { app.register(Decorate(Thing.self) { base, _ in Thing(base) }) }
        #expect(try child.resolve.orThrow(Thing.self).kind == "decorated")
        try await child.close()
        #expect(Set(log.all) == ["plain"])
        // A later decorator creates a new entry, so the instance is rebuilt.
        #expect(log.all.count == (isLater ? 2 : 1))
    }

    enum Failing: CaseIterable { case decorator, decoratorOfAsyncFactory, factory }

    @Test(
        "Each instance whose decorator failed is closed, and a failed factory leaves nothing",
        arguments: Failing.allCases)
    func failing(_ failing: Failing) async throws {
        let log = Log()
        let app = DIContainer {
            switch failing {
            case .decorator: Shared(Connection("a")).onClose { log.add($0.name) }
            case .decoratorOfAsyncFactory: Shared(async: { _ in Connection("a") }).onClose { log.add($0.name) }
            case .factory: Shared { _ -> Connection in throw Sabotage() }.onClose { log.add($0.name) }
            }
            Decorate(Connection.self) { base, _ -> Connection in throw Sabotage() }
        }
        for round in 0..<3 {
            await #expect(throws: ResolutionError.self, "round \(round)") {
                try await app.resolve.async(Connection.self)
            }
        }
        #expect(log.all.isEmpty)
        try await app.close()
        #expect(log.all == (failing == .factory ? [] : ["a", "a", "a"]))
    }

    enum Change: CaseIterable { case unregister, alias, replace, reset, resetInstances }

    @Test("An instance whose registration changes during its build is closed", arguments: Change.allCases)
    func changedMeanwhile(_ change: Change) async throws {
        let (log, build) = (Log(), Checkpoint())
        let app = DIContainer {
            Shared(async: { _ in try await build.stop(returning: Connection("1")) })
                .onClose { log.add($0.name) }
        }
        let request = Task { try? await app.resolve.async(Connection.self) }
        await build.isReached()
        switch change {
        case .unregister: app.unregister(Connection.self)
        case .alias: app.register(Shared(Pool(), as: Connection.self))
        case .replace: app.register(Shared(Connection("2")))
        case .reset: app.reset()
        case .resetInstances: app.resetInstances()
        }
        build.open()
        _ = await request.value
        try await app.close()
        // `resetInstances()` makes the request start again.
        #expect(log.all == Array(repeating: "1", count: change == .resetInstances ? 2 : 1))
        #expect(log.all.count == build.count)
    }

    @Test("A child closes an instance unregistered in its parent during the build")
    func unregisteredInParent() async throws {
        let log = Log()
        let app = DIContainer()
        app.register(
            Scoped { [unowned app] _ in
                app.unregister(Connection.self)
                return Connection("1")
            }
            .onClose { log.add($0.name) })
        let child = app.makeChild()
        _ = try child.resolve.orThrow(Connection.self)
        try await child.close()
        #expect(log.all == ["1"])
    }

    enum Removal: CaseIterable { case fromParent, hiddenInBetween, hiddenInChild }

    @Test(
        "A child closes its instance of a removed or hidden registration of a parent", arguments: Removal.allCases,
        [false, true])
    func removed(_ removal: Removal, isDetectedByRequest: Bool) async throws {
        let log = Log()
        let app = DIContainer { Scoped(Connection("1")).onClose { log.add($0.name) } }
        let middle = app.makeChild()
        let child = middle.makeChild()
        _ = try child.resolve.orThrow(Connection.self)
        switch removal {
        case .fromParent: app.unregister(Connection.self)
        case .hiddenInBetween: middle.register(New(Connection("2")))
        case .hiddenInChild: child.register(Shared(Connection("2")))
        }
        if isDetectedByRequest { _ = child.resolve(Connection?.self) }
        try await child.close()
        #expect(log.all == ["1"])
    }

    @Test("A fork closes only its own instances, with the handlers of its overrides")
    func forks() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Connection("real")).onClose { log.add("closed \($0.name)") }
            Shared(Thing()).onClose { log.add($0.kind) }
        }
        let fork = app.fork { Shared(Connection("fake")) }
        _ = try (
            fork.resolve.orThrow(Connection.self), fork.resolve.orThrow(Thing.self),
            app.resolve.orThrow(Connection.self)
        )
        try await fork.close()
        #expect(log.all == ["plain"])
        try await app.close()
        #expect(log.all == ["plain", "closed real"])
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
