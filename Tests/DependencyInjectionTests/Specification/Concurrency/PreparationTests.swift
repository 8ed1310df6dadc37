import DependencyInjection
import Foundation
import Testing

@Suite("Rule C11: A container can be prepared", .mayHang)
struct PrepareTests {
    /// Returns a container with one instance, whose build ends after the gate is opened.
    private func container<T: Sendable>(of value: T, behind gate: Gate, _ started: Counter) -> DIContainer {
        DIContainer {
            Shared(async: { _ in
                started.increment()
                try await gate.wait()
                return value
            })
        }
    }

    @Test("builds every Shared, dependencies first, so that plain requests work")
    func order() async throws {
        let order = Locked<[String]>([])
        func part(_ name: String, needs dependencies: [RegistrationName] = []) -> Shared<Connection> {
            Shared(
                async: { resolve in
                    for dependency in dependencies { _ = try await resolve.async(Connection.self, name: dependency) }
                    order.withLock { $0.append(name) }
                    return Connection(name)
                }, name: RegistrationName(name))
        }
        let parent = DIContainer { part("base") }
        let container = parent.makeChild {
            part("top", needs: ["left", "right"])
            part("left", needs: ["base"])
            part("right", needs: ["base"])
            New(async: { _ in Connection("new") })
        }
        try await container.prepare()
        let built = order.withLock { $0 }
        #expect(built.count == 4 && built.first == "base" && built.last == "top")
        for name in ["base", "left", "right", "top"] {
            #expect(
                try container.resolve.orThrow(Connection.self, name: RegistrationName(name)).name == name, "\(name)")
        }
        #expect(try parent.resolve.orThrow(Connection.self, name: "base").name == "base")
        try await container.prepare()
        #expect(order.withLock { $0.count } == 4)
    }

    @Test("builds independent types at the same time")
    func concurrent() async throws {
        let inside = Counter()
        let container = DIContainer {
            for name in ["a", "b", "c"] as [RegistrationName] {
                Shared(
                    async: { _ in
                        inside.increment()
                        #expect(await eventually { inside.count >= 3 }, "\(name)")
                        return inside.count
                    }, name: name)
            }
        }
        try await container.prepare()
        #expect(try container.resolve.orThrow.all(Int.self) == [3, 3, 3])
    }

    @Test("repeats until plain requests work, even after a registration or decoration")
    func changedDuringBuild() async throws {
        let changes: [@Sendable (DIContainer) -> Void] = [
            { container in container.register(Shared(async: { _ in Connection("new") })) },
            { container in
                container.register { Decorate(Connection.self) { base, _ in Connection("new \(base.name)") } }
            },
        ]
        for (change, name) in zip(changes, ["new", "new old"]) {
            let started = Counter()
            let gate = Gate()
            let container = container(of: Connection("old"), behind: gate, started)
            let preparing = Task { try await container.prepare() }
            #expect(await eventually { started.count > 0 }, "\(name)")
            change(container)
            gate.open()
            try await preparing.value
            #expect(try container.resolve.orThrow(Connection.self).name == name, "\(name)")
        }
    }

    @Test("Builds a registration of the parent that is decorated on the main actor")
    func belowMainActorDecorator() async throws {
        let parent = DIContainer {
            Shared(async: { _ in Connection("base") })
            Decorate(Connection.self, mainActor: { base, _ in Connection("wrapped \(base.name)") })
        }
        let child = parent.makeChild()
        try await child.prepare()
        let name = try await MainActor.run { try child.resolve.orThrow(Connection.self).name }
        #expect(name == "wrapped base")
    }

    @Test("builds a type with a main-actor decorator, also off the main actor")
    func calledOffMainActor() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { _ in built.counting(Connection("base")) })
            Decorate(Connection.self, mainActor: { base, _ in Connection("wrapped \(base.name)") })
        }
        try await Task.detached { try await container.prepare() }.value
        #expect(built.count == 1)
        #expect(failure { _ = try container.resolve.orThrow(Connection.self) }?.kind == "mainActorRequired")
        #expect(try await MainActor.run { try container.resolve.orThrow(Connection.self).name } == "wrapped base")
        #expect(
            try await Task { @MainActor in try await container.resolve.async(Connection.self).name }.value
                == "wrapped base")
    }

    @Test("calls a factory with a main-actor dependency once, and fails")
    func needsMainActor() async throws {
        let calls = Counter()
        let container = DIContainer {
            Shared(mainActor: Diesel())
            Shared(async: { resolve in try calls.counting(Connection(resolve.orThrow(Diesel.self).kind)) })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(error?.failures.map(\.reason) == [.mainActorRequired])
        #expect(calls.count == 1)
    }

    @Test("detects cycles in time that grows with the number of builds, not of paths")
    func ladder() async throws {
        let depth = 40
        @Sendable func name(_ level: Int, _ side: String) -> RegistrationName { RegistrationName("\(level)\(side)") }
        let gate = Gate()
        let started = (0..<depth).map { _ in Counter() }
        let container = DIContainer {
            for level in 0..<depth {
                for side in ["a", "b"] {
                    Shared(
                        async: { resolve in
                            started[level].increment()
                            guard level + 1 < depth else {
                                try await gate.wait()
                                return Connection(side)
                            }
                            async let first = resolve.async(Connection.self, name: name(level + 1, "a"))
                            // Higher levels find all deeper builds started.
                            let isStarted = await eventually {
                                started.dropFirst(level + 2).allSatisfy { $0.count == 2 }
                            }
                            #expect(isStarted, "\(side)")
                            let second = try await resolve.async(Connection.self, name: name(level + 1, "b"))
                            return Connection(try await first.name == second.name ? "same" : "different")
                        }, name: name(level, side))
                }
            }
        }
        let preparing = Task { try await container.prepare() }
        // Each build except the two deepest ones awaits two.
        await container.untilTasksWait(4 * (depth - 1))
        gate.open()
        try await preparing.value
        #expect(try container.resolve.orThrow(Connection.self, name: "39a").name == "a")
    }

    @Test("is canceled with its task, and can be called again")
    func canceled() async throws {
        let gate = Gate()
        let started = Counter()
        let container = container(of: 1, behind: gate, started)
        let preparing = Task { try await container.prepare() }
        #expect(await eventually { started.count > 0 })
        preparing.cancel()
        await #expect(throws: CancellationError.self) { try await preparing.value }
        gate.open()
        try await container.prepare()
        #expect(try container.resolve.orThrow(Int.self) == 1 && started.count == 2)
    }

    @Test("ignores factories with arguments and types that are built at every request")
    func leftAlone() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { (_, number: Int) in built.counting(Ticket(number: number)) })
            Scoped(async: { (_, name: String) in built.counting(Connection(name)) })
            New(async: { _ in built.counting("new") })
            Shared(async: { _ in 1 })
        }
        try await container.prepare()
        #expect(try built.count == 0 && container.resolve.orThrow(Int.self) == 1)
        #expect(try await container.resolve.async(Ticket.self, arguments: 2).number == 2)
    }

    @Test("builds Scoped types only in a child and its forks, in a root only on request")
    func scoped() async throws {
        let built = Counter()
        let root = DIContainer {
            Scoped(async: { _ in Connection("\(built.increment())") })
            Scoped(async: { _ in 1.0 }, as: (any Sendable).self)
            Shared(async: { _ in 1 })
        }
        for (row, container) in [
            "root": root, "root.fork()": root.fork(),
            "root.fork().fork { Shared(\"\") }": root.fork().fork { Shared("") },
        ] as KeyValuePairs {
            try await container.prepare()
            #expect(built.count == 0 && container.resolve(Int.self) == 1, "\(row)")
            #expect(failure { _ = try container.resolve.orThrow(Connection.self) }?.reason == .asyncRequired, "\(row)")
        }
        let child = root.makeChild()
        for (row, container) in [
            "child": child, "child.fork()": child.fork(), "child.fork().fork()": child.fork().fork(),
            "child.makeChild()": child.makeChild(), "root.fork().makeChild()": root.fork().makeChild(),
        ] as KeyValuePairs {
            let before = built.count
            try await container.prepare()
            #expect(
                try built.count == before + 1 && container.resolve.orThrow(Connection.self).name == "\(before + 1)",
                "\(row)")
            #expect(try container.resolve.orThrow(Double.self) == 1, "\(row)")
        }
        #expect(try await root.resolve.async(Connection.self).name == "6")
    }

    @Test("builds a Scoped dependency of a Shared, even in a root")
    func requiredScoped() async throws {
        let root = DIContainer {
            Scoped(async: { _ in 1 })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
        }
        try await root.prepare()
        #expect(try root.resolve.orThrow(Ticket.self).number == 1 && root.resolve.orThrow(Int.self) == 1)
    }

    @Test("leaves a type that a child overrides to the parent")
    func overriddenByChild() async throws {
        let built = Counter()
        let parent = DIContainer {
            Shared(async: { _ in built.counting(Connection("parent's")) })
            Shared { resolve in [try resolve.orThrow(Connection.self)] }
        }
        let child = parent.makeChild { Shared(Connection("child's")) }
        try await child.prepare()
        #expect(try built.count == 0 && child.resolve.orThrow(Connection.self).name == "child's")
        try await parent.prepare()
        #expect(try child.resolve.orThrow([Connection].self).map(\.name) == ["parent's"])
    }
}

