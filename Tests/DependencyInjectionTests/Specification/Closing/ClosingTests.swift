import DependencyInjection
import Dispatch
import Testing

@Suite("Rule 20: Closing a container runs its handlers", .mayHang, .ownThread) struct ClosingTests {
    @Test("handlers run in reverse order of construction")
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

    @Test("a closed container resolves nothing of its own, whatever the request")
    func closed() async throws {
        let app = DIContainer {
            New(Ticket(number: 1))
            Shared(Impl(), as: (any Port).self)
        }
        let child = app.makeChild { Shared(Impl()) }
        _ = try child.resolve.orThrow((any Port).self)
        try await app.close()
        #expect(failure { _ = try app.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow.all(Car.self) }?.kind == "closed")
        #expect(failure { _ = try app.resolve.orThrow(Provider<Ticket>.self) }?.kind == "closed")
        #expect(failure { _ = try child.resolve.orThrow(Ticket.self) }?.kind == "closed")
        #expect(failure { _ = try child.resolve.orThrow(Car.self) }?.kind == "closed")
        // The alias is the parent's, and its target is the child's.
        #expect(try child.resolve.orThrow((any Port).self) as? Impl === child.resolve.orThrow(Impl.self))
        try await child.close()
        #expect(failure { _ = try child.resolve.orThrow(Impl.self) }?.kind == "closed")
    }

    @Test("a build that began before closing ends, and its instance is closed", arguments: [false, true])
    func earlierBuild(isAsync: Bool) async throws {
        let log = Log()
        let (began, gate, latch) = (Gate(), Gate(), Latch())
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
            if isAsync {
                Shared(async: { resolve in
                    began.open()
                    try await gate.wait()
                    return Unit(pool: resolve())
                })
                .onClose { _ in log.add("unit") }
            } else {
                Shared { resolve in
                    began.open()
                    latch.wait()
                    return Unit(pool: resolve())
                }
                .onClose { _ in log.add("unit") }
            }
            Shared(Ticket(number: 1))
        }
        _ = try app.resolve.orThrow(Ticket.self)
        let building = Task(executorPreference: Threads()) { try await app.resolve.async(Unit.self) }
        try await began.wait()
        let closing = Task { try await app.close() }
        await app.untilClosing()
        #expect(failure { _ = try app.resolve.orThrow(Pool.self) }?.kind == "closed")
        // The ticket is built, and has no handler.
        #expect(try app.resolve.orThrow(Ticket.self).number == 1)
        #expect(log.all.isEmpty)
        gate.open()
        latch.open()
        _ = try await building.value
        try await closing.value
        #expect(log.all == ["unit", "pool"])
    }

    /// Closing also lasts until the instances are released if there is no `onClose` handler, and so no closing task.
    @Test("a second close() waits until the instances are released")
    func secondClose() async throws {
        let log = Log()
        let began = Counter()
        let mayEnd = Latch()
        let app = DIContainer { Shared(SlowlyReleased(began, mayEnd)) }
        _ = try app.resolve.orThrow(SlowlyReleased.self)
        let first = Task { try await app.close() }
        #expect(await eventually { began.count == 1 })
        let second = Task {
            try await app.close()
            log.add("second")
        }
        await app.untilSecondCloseWaits()
        #expect(log.all.isEmpty)
        log.add("released")
        mayEnd.open()
        try await second.value
        try await first.value
        #expect(log.all == ["released", "second"])
    }

    @Test("a deinit resolves a decorated alias of an instance that was built earlier")
    func decoratedAliasInDeinit() async throws {
        final class Last: Sendable {
            let resolve: Resolver
            let log: Log
            init(_ resolve: Resolver, _ log: Log) { (self.resolve, self.log) = (resolve, log) }
            deinit { log.add((try? resolve.orThrow((any Engine).self).kind) ?? "none") }
        }
        let log = Log()
        let app = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
            Shared { resolve in Last(resolve, log) }
        }
        _ = try app.resolve.orThrow((any Engine).self)
        _ = try app.resolve.orThrow(Last.self)
        try await app.close()
        #expect(log.all == ["decorated diesel"])
    }
}

