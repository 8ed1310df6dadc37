import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private final class Holder: Sendable {
    let port: any Port
    init(_ port: any Port) { self.port = port }
}

private final class Front: Sendable {
    let container: DIContainer
    init(_ container: DIContainer) { self.container = container }
}

private final class Repository: Sendable {
    let connection: Connection
    init(_ connection: Connection) { self.connection = connection }
}

@Suite("A block that is prepared and handed over")
struct PrepareBlockHandOverTests {
    @Test("keeps what decorators of an alias made of what the block built")
    func handedOverAlias() async throws {
        let app = DIContainer {
            Shared(Impl(), as: (any Port).self)
            Decorate((any Port).self) { base, _ in Wrapped(base) }
            Shared { resolve in Holder(resolve()) }
        }
        _ = app.resolve(Holder.self)
        try await app.prepare {
            Shared(Impl())
            Shared { resolve in Holder(resolve()) }
        }
        #expect(app.resolve(Holder.self).port === app.resolve((any Port).self))
    }

    @Test("closes what it decorates of a parent's Scoped as `register` does", arguments: [false, true])
    func foreign(isPrepared: Bool) async throws {
        let log = Log()
        let parent = DIContainer { Scoped(Thing()) }
        let app = parent.makeChild()
        let block = Module {
            Decorate(Thing.self) { base, _ in Thing(base) }
            OnClose(Thing.self) { log.add($0.kind) }
            Shared { resolve in Repository(Connection("\(resolve(Thing.self).base == nil)")) }
        }
        if isPrepared { try await app.prepare { block } } else { app.register { block } }
        _ = app.resolve(Repository.self)
        _ = app.resolve(Thing.self)
        try await app.close()
        #expect(log.all == ["decorated"])
    }

    @Test("hands over what ends later, too, so that it is built once and closed")
    func lateBuild() async throws {
        let log = Log()
        let builds = Counter()
        let (began, gate) = (Gate(), Gate())
        let late = Locked<Task<Connection, any Error>?>(nil)
        let app = DIContainer { OnClose(Connection.self) { log.add($0.name) } }
        try await app.prepare {
            Shared(async: { (_: Resolver, name: String) in
                let number = builds.increment()
                began.open()
                try await gate.wait()
                return Connection("\(name) \(number)")
            })
            Shared(async: { resolve in
                late.withLock { $0 = Task { try await resolve.async(Connection.self, arguments: "late") } }
                try await began.wait()
                return Impl()
            })
        }
        gate.open()
        _ = try await late.withLock { $0 }!.value
        try await Task.sleep(for: .milliseconds(20))
        _ = try await app.resolve.async(Connection.self, arguments: "other")
        try await app.close()
        #expect(builds.count == 1)
        #expect(log.all == ["late 1"])
    }

    @Test("closes what everybody left while the block was built")
    func leftInBlock() async throws {
        let log = Log()
        let began = Gate()
        let ended = Counter()
        let count = Counter()
        let app = DIContainer { OnClose(Connection.self) { log.add($0.name) } }
        try await app.prepare {
            Shared(async: { (_: Resolver, _: Int) in
                let number = count.increment()
                if number == 1 {
                    began.open()
                    while ended.count == 0 { await Task.yield() }
                }
                return Connection("\(number)")
            })
            Shared(async: { resolve in
                let task = Task { try await resolve.async(Connection.self, arguments: 1) }
                try await began.wait()
                task.cancel()
                _ = try? await task.value
                let conn = try await resolve.async(Connection.self, arguments: 2)
                ended.increment()
                // Let the build that was left end.
                try await Task.sleep(for: .milliseconds(100))
                return Repository(conn)
            })
        }
        try await app.close()
        #expect(log.all.sorted() == ["1", "2"])
    }

    @Test("closes what it built for an alias that was replaced meanwhile")
    func aliasReplacedInBlock() async throws {
        let log = Log()
        let app = DIContainer {
            Shared(Impl(), as: (any Port).self)
            Decorate((any Port).self) { base, _ in Wrapped(base) }
            OnClose((any Port).self) { port in log.add(port is Wrapped ? "decorated" : "plain") }
        }
        try await app.prepare {
            Shared(Impl())
            Shared { [unowned app] resolve in
                let holder = Holder(resolve())
                app.register(New(Impl() as any Port))
                return holder
            }
        }
        try await app.close()
        #expect(log.all == ["decorated"])
    }

    @Test("tells observers of no replacement by an OnClose")
    func events() async throws {
        let app = DIContainer { Shared(Thing()) }
        let kinds = Locked<[String]>([])
        app.observe { event in kinds.withLock { $0.append("\(event.kind)") } }
        try await app.prepare {
            OnClose(Thing.self) { _ in }
            New(Impl())
        }
        #expect(kinds.withLock { $0 } == ["registered"])
    }