@Suite("Rule C11: A container can be prepared (preparing all)", .mayHang)
struct PrepareAllTests {
    private final class Machine: Sendable {
        let part: Connection
        init(_ part: Connection) { self.part = part }
    }

    /// The names of the factories that have run.
    private final class Builds: Sendable {
        private let all = Locked<[String]>([])
        var names: [String] { all.withLock { $0 } }
        func add(_ name: String) -> Connection {
            all.withLock { $0.append(name) }
            return Connection(name)
        }
    }

    private func part(_ name: RegistrationName, _ builds: Builds) -> Shared<Connection> {
        Shared({ _ in builds.add(name.rawValue) }, name: name)
    }

    // MARK: Built instances

    @Test("Builds each Shared once, so that later requests run no factory")
    func shared() async throws {
        let builds = Builds()
        let parent = DIContainer {
            part("inherited", builds)
            part("overridden", builds)
        }
        let container = parent.makeChild {
            Shared { resolve in Machine(try resolve.orThrow()) }
            Shared({ _ in builds.add("own") }, as: (any Sendable).self)
            Shared(async: { _ in builds.add("asynchronous") }, name: "asynchronous")
            Shared({ _ in Connection("override") }, name: "overridden")
        }
        try await container.prepare(.all)
        #expect(builds.names.sorted() == ["asynchronous", "inherited", "own"])
        try await container.prepare(.all)
        #expect(try container.resolve.orThrow(Machine.self).part === container.resolve.orThrow(Connection.self))
        #expect(try isSame(container.resolve.orThrow((any Sendable).self), container.resolve.orThrow(Connection.self)))
        for name in ["asynchronous", "inherited"] as [RegistrationName] {
            #expect(try container.resolve.orThrow(Connection.self, name: name).name == name.rawValue, "\(name)")
        }
        #expect(builds.names.count == 3)
        try await parent.prepare(.all)
        #expect(builds.names.last == "overridden" && builds.names.count == 4)
    }

