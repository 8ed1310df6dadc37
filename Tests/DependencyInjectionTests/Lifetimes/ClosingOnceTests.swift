import DependencyInjection
import Testing

private final class Unrelated: Sendable {}

@Suite("Rule 20: a factory's instance is closed exactly once", .mayHang)
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

    @Test("The instance without decorators is closed", arguments: 0..<2)
    func decorated(how: Int) async throws {
        let log = Log()
        let app = DIContainer {
            Scoped(Thing()).onClose { log.add($0.kind) }
            if how == 0 { Decorate(Thing.self) { base, _ in Thing(base) } }
        }
        let child = app.makeChild()
        _ = try child.resolve.orThrow(Thing.self)
        if how == 1 { app.register(Decorate(Thing.self) { base, _ in Thing(base) }) }
        #expect(try child.resolve.orThrow(Thing.self).kind == "decorated")
        try await child.close()
        #expect(Set(log.all) == ["plain"])
        // A later decorator creates a new entry, so the instance is rebuilt.
        #expect(log.all.count == how + 1)
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
        for _ in 0..<3 {
            await #expect(throws: ResolutionError.self) { try await app.resolve.async(Connection.self) }
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
        case "alias": app.register(Shared(Unrelated(), as: Connection.self))
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
            #expect(Array(log.all.suffix(lines.count)) == lines)
        }
        #expect(log.all.count == 3)
    }
}