@Suite("Rule 20: Closing a container runs its handlers (a factory's instance is closed exactly once)", .mayHang)
struct ClosingOnceTests {
    @Test("a module in parent and child closes each instance once")
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

    @Test("an instance with aliases is closed once")
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

    @Test("after a failed decorator, close() closes the undecorated instance each time", arguments: [false, true])
    func failingDecorator(isAsync: Bool) async throws {
        let log = Log()
        let app = DIContainer {
            if isAsync {
                Shared(async: { _ in Connection("a") }).onClose { log.add($0.name) }
            } else {
                Shared(Connection("a")).onClose { log.add($0.name) }
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
        #expect(log.all == ["a", "a", "a"])
    }

    @Test("a failed factory leaves nothing to close")
    func failingFactory() async throws {
        let log = Log()
        let app = DIContainer {
            Shared { _ -> Connection in throw Sabotage() }.onClose { log.add($0.name) }
        }
        #expect(throws: ResolutionError.self) { try app.resolve.orThrow(Connection.self) }
        try await app.close()
        #expect(log.all.isEmpty)
    }

    @Test(
        "an instance whose registration changes during its build is closed",
        arguments: ["unregister", "alias", "replace", "reset", "resetInstances"])
    func changedMeanwhile(how: String) async throws {
        let log = Log()
        let (began, gate, built) = (Gate(), Gate(), Counter())
        let app = DIContainer {
            Shared(async: { _ in
                built.increment()
                began.open()
                try await gate.wait()
                return Connection("1")
            })
            .onClose { log.add($0.name) }
        }
        let request = Task { try? await app.resolve.async(Connection.self) }
        try await began.wait()
        switch how {
        case "unregister": app.unregister(Connection.self)
        case "alias": app.register(Shared(Pool(), as: Connection.self))
        case "replace": app.register(Shared(Connection("2")))
        case "reset": app.reset()
        default: app.resetInstances()
        }
        gate.open()
        _ = await request.value
        try await app.close()
        // `resetInstances()` makes the request start again.
        #expect(log.all == Array(repeating: "1", count: how == "resetInstances" ? 2 : 1))
        #expect(log.all.count == built.count)
    }

    @Test("a child closes an instance unregistered in its parent during the build")
    func unregisteredInParent() async throws {
        let log = Log()
        let hook = Locked<(@Sendable () -> Void)?>(nil)
        let app = DIContainer {
            Scoped { _ in
                hook.withLock { $0 }?()
                return Connection("1")
            }
            .onClose { log.add($0.name) }
        }
        hook.withLock { $0 = { [unowned app] in app.unregister(Connection.self) } }
        let child = app.makeChild()
        _ = try child.resolve.orThrow(Connection.self)
        try await child.close()
        #expect(log.all == ["1"])
    }

    @Test("a fork closes only its own instances, with the handlers of its overrides")
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

    @Test("a renewed instance is closed once, before the older one, despite resets")
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

    @Test("a registration closes its instance in each container with all its handlers")
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

@Suite("Rule 20: Closing a container runs its handlers (where and how closing runs)", .mayHang, .ownThread)
struct ClosingTaskTests {
    private enum Place {
        @TaskLocal static var name = "nowhere"
    }

    @MainActor private final class Window {
        var isOpen = true
    }

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main actor doesn't always run on the main thread.
    private static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test("a main-actor instance is closed on that actor, and any other on no actor")
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

    @Test("the handlers see the closing task's local values and current container")
    func taskLocals() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("\(Place.name) \(DIContainer.resolve(Ticket.self).number)") }
        }
        _ = try app.resolve.orThrow(Pool.self)
        try await DIContainer.withContainer(DIContainer { Shared(Ticket(number: 3)) }) {
            try await Place.$name.withValue("here") { try await app.close() }
        }
        #expect(log.all == ["here 3"])
    }