    @Test("takes an override in a fork for no replacement")
    func forkHistory() async throws {
        let registered = DIContainer { New(Thing()) }.fork { New(Thing()) }
        #expect(registered.snapshots.flatMap(\.replaced).isEmpty)
        let prepared = DIContainer { New(Thing()) }.fork()
        try await prepared.prepare { New(Thing()) }
        #expect(prepared.snapshots.flatMap(\.replaced).isEmpty)
    }

    @Test("registers another block of an object that it built in the container")
    func prepareByFront() async throws {
        let app = DIContainer { Shared(Connection("old")) }
        try await app.prepare { Shared { _ in Front(DIContainer.current) } }
        let front = app.resolve(Front.self).container
        try await front.prepare { Shared(async: { _ in Connection("new") }) }
        #expect(app.resolve(Connection.self).name == "new")
        #expect(front.resolve(Connection.self) === app.resolve(Connection.self))
    }

    @Test("lets an object that it built close the container")
    func closeByFront() async throws {
        let log = Log()
        let app = DIContainer { OnClose(Front.self) { _ in log.add("closed") } }
        try await app.prepare { Shared { _ in Front(DIContainer.current) } }
        let front = app.resolve(Front.self).container
        try await front.close()
        #expect(log.all == ["closed"])
        #expect(throws: ResolutionError.self) { try app.resolve.orThrow(Front.self) }
    }

    @Test("refuses `close()` in its factories", arguments: [false, true])
    func closeInBlock(isInBlock: Bool) async throws {
        let outcome = Locked<String>("")
        let app = DIContainer { Shared(Thing()) }
        let module = Module {
            Shared(async: { [unowned app] _ in
                do {
                    try await app.close()
                    outcome.withLock { $0 = "closed" }
                } catch { outcome.withLock { $0 = "\(type(of: error))" } }
                return Connection("1")
            })
        }
        if isInBlock {
            try? await app.prepare { module }
        } else {
            app.register { module }
            try await app.prepare()
        }
        #expect(outcome.withLock { $0 } == "CloseError")
        #expect((try? app.resolve.orThrow(Thing.self)) != nil)
    }

    @Test("registers a block of one of its factories in the container", .timeLimit(.minutes(20)))
    func nestedBlock() async throws {
        let builds = Counter()
        let app = DIContainer()
        let preparing = Task {
            try await app.prepare {
                Shared(async: { _ in
                    if builds.increment() > 20 {
                        throw CancellationError()
                    }
                    try await DIContainer.current.prepare { Shared(async: { _ in Connection("inner") }) }
                    return Impl()
                })
            }
        }
        _ = try? await preparing.value
        #expect(builds.count <= 2)
        #expect(app.isRegistered(Impl.self))
        #expect(app.isRegistered(Connection.self))
    }

    @Test("lets an object that it built observe the container")
    func observedByFront() async throws {
        let app = DIContainer()
        try await app.prepare { Shared { _ in Front(DIContainer.current) } }
        let count = Counter()
        app.resolve(Front.self).container.observe { _ in count.increment() }
        app.register(New(Thing()))
        #expect(count.count == 1)
    }

    @Test("lets an object that it built prepare as the container does")
    func scopedByFront() async throws {
        let builds = Counter()
        let app = DIContainer {
            Scoped(async: { _ in
                builds.increment()
                return Connection("1")
            })
        }
        try await app.prepare { Shared { _ in Front(DIContainer.current) } }
        try await app.resolve(Front.self).container.prepare()
        #expect(builds.count == 0)
    }

    @Test("a factory that registers in the current container registers in the container")
    func registeringFactory() async throws {
        final class Keeper: Sendable {
            let container = DIContainer.current
        }
        let container = DIContainer()
        try await container.prepare {
            Shared(async: { _ in
                DIContainer.register(Shared(1))
                return Keeper()
            })
        }
        #expect(container.resolve(Int.self) == 1)
        container.resolve(Keeper.self).container.register(Shared(2))
        #expect(container.resolve(Int.self) == 2)
        container.resolve(Keeper.self).container.unregister(Int.self)
        #expect(!container.isRegistered(Int.self))
    }

    @Test("observers hear of the builds and of what was replaced")
    func observed() async throws {
        let container = DIContainer { Shared(async: { _ in 0 }) }
        try await container.prepare()
        let kinds = Locked<[String]>([])
        let observation = container.observe { event in kinds.withLock { $0.append("\(event.kind)") } }
        try await container.prepare { Shared(async: { _ in 1 }) }
        observation.cancel()
        #expect(kinds.withLock { $0 } == ["building", "built", "replaced", "released"])
    }
}