    @Test("Leaves New, Weak, Graph, Scoped and factories with arguments")
    func leftAlone() async throws {
        let builds = Builds()
        let parent = DIContainer {
            New({ _ in builds.add("new") }, name: "new", as: (any Sendable).self)
            Weak({ _ in builds.add("weak") }, name: "weak")
            Graph({ _ in builds.add("graph") }, name: "graph")
            Scoped({ _ in builds.add("scoped") }, name: "scoped")
            Shared(name: "arguments") { _, name in builds.add(name) }
            ProvidedByChild(Machine.self)
            Decorate(Machine.self) { base, _ in base }
        }
        for (row, container) in ["parent": parent, "parent.makeChild()": parent.makeChild()] as KeyValuePairs {
            try await container.prepare(.all)
            #expect(builds.names.isEmpty, "\(row)")
        }
    }

    @Test("Plain prepare() leaves plain factories to their first request")
    func asynchronousOnly() async throws {
        let builds = Builds()
        let container = DIContainer {
            part("plain", builds)
            Shared(async: { _ in 1 })
        }
        try await container.prepare()
        #expect(try builds.names.isEmpty && container.resolve.orThrow(Int.self) == 1)
    }

    @Test("Runs each plain factory once, after its asynchronous dependencies")
    func order() async throws {
        let runs = Counter()
        let container = DIContainer {
            Shared { resolve in try runs.counting(Machine(resolve.orThrow())) }
            Shared(async: { _ in Connection("asynchronous") })
            Scoped(async: { _ in 1 })
            // No preparation builds the dependency of this one.
            Shared { resolve in Ticket(number: try resolve.orThrow()) }
        }
        try await container.prepare(.all)
        #expect(runs.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
    }

