import DependencyInjection
import Testing

private final class Unrelated: Sendable {}

@Suite("Rule 20: each building is closed once")
struct ClosingOnceTests {
    @Test("one statement of a module that parent and child have runs once")
    func moduleTwice() async throws {
        let log = Log()
        let module = Module {
            Decorate(Thing.self) { base, _ in Thing(base) }
            OnClose(Thing.self) { thing in log.add("\(ObjectIdentifier(thing))") }
        }
        let app = DIContainer {
            Scoped(Thing())
            module
        }
        try await app.withChild {
            module
        } operation: { child in
            _ = child.resolve(Thing.self)
        }
        #expect(log.all.count == 1)
        #expect(Set(log.all).count == 1)
    }

    @Test("what an alias's decorator made of it later is closed in its place")
    func decoratedLater() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Impl(), as: (any Port).self)
            OnClose((any Port).self) { port in log.add(port is Wrapped ? "decorated" : "plain") }
        }
        _ = app.resolve((any Port).self)
        app.register(Decorate((any Port).self) { base, _ in Wrapped(base) })
        _ = app.resolve((any Port).self)
        try await app.close()
        #expect(log.all == ["decorated"])
    }

    @Test("what a child's decorator made of it later is closed in its place")
    func decoratedLaterInChild() async throws {
        let log = Log()
        let app = DIContainer { Scoped(Thing()) }
        let child = app.makeChild {
            OnClose(Thing.self) { log.add($0.kind) }
        }
        _ = child.resolve(Thing.self)
        child.register(Decorate(Thing.self) { base, _ in Thing(base) })
        _ = child.resolve(Thing.self)
        try await child.close()
        #expect(log.all == ["decorated"])
    }

    @Test(
        "what is unregistered, detached or replaced while it is built is closed",
        arguments: ["unregister", "alias", "replace"])
    func unregisteredMeanwhile(how: String) async throws {
        let log = Log()
        let (began, gate) = (Gate(), Gate())
        let app = DIContainer {
            Shared(async: { _ in
                began.open()
                try await gate.wait()
                return Connection("1")
            })
            OnClose(Connection.self) { log.add($0.name) }
        }
        let asked = Task { try? await app.resolve.async(Connection.self) }
        try await began.wait()
        switch how {
        case "unregister": app.unregister(Connection.self)
        case "alias": app.register(Shared(Unrelated(), as: Connection.self))
        default: app.register(Shared(Connection("2")))
        }
        gate.open()
        _ = await asked.value
        try await app.close()
        #expect(log.all.contains("1"))
    }

    @Test("what a parent unregisters while a child builds it is closed with the child")
    func unregisteredInParent() async throws {
        let log = Log()
        let hook = Locked<(@Sendable () -> Void)?>(nil)
        let app = DIContainer {
            Scoped { _ in
                hook.withLock { $0 }?()
                return Connection("1")
            }
            OnClose(Connection.self) { log.add($0.name) }
        }
        hook.withLock { $0 = { [unowned app] in app.unregister(Connection.self) } }
        let child = app.makeChild()
        _ = child.resolve(Connection.self)
        try await child.close()
        #expect(log.all == ["1"])
    }

    @Test("what a parent has unregistered is closed by a statement that came after the build")
    func laterStatement() async throws {
        let log = Log()
        let app = DIContainer { Scoped(Thing()) }
        let child = app.makeChild()
        _ = child.resolve(Thing.self)
        app.register(OnClose(Thing.self) { _ in log.add("closed") })
        app.unregister(Thing.self)
        try await child.close()
        #expect(log.all == ["closed"])
    }

    @Test("unregistering where nothing is registered changes nothing")
    func nothingToUnregister() async throws {
        let log = Log()
        let app = DIContainer { Scoped(Thing()) }
        let child = app.makeChild {
            Decorate(Thing.self) { base, _ in Thing(base) }
            OnClose(Thing.self) { log.add($0.kind) }
        }
        let first = child.resolve(Thing.self)
        child.unregister(Thing.self)
        #expect(child.resolve(Thing.self) === first)
        try await child.close()
        #expect(log.all == ["decorated"])
    }
}
