import DependencyInjection
import Foundation
import Testing

@Suite("Rule C11: A container can be prepared", .mayHang)
struct PrepareTests {
    @Test("Builds every asynchronous Shared, dependencies first, so that plain requests work")
    func order() async throws {
        let builds = Log()
        let dependencies: KeyValuePairs<String, [RegistrationName]> = [
            "top": ["left", "right"], "left": ["base"], "right": ["base"],
        ]
        let parent = DIContainer { Shared(async: { _ in Connection("base", builds) }, name: "base") }
        let container = parent.makeChild {
            for (name, dependencies) in dependencies {
                Shared(
                    async: { resolve in
                        for name in dependencies { _ = try await resolve.async(Connection.self, name: name) }
                        return Connection(name, builds)
                    }, name: RegistrationName(name))
            }
            New(async: { _ in Connection("new", builds) })
        }
        try await container.prepare()
        #expect(builds.all.count == 4 && builds.all.first == "base" && builds.all.last == "top")
        for name in ["base", "left", "right", "top"] {
            #expect(
                try container.resolve.orThrow(Connection.self, name: RegistrationName(name)).name == name, "\(name)")
        }
        #expect(try parent.resolve.orThrow(Connection.self, name: "base").name == "base")
        try await container.prepare()
        #expect(builds.all.count == 4)
    }

    @Test("Builds independent types at the same time")
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

    @Test("Detects cycles in time that grows with the number of builds, not of paths")
    func ladder() async throws {
        let (depth, gate) = (40, Latch())
        let container = DIContainer {
            for level in 0..<depth {
                for side in ["a", "b"] {
                    Shared(
                        async: { resolve in
                            if level == depth - 1 {
                                try await gate.opening()
                                return Connection(side)
                            }
                            async let first = resolve.async(Connection.self, name: "\(level + 1)a")
                            async let second = resolve.async(Connection.self, name: "\(level + 1)b")
                            return Connection("\(try await first.name == second.name)")
                        }, name: "\(level)\(side)")
                }
            }
        }
        let preparing = Task { try await container.prepare() }
        // Each build except the two deepest ones awaits two, and prepare() awaits all.
        await container.untilTasksWait(2 * depth + 4 * (depth - 1))
        gate.open()
        try await preparing.value
        #expect(try container.resolve.orThrow(Connection.self, name: "0a").name == "true")
    }

    @Test("Builds Scoped types only in a child and its forks, in a root only on request")
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

    @Test("Builds a Scoped dependency of a Shared, even in a root")
    func requiredScoped() async throws {
        let root = DIContainer {
            Scoped(async: { _ in 1 })
            Shared(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
        }
        try await root.prepare()
        #expect(try root.resolve.orThrow(Ticket.self).number == 1 && root.resolve.orThrow(Int.self) == 1)
    }

    @Test("Leaves a type that a child overrides to the parent")
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

    @Test("Leaves New, Weak, Graph, Scoped and factories with arguments", arguments: [false, true])
    func leftAlone(inChild: Bool) async throws {
        let builds = Log()
        let root = DIContainer {
            Shared(async: { (_, name: String) in Connection(name, builds) })
            Scoped(async: { (_, name: String) in Connection(name, builds) }, name: "async scoped")
            New(async: { _ in Connection("async new", builds) }, name: "async new")
            New({ _ in Connection("new", builds) }, name: "new", as: (any Sendable).self)
            Weak({ _ in Connection("weak", builds) }, name: "weak")
            Graph({ _ in Connection("graph", builds) }, name: "graph")
            Scoped({ _ in Connection("scoped", builds) }, name: "scoped")
            Shared(name: "arguments") { _, name in Connection(name, builds) }
            ProvidedByChild(Dependent<Connection>.self)
            Decorate(Dependent<Connection>.self) { base, _ in base }
            Shared(async: { _ in 1 })
        }
        let container = inChild ? root.makeChild() : root
        try await container.prepare()
        try await container.prepare(.all)
        #expect(try builds.all.isEmpty && container.resolve.orThrow(Int.self) == 1)
        #expect(try await container.resolve.async(Connection.self, arguments: "later").name == "later")
    }

    // MARK: Preparing all

    @Test("prepare() builds asynchronous types only, prepare(.all) every other Shared once")
    func shared() async throws {
        let builds = Log()
        let parent = DIContainer {
            Shared({ _ in Connection("inherited", builds) }, name: "inherited")
            Shared({ _ in Connection("overridden", builds) }, name: "overridden")
        }
        let container = parent.makeChild {
            Shared(autowiring: Dependent<Connection>.init)
            Shared({ _ in Connection("own", builds) }, as: (any Sendable).self)
            Shared(async: { _ in Connection("asynchronous", builds) }, name: "asynchronous")
            Shared({ _ in Connection("override") }, name: "overridden")
        }
        try await container.prepare()
        #expect(builds.all == ["asynchronous"])
        try await container.prepare(.all)
        #expect(builds.all.sorted() == ["asynchronous", "inherited", "own"])
        try await container.prepare(.all)
        let user = try container.resolve.orThrow(Dependent<Connection>.self)
        #expect(try user.dependency === container.resolve.orThrow(Connection.self))
        #expect(try isSame(container.resolve.orThrow((any Sendable).self), user.dependency))
        #expect(try container.resolve.orThrow(Connection.self, name: "inherited").name == "inherited")
        #expect(builds.all.count == 3)
        try await parent.prepare(.all)
        #expect(builds.all.last == "overridden" && builds.all.count == 4)
    }

    @Test("prepare(.all) runs each plain factory once, after its asynchronous dependencies, even if it is sealed")
    func orderOfAll() async throws {
        let runs = Counter()
        let container = DIContainer {
            Shared { resolve in try runs.counting(Dependent<Connection>(resolve.orThrow())) }
            Shared(async: { _ in Connection("asynchronous") })
            Scoped(async: { _ in 1 })
            // No preparation builds the dependency of this one.
            Shared { resolve in Ticket(number: try resolve.orThrow()) }
        }
        container.seal()
        try await container.prepare(.all)
        #expect(runs.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
    }

    @Test("A registration that is replaced during prepare(.all) is built anew")
    func replaced() async throws {
        let builds = Log()
        let container = DIContainer {
            Shared { _ in
                DIContainer.register(Shared({ _ in Connection("new", builds) }, name: "second"))
                return Connection("first", builds)
            }
            Shared({ _ in Connection("second", builds) }, name: "second")
        }
        try await container.prepare(.all)
        #expect(builds.all == ["first", "new"])
    }

    @Test("Rule 22: prepare(.all) leaves what only children can build, and reports what none can")
    func providedByChild() async throws {
        let app = DIContainer {
            ProvidedByChild(Connection.self)
            Scoped(autowiring: Dependent<Connection>.init)
            Scoped(async: { resolve in "\(try resolve.orThrow(Dependent<Connection>.self).dependency.name)" })
            New { resolve in Ticket(number: try resolve.orThrow(Dependent<Connection>.self).dependency.name.count) }
        }
        try await app.prepare(.all)
        let session = app.makeChild { Shared(1.5) }
        try await session.prepare()
        try await session.prepare(.all)
        let request = session.makeChild { Shared(Connection("request's")) }
        try await request.prepare(.all)
        #expect(try request.resolve.orThrow(String.self) == "request's")

        for shared in [
            Shared { resolve in [try resolve.orThrow(Dependent<Connection>.self)] },
            Shared(async: { resolve in [try await resolve.async(Dependent<Connection>.self)] }),
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

    // MARK: The main actor

    @Test("prepare(.all) builds types with mainActor: on the main actor, and others off it")
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

    @Test(
        "Builds a type with a main-actor decorator, also off the main actor and in a child", arguments: [false, true])
    func mainActorDecorator(inChild: Bool) async throws {
        let built = Counter()
        let root = DIContainer {
            Shared(async: { _ in built.counting(Connection("base")) })
            Decorate(Connection.self, mainActor: { base, _ in Connection("wrapped \(base.name)") })
        }
        let container = inChild ? root.makeChild() : root
        try await Task.detached { try await container.prepare() }.value
        #expect(built.count == 1)
        #expect(failure { _ = try container.resolve.orThrow(Connection.self) }?.kind == "mainActorRequired")
        #expect(try await MainActor.run { try container.resolve.orThrow(Connection.self).name } == "wrapped base")
        let task = Task { @MainActor in try await container.resolve.async(Connection.self).name }
        #expect(try await task.value == "wrapped base")
    }

    @Test("Runs a factory with a main-actor dependency once, and fails", arguments: [false, true])
    func needsMainActor(isAsync: Bool) async throws {
        let runs = Counter()
        let make: @Sendable (Resolver) throws -> Connection = { resolve in
            try runs.counting(Connection(resolve.orThrow(Diesel.self).kind))
        }
        let container = DIContainer {
            Shared(mainActor: Diesel())
            if isAsync { Shared(async: { try make($0) }) } else { Shared(make) }
        }
        let error = await #expect(throws: PreparationError.self) {
            try await isAsync ? container.prepare() : container.prepare(.all)
        }
        #expect(error?.failures.map(\.reason) == [.mainActorRequired])
        #expect(error?.failures.first?.path.map(\.id.description) == ["Connection"])
        #expect(runs.count == 1)
    }

    // MARK: Cancellation and closing

    @Test("prepare() is canceled with its task, and can be called again")
    func canceled() async throws {
        let build = Latch()
        let container = DIContainer {
            Shared(async: { _ in try await build.opening(returning: 1) })
        }
        let preparing = Task { try await container.prepare() }
        await build.isReached()
        preparing.cancel()
        await #expect(throws: CancellationError.self) { try await preparing.value }
        build.open()
        try await container.prepare()
        #expect(try container.resolve.orThrow(Int.self) == 1 && build.count == 2)
    }

    @Test("prepare(.all) in a canceled task runs no further factory, and the next call continues")
    func canceledAll() async throws {
        let builds = Log()
        let container = DIContainer {
            Shared { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return Connection("first", builds)
            }
            Shared({ _ in Connection("second", builds) }, name: "second")
        }
        await #expect(throws: CancellationError.self) {
            try await Task { try await container.prepare(.all) }.value
        }
        #expect(builds.all == ["first"])
        try await container.prepare(.all)
        #expect(builds.all == ["first", "second"])
    }

    @Test("Rule 20: Closing during prepare(.all) is reported once, and ends it")
    func closing() async throws {
        let builds = Log()
        let closing = Locked<Task<Void, any Error>?>(nil)
        let container = DIContainer {
            Shared({ _ in Connection("first", builds) }, name: "first")
            Shared { resolve in [try resolve.orThrow(Int.self)] }
            Shared({ _ in Connection("second", builds) }, name: "second")
            Shared({ _ in Connection("third", builds) }, name: "third")
            Scoped(async: { _ in
                let container = DIContainer.current
                closing.withLock { $0 = Task.detached { try await container.close() } }
                // Other tasks get no unbuilt instance from then on.
                await Task.detached { #expect(await eventually { container.isClosing }) }.value
                return 1
            })
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.reason) == [.closed])
        try await closing.withLock { $0 }?.value
        #expect(builds.all == ["first"])
    }

    // MARK: Failures

    @Test("prepare(.all) reports all failures together, each once, in registration order")
    func failuresOfAll() async throws {
        let isBroken = Locked(true)
        let (built, runs) = (Counter(), Counter())
        let container = DIContainer { Shared(Connection("parent's")) }.makeChild {
            Shared { _ -> Ticket in
                if isBroken.withLock({ $0 }) { throw Sabotage() }
                return Ticket(number: 1)
            }
            Shared(autowiring: Car.init)
            Shared(async: { _ -> Double in
                runs.increment()
                throw Sabotage()
            })
            Shared(async: { _ -> UInt in throw Sabotage() })
            Shared(async: { _ in
                await Task.yield()
                return true
            })
            Shared(async: { resolve in [try await resolve.async(UInt.self)] })
            // The factory runs once, not for each dependent.
            Shared { resolve in Float(try resolve.orThrow(Double.self)) }
            Shared { resolve in "\(try resolve.orThrow(Double.self))" }
            Shared(Ticket(number: 2), name: "alias", as: (any Engine).self)
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
            Decorate(Connection.self) { base, _ in base }
            Shared { _ in built.increment() }
        }
        let error = try #require(
            await #expect(throws: PreparationError.self) { try await container.prepare(.all) })
        let texts = error.failures.map { "\($0.kind) of \($0.key)" }
        #expect(
            texts == [
                "factoryFailed of Ticket", "notRegistered of any Engine", "factoryFailed of Double",
                "factoryFailed of UInt", "typeMismatch of any Engine named \"alias\"", "cycle of Hen",
                "misplacedDecorator of Connection",
            ])
        #expect(error.failures[1].path.map(\.id.description) == ["Car"])
        let numbered = error.failures.enumerated().map { "\n\($0 + 1). \($1)" }
        #expect(error.description == "`prepare()` ended, but 7 of its builds failed." + numbered.joined())
        #expect(try built.count == 1 && container.resolve.orThrow(Int.self) == 1)
        #expect(runs.count == 1)
        // An instance that was built remains cached.
        #expect(try container.resolve.orThrow(Bool.self))

        isBroken.withLock { $0 = false }
        container.register {
            Shared(Diesel() as any Engine)
            Shared(async: { _ in 1.0 })
            Shared(async: { _ in 1 as UInt })
        }
        container.unregister((any Engine).self, name: "alias")
        container.unregister(Hen.self)
        container.unregister(Egg.self)
        container.unregister(Connection.self)
        try await container.prepare(.all)
        #expect(built.count == 1)
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
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
        let new = DIContainer {
            New(async: { resolve in Ticket(number: try await resolve.async(Int.self)) })
            New(async: { resolve in try await resolve.async(Ticket.self).number })
        }
        let error = await #expect(throws: ResolutionError.self) { try await new.resolve.async(Ticket.self) }
        #expect(error?.description.contains("Circular dependency: Ticket → Int → Ticket") == true)
    }

    @Test("Rule 16: a cycle through a plain request of an asynchronous factory is found")
    func plainCycles() async throws {
        let container = DIContainer {
            Shared(async: { resolve in Diesel(kind: try resolve.orThrow(Connection.self).name) })
            Shared { resolve in Connection(try resolve.orThrow(Diesel.self).kind) }
        }
        let first = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Diesel.self) }
        #expect(first?.reason == .cycle)
        let second = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Connection.self) }
        #expect(second?.reason == .cycle)
        let all = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(all?.failures.map(\.reason) == [.cycle])

        let own = DIContainer { Shared(async: { resolve in Diesel(kind: try resolve.orThrow(Diesel.self).kind) }) }
        let error = await #expect(throws: ResolutionError.self) { try await own.resolve.async(Diesel.self) }
        #expect(error?.reason == .cycle)
    }
}