    @MainActor private final class Window {
        init() { MainActor.assertIsolated() }
    }

    @Test("Builds types with mainActor: on the main actor, and others off it")
    func isolation() async throws {
        let onMain = Locked<[Bool]>([])
        let container = DIContainer {
            Shared(mainActor: Window(), name: "main", as: (any AnyObject).self)
            Shared(autowiring: { @MainActor () in Window() })
            Shared({ _ in
                onMain.withLock { $0.append(Thread.isMainThread) }
                return Connection("plain")
            })
            Shared({ _ in Connection("alias") }, name: "alias", as: (any Sendable).self)
            Decorate((any Sendable).self, name: "alias", mainActor: { base, _ in base })
        }
        try await Task { @MainActor in try await container.prepare(.all) }.value
        #expect(onMain.withLock { $0 } == [false])
        let windows = try await MainActor.run {
            (try container.resolve.orThrow(Window.self), try container.resolve.orThrow(Window.self, name: "main"))
        }
        #expect(windows.0 !== windows.1)
        try await Task.detached { try await container.prepare(.all) }.value
    }

    // MARK: Failures

    @Test("Reports all failures together, in the order of the registrations")
    func failures() async throws {
        let isBroken = Locked(true)
        let built = Counter()
        let container = DIContainer {
            Shared { _ -> Ticket in
                if isBroken.withLock({ $0 }) { throw Sabotage() }
                return Ticket(number: 1)
            }
            Shared(autowiring: Car.init)
            Shared(async: { _ -> Double in throw Sabotage() })
            Shared(Ticket(number: 2), name: "alias", as: (any Engine).self)
            Weak(Machine(Connection("")))
            Shared { _ in built.increment() }
        }
        let error = try #require(
            await #expect(throws: PreparationError.self) { try await container.prepare(.all) })
        #expect(error.failures.map(\.key) == ["Ticket", "any Engine", "Double", "any Engine named \"alias\""])
        #expect(error.failures.map(\.kind) == ["factoryFailed", "notRegistered", "factoryFailed", "typeMismatch"])
        #expect(error.failures[1].path.map(\.key) == ["Car"])
        #expect(error.description.hasPrefix("`prepare()` ended, but 4 of its builds failed.\n1. The factory of Ticket"))
        #expect(try built.count == 1 && container.resolve.orThrow(Int.self) == 1)

        isBroken.withLock { $0 = false }
        container.register {
            Shared(Diesel() as any Engine)
            Shared(async: { _ in 1.0 })
        }
        container.unregister((any Engine).self, name: "alias")
        try await container.prepare(.all)
        #expect(built.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
    }