    @Test("canceling the task that closes cancels nothing, and the task still waits", arguments: [true, false])
    func canceled(isEarly: Bool) async throws {
        let log = Log()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    began.increment()
                    try await gate.wait()
                    log.add("pool, canceled \(Task.isCancelled)")
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let closing = Task {
            if isEarly { while !Task.isCancelled { await Task.yield() } }
            try await app.close()
            log.add("closed, canceled \(Task.isCancelled)")
        }
        if !isEarly { #expect(await eventually { began.count == 1 }) }
        closing.cancel()
        #expect(await eventually { began.count == 1 })
        gate.open()
        try await closing.value
        #expect(log.all == ["pool, canceled false", "closed, canceled true"])
    }

    @Test("a second close() waits for the first and ends as it did")
    func second() async throws {
        let log = Log()
        let began = Counter()
        let gate = Gate()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in
                    began.increment()
                    try await gate.wait()
                    throw Sabotage()
                }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let close: @Sendable (String) -> Task<Int, Never> = { name in
            Task {
                do { try await app.close() } catch {
                    log.add(name)
                    return (error as? CloseError)?.failures.count ?? 0
                }
                return -1
            }
        }
        let first = close("first")
        #expect(await eventually { began.count == 1 })
        let second = close("second")
        await app.untilSecondCloseWaits()
        #expect(log.all.isEmpty)
        gate.open()
        #expect(await first.value == 1)
        #expect(await second.value == 1)
        #expect(began.count == 1)
        await #expect(throws: CloseError.self) { try await app.close() }
    }

    @Test("a child closes the instance built for it, and the registering parent doesn't")
    func builtForChild() async throws {
        let (log, began, gate, parentIsClosed) = (Log(), Gate(), Gate(), Counter())
        let parent = DIContainer {
            Scoped(async: { _ in
                began.open()
                try await gate.wait()
                return Pool()
            })
            .onClose { _ in log.add("pool") }
        }
        let child = parent.makeChild { Shared(Ticket(number: 1)) }
        let request = Task { try await child.resolve.async(Pool.self) }
        try await began.wait()
        let parentEnds = Task {
            try await parent.close()
            parentIsClosed.increment()
        }
        #expect(await eventually { parentIsClosed.count == 1 })
        let childEnds = Task { try await child.close() }
        await child.untilClosing()
        await child.untilCloseWaitsForBuild()
        gate.open()
        try await childEnds.value
        #expect(log.all == ["pool"])
        _ = try? await request.value
        try await parentEnds.value
    }

    @Test("dependencies of a factory that runs for a closing child are built and closed")
    func requestDuringBuild() async throws {
        let (log, began, mayRequest) = (Log(), Gate(), Latch())
        let parent = DIContainer {
            Scoped(Pool())
                .onClose { _ in log.add("pool") }
            Scoped { resolve in
                began.open()
                mayRequest.wait()
                return Unit(pool: try resolve.orThrow())
            }
            .onClose { _ in log.add("unit") }
        }
        let child = parent.makeChild { New(Ticket(number: 1)) }
        let request = BackgroundThread { failure { _ = try child.resolve.orThrow(Unit.self) }?.kind ?? "built" }
        try await began.wait()
        let end = Task { try await child.close() }
        await child.untilClosing()
        mayRequest.open()
        #expect(request.result() == "built")
        try await end.value
        #expect(log.all == ["unit", "pool"])
    }

    @Test("a handler that throws does not stop the others, and the error lists all failures")
    func failures() async throws {
        struct Leak: Error {}
        let log = Log()
        let app = DIContainer {
            Shared(Pool())
                .onClose { _ in log.add("pool") }
                .onClose { _ in throw Leak() }
            Shared { resolve in Unit(pool: resolve()) }
                .onClose { _ in throw Sabotage() }
        }
        _ = try app.resolve.orThrow(Unit.self)
        let error = try #require(await #expect(throws: CloseError.self) { try await app.close() })
        #expect(error.failures.map { "\($0.registration.type) \($0.error)" } == ["Unit sabotaged", "Pool Leak()"])
        #expect(log.all == ["pool"])
        let text = "\(error)"
        #expect(text.contains("completed with 2 failures."))
        #expect(text.contains("1. Unit, by the `onClose` at \(#fileID):"))
        #expect(text.contains("2. Pool, by the `onClose` at \(#fileID):"))
    }
}
