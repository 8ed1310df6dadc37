import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

@Suite("Rule C10: An asynchronous build is awaited by all its callers", .mayHang, .ownThread)
struct AsyncFactoryTests {
    @Test(
        "A type resolves by name, alias, Optional, collection and plain factory", arguments: [false, true])
    func forms(isReleased: Bool) async throws {
        let container = DIContainer {
            Shared(async: { _ in Connection("named") }, name: "named")
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
            Shared(async: { _ in Connection("main") })
            Shared(autowiring: Dependent<Connection>.init)
            New { resolve in Car(engine: try resolve.orThrow()) }
        }
        let resolve = isReleased ? container.fork().resolve : container.resolve
        #expect(try await resolve.async(Car.self).engine.kind == "decorated diesel")
        #expect(try await resolve.async(Connection.self, name: "named").name == "named")
        #expect(try await resolve.async((any Engine).self).kind == "decorated diesel")
        #expect(try await resolve.async(Dependent<Connection>.self).dependency.name == "main")
        #expect(try await resolve.async(Connection?.self)?.name == "main")
        #expect(try await resolve.async(Int?.self) == nil)
        #expect(try await resolve.async(All<Connection>.self).map(\.name) == ["named", "main"])
        if isReleased { return }
        #expect(try isSame(resolve.orThrow((any Engine).self), resolve.orThrow(Diesel.self)))
        #expect(try resolve.orThrow(Dependent<Connection>.self).dependency === resolve.orThrow(Connection.self))
    }