    @Test("Runs a failed asynchronous factory once, not for each dependent")
    func failedOnce() async throws {
        let runs = Counter()
        let container = DIContainer {
            Shared { resolve in Ticket(number: try resolve.orThrow()) }
            Shared { resolve in String(try resolve.orThrow(Int.self)) }
            Shared(async: { _ -> Int in
                runs.increment()
                throw Sabotage()
            })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.key) == ["Int"])
        #expect(runs.count == 1)
    }

    @Test("Rule 16: Reports a cycle once")
    func cycle() async throws {
        let container = DIContainer {
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.kind) == ["cycle"])
        #expect(error?.description.contains("Hen → Egg → Hen") == true)
    }

    @Test("Reports a plain factory with a main-actor dependency after one run")
    func needsMainActor() async throws {
        let runs = Counter()
        let container = DIContainer {
            Shared(mainActor: Diesel())
            Shared { resolve in try runs.counting(Machine(Connection(resolve.orThrow(Diesel.self).kind))) }
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.kind) == ["mainActorRequired"])
        #expect(error?.failures.first?.path.map(\.key) == ["PrepareAllTests.Machine"])
        #expect(runs.count == 1)
    }

    @Test("Reports a decorator in a child of a type that its parent registers")
    func misplaced() async throws {
        let parent = DIContainer { Shared(Connection("parent's")) }
        let child = parent.makeChild { Decorate(Connection.self) { base, _ in base } }
        let error = await #expect(throws: PreparationError.self) { try await child.prepare(.all) }
        #expect(error?.failures.map(\.kind) == ["misplacedDecorator"])
        try await parent.prepare(.all)
    }

    // MARK: Children

    @Test("Rule 22: Leaves what only children can build, and reports what none can")
    func providedByChild() async throws {
        let app = DIContainer {
            ProvidedByChild(Connection.self)
            Scoped(autowiring: Machine.init)
            Scoped(async: { resolve in "\(try resolve.orThrow(Machine.self).part.name)" })
            New { resolve in Ticket(number: try resolve.orThrow(Machine.self).part.name.count) }
        }
        try await app.prepare(.all)
        let session = app.makeChild { Shared(1.5) }
        try await session.prepare()
        try await session.prepare(.all)
        let request = session.makeChild { Shared(Connection("request's")) }
        try await request.prepare(.all)
        #expect(try request.resolve.orThrow(String.self) == "request's")

        for shared in [
            Shared { resolve in [try resolve.orThrow(Machine.self)] },
            Shared(async: { resolve in [try await resolve.async(Machine.self)] }),
        ] {
            app.register(shared)
            for (row, container) in ["app": app, "session": session] as KeyValuePairs {
                let error = await #expect(throws: PreparationError.self, "\(row)") { try await container.prepare(.all) }
                #expect(error?.failures.map(\.kind) == ["notRegistered"], "\(row)")
                #expect(
                    error?.description.contains("a parent does not see its children's registrations") == true, "\(row)")
            }
        }
    }

    // MARK: The container and the task

    @Test("Several calls build each instance once")
    func concurrentCalls() async throws {
        for round in 0..<50 {
            let builds = Builds()
            let names = (0..<10).map { RegistrationName("\($0)") }
            let container = DIContainer { for name in names { part(name, builds) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await container.prepare(.all) } }
                try await group.waitForAll()
            }
            #expect(builds.names.sorted() == names.map(\.rawValue), "round \(round)")
        }
    }

    @Test("A canceled task runs no further factory, and the next call continues")
    func canceled() async throws {
        let builds = Builds()
        let container = DIContainer {
            Shared({ _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return builds.add("first")
            })
            part("second", builds)
        }
        await #expect(throws: CancellationError.self) {
            try await Task { try await container.prepare(.all) }.value
        }
        #expect(builds.names == ["first"])
        try await container.prepare(.all)
        #expect(builds.names == ["first", "second"])
    }

    @Test("A sealed container can be prepared")
    func sealed() async throws {
        let container = DIContainer { Shared(Connection("sealed")) }
        container.seal()
        try await container.prepare(.all)
        #expect(try container.resolve.orThrow(Connection.self).name == "sealed")
    }

    @Test("Rule 20: Closing during the preparation is reported once, and ends it")
    func closing() async throws {
        let builds = Builds()
        let closing = Locked<Task<Void, any Error>?>(nil)
        let container = DIContainer {
            part("first", builds)
            Shared { resolve in [try resolve.orThrow(Int.self)] }
            part("second", builds)
            part("third", builds)
            Scoped(async: { _ in
                let container = DIContainer.current
                closing.withLock { $0 = Task.detached { try await container.close() } }
                // Other tasks get no unbuilt instance from then on.
                await Task.detached {
                    await container.untilClosing()
                }.value
                return 1
            })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.reason) == [.closed])
        try await closing.withLock { $0 }?.value
        #expect(builds.names == ["first"])
    }

    @Test("A registration that is replaced during the preparation is built anew")
    func replaced() async throws {
        let builds = Builds()
        let container = DIContainer {
            Shared({ _ in
                DIContainer.register(Shared({ _ in builds.add("new") }, name: "second"))
                return builds.add("first")
            })
            part("second", builds)
        }
        try await container.prepare(.all)
        #expect(builds.names == ["first", "new"])
    }
}

@Suite("Rule C11: A container can be prepared (preparation failures)")
struct PreparationFailureTests {
    @Test("reports each failure once, numbered, and caches the finished instances")
    func failures() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Int in throw Sabotage() })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            Shared(async: { _ -> Double in throw Sabotage() })
            Shared(async: { resolve in try await resolve.async(Float.self) > 1 })
            Shared(async: { _ in "built" })
        }
        let error = try #require(
            await #expect(throws: PreparationError.self) { try await container.prepare() })
        #expect(Set(error.failures.map(\.key)) == ["Int", "Double", "Float"] && error.failures.count == 3)
        let texts = error.failures.enumerated().map { "\n\($0 + 1). \($1)" }
        #expect(error.description == "`prepare()` ended, but 3 of its builds failed." + texts.joined())
        #expect(error.failures.first { $0.key == "Float" }?.path.map(\.key) == ["Bool"])
        #expect(try container.resolve.orThrow(String.self) == "built")
    }

    @Test("Rule 16: asynchronous cycles are found instead of hanging")
    func cycles() async throws {
        for round in 0..<100 {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
                Shared(async: { resolve in Int(try await resolve.async(Double.self)) })
                Shared(async: { resolve in Double(try await resolve.async(Ticket.self).number) })
            }
            let single = await #expect(throws: ResolutionError.self, "round \(round)") {
                try await container.resolve.async(Ticket.self)
            }
            #expect(single?.kind == "cycle", "round \(round)")
            #expect(single?.description.contains("Ticket → Int → Double → Ticket") == true, "round \(round)")
            // The tasks of all three are independent and run concurrently.
            let error = await #expect(throws: PreparationError.self, "round \(round)") { try await container.prepare() }
            #expect(error?.failures.allSatisfy { $0.kind == "cycle" } == true, "round \(round)")
        }
        let container = DIContainer {
            New(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            New(async: { resolve in try await resolve.async(Ticket.self).number })
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        #expect(error?.kind == "cycle")
    }

    @Test("reports a factory that cancels itself, and rethrows the caller's cancellation")
    func cancellation() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Ticket in
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
                return Ticket(number: 1)
            })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(error?.failures.count == 1)
        #expect(error?.description.hasPrefix("`prepare()` ended, but 1 of its builds failed.\n1. ") == true)
        #expect(error?.failures.first?.reason.underlyingError is CancellationError)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await container.prepare()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private final class First: Sendable { init(_ second: Second?) {} }
    private final class Second: Sendable { init(_ first: First?) {} }

    @Test("Rule 16: a cycle through a plain request of an asynchronous factory is found")
    func plainCycles() async throws {
        let container = DIContainer {
            Shared(async: { resolve in First(try resolve.orThrow(Second.self)) })
            Shared { resolve in Second(try resolve.orThrow(First.self)) }
        }
        let first = await #expect(throws: ResolutionError.self) { try await container.resolve.async(First.self) }
        #expect(first?.reason == .cycle)
        let second = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Second.self) }
        #expect(second?.reason == .cycle)
        let all = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(all?.failures.map(\.reason) == [.cycle])

        let own = DIContainer { Shared(async: { resolve in First(Second(try resolve.orThrow(First.self))) }) }
        let error = await #expect(throws: ResolutionError.self) { try await own.resolve.async(First.self) }
        #expect(error?.reason == .cycle)
    }
}