    @Test("New(async:) builds at every request in the caller's task")
    func new() async throws {
        let container = DIContainer {
            New(async: { _, name in Connection(name) })
            New(
                async: { (resolve, number: Int) in
                    Ticket(number: try await resolve.async(Connection.self, arguments: "x").name.count + number)
                }, as: (any Sendable).self)
            Decorate((any Sendable).self) { base, _ in (base as? Ticket)?.number ?? 0 }
        }
        let first = try await container.resolve.async(Connection.self, arguments: "a")
        let second = try await container.resolve.async(Connection.self, arguments: "a")
        #expect(first !== second && first.name == "a")
        #expect(try await container.resolve.async(Connection?.self, arguments: "a")?.name == "a")
        #expect(try await container.resolve.async(Ticket.self, arguments: 4).number == 5)
        #expect(try await container.resolve.async((any Sendable).self, arguments: 6) as? Int == 7)
        let tens = container.fork { Decorate(Ticket.self) { base, _ in Ticket(number: base.number * 10) } }
        #expect(try await tens.resolve.async(Ticket.self, arguments: 1).number == 20)
        #expect(failure { _ = try container.resolve.orThrow(Connection.self, arguments: "a") }?.kind == "asyncRequired")
        let mismatch = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Connection.self, arguments: 1)
        }
        #expect(mismatch?.description.contains("takes (String), but the request supplied (Int).") == true)
    }

    @Test("Scoped(async:) is built once for each container that resolves it")
    func scoped() async throws {
        let parent = DIContainer {
            Scoped(async: { resolve in Connection(resolve(String.self)) })
            Shared("parent")
        }
        let child = parent.makeChild { Shared("child") }
        let inChild = try await child.resolve.async(Connection.self)
        #expect(try inChild.name == "child" && child.resolve.orThrow(Connection.self) === inChild)
        #expect(failure { _ = try parent.resolve.orThrow(Connection.self) }?.kind == "asyncRequired")
        #expect(try await parent.resolve.async(Connection.self).name == "parent")
        #expect(try parent.resolve.orThrow(Connection.self).name == "parent")
        let second = parent.makeChild { Shared("second") }
        try await second.prepare()
        #expect(try second.resolve.orThrow(Connection.self).name == "second")
    }

    @Test("Two children build a Scoped(async:) at the same time, each its own")
    func scopedAtOnce() async throws {
        let build = Latch()
        let parent = DIContainer {
            Scoped(async: { resolve in try await build.opening(returning: Connection(resolve(String.self))) })
        }
        let children = ["first", "second"].map { name in parent.makeChild { Shared(name) } }
        let tasks = children.map { child in Task { try await child.resolve.async(Connection.self).name } }
        await build.isReached(times: 2)
        build.open()
        for (task, name) in zip(tasks, ["first", "second"]) { #expect(try await task.value == name, "\(name)") }
        #expect(children.map { $0.resolve(Connection.self).name } == ["first", "second"])
    }

    @Test("In a factory, the container is current, and the resolver always resolves from it")
    func containerOfFactory() async throws {
        let other = DIContainer { Shared("other") }
        let make: @Sendable (Resolver) async throws -> Connection = { resolve in
            await Task.yield()
            let inOther = try DIContainer.withContainer(other) { try resolve.orThrow(String.self) }
            return Connection("\(DIContainer.resolve(String.self)) \(inOther)")
        }
        let container = DIContainer {
            Shared("own")
            Shared(async: make)
            New(async: make, name: "new")
        }
        let names = try await DIContainer.withContainer(other) {
            [
                try await container.resolve.async(Connection.self).name,
                try await container.resolve.async(Connection.self, name: "new").name,
            ]
        }
        #expect(names == ["own own", "own own"])
    }

    @Test("Rule C6: a New(async:) with a main-actor decorator is an error off that actor")
    func mainActorNew() async throws {
        let container = DIContainer {
            New(async: { _ in Connection("main") })
            Decorate(Connection.self, mainActor: { base, _ in Connection("wrapped \(base.name)") })
        }
        let error = await #expect(throws: ResolutionError.self) {
            try await Task.detached { _ = try await container.resolve.async(Connection.self) }.value
        }
        #expect(error?.kind == "mainActorRequired")
        let name = try await Task { @MainActor in try await container.resolve.async(Connection.self).name }.value
        #expect(name == "wrapped main")
    }

    @Test("Rule 13: all registrations of a type are awaited, each New built once")
    func allOfNew() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { _ in Connection("shared") })
            for name in ["first", "second"] {
                New(
                    async: { _ in
                        // If a request repeated its builds forever, this factory would throw.
                        if built.increment() > 6 { throw Sabotage() }
                        return Connection(name)
                    }, name: RegistrationName(name))
            }
            Shared(Connection("plain"), name: "plain")
            New { resolve in try resolve.orThrow.all(Connection.self).count }
        }
        let names = ["shared", "first", "second", "plain"]
        #expect(try await container.resolve.async(All<Connection>.self).map(\.name) == names)
        #expect(built.count == 2)
        #expect(try await container.resolve.async(All<Connection>?.self)?.map(\.name) == names)
        #expect(built.count == 4)
        // A plain request can't get an asynchronous instance that is built for each request.
        await #expect(throws: ResolutionError.self) { try await container.resolve.async(Int.self) }
        #expect(built.count == 4)
        #expect(try await container.resolve.async(All<Connection>.self, name: "first").map(\.name) == ["first"])
    }

    @Test("An autowired initializer runs once, a closure again for each asynchronous instance that it lacks")
    func runs() async throws {
        let (autowired, closure) = (Counter(), Counter())
        let container = DIContainer {
            Shared(async: { _ in Connection("main") })
            Shared(async: { _ in Diesel() })
            Shared(async: { _ in Ticket(number: 1) })
            Shared(autowiring: { (connection: Connection, diesel: Diesel, ticket: Ticket) in
                autowired.counting("\(connection.name) \(diesel.kind) \(ticket.number)")
            })
            Shared(name: "closure") { resolve in
                closure.increment()
                let (connection, diesel) = (try resolve.orThrow(Connection.self), try resolve.orThrow(Diesel.self))
                return "\(connection.name) \(diesel.kind) \(try resolve.orThrow(Ticket.self).number)"
            }
        }
        let fork = container.fork()
        #expect(try await container.resolve.async(String.self) == "main diesel 1")
        #expect(autowired.count == 1)
        #expect(try await fork.resolve.async(String.self, name: "closure") == "main diesel 1")
        #expect(closure.count == 4)
    }

    @Test("Plain factories and decorators of a released container get their dependencies, each built once")
    func released() async throws {
        let built = Counter()
        let resolve = DIContainer {
            Shared(async: { _ in built.counting(Ticket(number: 3)) })
            Shared(async: { _ in built.counting(Diesel()) }, as: (any Engine).self)
            Shared(autowiring: { (ticket: Ticket, engine: any Engine) in "\(ticket.number) \(engine.kind)" })
            New(autowiring: { (ticket: Ticket, text: String) in [text, "\(ticket.number)"] })
            Decorate(String.self) { base, resolve in "\(base) \(try resolve.orThrow(Ticket.self).number)" }
        }.resolve
        #expect(try await resolve.async(String.self) == "3 diesel 3")
        #expect(built.count == 2)
        #expect(try await resolve.async([String].self) == ["3 diesel 3", "3"])
        #expect(throws: ResolutionError.self) { try resolve.orThrow(Ticket.self) }
        weak let engine = try await resolve.async(Diesel.self)
        // The task of the build may retain the instance a moment longer.
        #expect(await eventually { engine == nil })
    }

    /// A service that renews itself: a task of its factory requests the service's own type when the time has come.
    private final class Session: Sendable {
        let token: Tracked
        let isExpired = Latch()
        let next: Locked<Task<Session, any Error>?> = Locked(nil)
        init(_ token: Tracked) { self.token = token }
    }

    @Test("A New(async:) or Shared(async:) that renews itself retains no earlier instance", arguments: [false, true])
    func renewal(isNew: Bool) async throws {
        let (made, released) = (Counter(), Counter())
        let container = DIContainer()
        let make: @Sendable (Resolver, Tracked) -> Session = { [weak container] resolve, token in
            let session = Session(token)
            let isExpired = session.isExpired
            let task = Task {
                try await isExpired.opening()
                container?.resetInstances()
                return try await resolve.async(Session.self, arguments: made.counting(Tracked(released)))
            }
            session.next.withLock { $0 = task }
            return session
        }
        container.register { if isNew { New(async: make) } else { Shared(async: make) } }
        var session: Session = try await container.resolve.async(arguments: made.counting(Tracked(released)))
        for _ in 0..<100 {
            session.isExpired.open()
            let task = session.next.withLock { $0! }
            session = try await task.value
        }
        #expect(made.count == 101)
        #expect(await eventually { made.count - released.count <= 3 }, "\(made.count - released.count) are alive")
        session.next.withLock { $0 }?.cancel()
    }
}

extension ExitTests {
    /// The cooperative pool of each process here has one free thread, so that an asynchronous build that blocks it stops
    /// all tasks. An alarm ends a process whose tasks have stopped.
    @Suite("Rule C10: An asynchronous build is awaited by all its callers (threads of the pool)")
    struct BlockedThreadTests {}
}

extension ExitTests.BlockedThreadTests {
    /// The ways in which a plain factory blocks its thread.
    enum Wait: CaseIterable {
        case forTask, forThread, sleep

        /// Blocks the thread, and then builds an instance.
        func callAsFunction<T>(returning instance: @autoclosure () -> T = ()) -> T {
            let other = Latch()
            if self == .forThread { Thread.detachNewThread { other.open() } } else { Task.detached { other.open() } }
            switch self {
            case .forTask, .forThread: other.wait()
            case .sleep:
                usleep(500_000)
                precondition(other.isOpen, "a task has paused while a factory slept")
            }
            return instance()
        }
    }

    /// Runs an operation with each wait, in a root and in a child, in a pool with one free thread.
    static func inEachSetup(
        _ operation: (_ wait: Wait, _ makeContainer: (Module) -> DIContainer) async throws -> Void
    ) async throws {
        alarm(120)
        let isDone = Latch()
        for _ in 1..<ProcessInfo.processInfo.activeProcessorCount { Task.detached { isDone.wait() } }
        for wait in Wait.allCases {
            try await operation(wait) { module in DIContainer { module } }
            try await operation(wait) { module in DIContainer().makeChild { module } }
        }
        isDone.open()
    }

    @Test("while resolve.async or prepare(.all) runs a plain factory of any lifetime")
    func resolving() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { wait, makeContainer in
                let make: @Sendable (Resolver) throws -> Diesel = { resolve in
                    _ = try resolve.orThrow(Pool.self)
                    return wait(returning: Diesel())
                }
                let module = Module {
                    Shared(async: { _ in Pool() })
                    Shared(make, name: "shared")
                    Weak(make, name: "weak")
                    Scoped(make, name: "scoped")
                    Graph(make, name: "graph")
                    New(make, name: "new")
                    Shared { _ in wait(returning: Ticket(number: 1)) }
                }
                let container = makeContainer(module)
                for name: RegistrationName in ["shared", "weak", "scoped", "graph", "new"] {
                    _ = try await container.resolve.async(Diesel.self, name: name)
                }
                let prepared = makeContainer(module)
                try await prepared.prepare(.all)
                _ = try prepared.resolve.orThrow(Ticket.self)
                _ = try prepared.resolve.orThrow(Diesel.self, name: "shared")
            }
        }
    }

    @Test("while decorators of an asynchronous instance and of its alias run")
    func decorating() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { wait, makeContainer in
                let container = makeContainer(
                    Module {
                        Shared(async: { _ in Diesel() }, as: (any Engine).self)
                        New(async: { _ in Pool() }, as: (any Sendable).self)
                        Decorate(Diesel.self) { base, _ in wait(returning: base) }
                        Decorate((any Engine).self) { base, _ in wait(returning: base) }
                        Decorate((any Sendable).self) { base, _ in wait(returning: base) }
                    })
                try await container.prepare()
                _ = try await container.resolve.async((any Engine).self)
                _ = try await container.resolve.async((any Sendable).self)
            }
        }
    }

    /// The calls that wait until another thread leaves the queue.
    static let calls: [@Sendable (DIContainer) async throws -> Void] = [
        { try await $0.prepare() },
        { try await $0.prepare(.all) },
        { _ = try await $0.resolve.async(Car.self) },
        { try await $0.close() },
    ]

    @Test("while a plain factory runs on another thread")
    func whileThreadBuilds() async {
        await #expect(processExitsWith: .success) {
            try await Self.inEachSetup { wait, makeContainer in
                for call in Self.calls {
                    let factory = Latch()
                    let container = makeContainer(
                        Module {
                            Shared(async: { _ in Pool() })
                            Shared { _ in Car(engine: Diesel()) }
                            Shared { _ in
                                factory.wait()
                                return wait(returning: Diesel())
                            }
                        })
                    let thread = BackgroundThread { _ = try? container.resolve.orThrow(Diesel.self) }
                    await factory.isReached()
                    Thread.detachNewThread {
                        // The factory waits after the call does.
                        _ = eventually { container.hasWaitingThread }
                        factory.open()
                    }
                    try await call(container)
                    _ = thread.result()
                }
            }
        }
    }
}
