import DependencyInjection
import Foundation
import Testing

@Suite("Rule C11: preparing all", .mayHang)
struct PrepareAllTests {
    private final class Part: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }
    private final class Machine: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    /// The names of the factories that have run.
    private final class Builds: Sendable {
        private let all = Locked<[String]>([])
        var names: [String] { all.withLock { $0 } }
        func add(_ name: String) -> Part {
            all.withLock { $0.append(name) }
            return Part(name)
        }
    }

    private func part(_ name: RegistrationName, _ builds: Builds) -> Shared<Part> {
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
            Shared({ _ in Part("override") }, name: "overridden")
        }
        try await container.prepare(.all)
        #expect(builds.names.sorted() == ["asynchronous", "inherited", "own"])
        try await container.prepare(.all)
        #expect(try container.resolve.orThrow(Machine.self).part === container.resolve.orThrow(Part.self))
        #expect(try isSame(container.resolve.orThrow((any Sendable).self), container.resolve.orThrow(Part.self)))
        for name in ["asynchronous", "inherited"] as [RegistrationName] {
            #expect(try container.resolve.orThrow(Part.self, name: name).name == name.rawValue)
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
        for container in [parent, parent.makeChild()] {
            try await container.prepare(.all)
            #expect(builds.names.isEmpty)
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
            Shared { resolve in
                runs.increment()
                return Machine(try resolve.orThrow())
            }
            Shared(async: { _ in Part("asynchronous") })
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
                return Part("plain")
            })
            Shared({ _ in Part("alias") }, name: "alias", as: (any Sendable).self)
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
            Weak(Machine(Part("")))
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
            Shared { resolve in
                runs.increment()
                return Machine(Part(try resolve.orThrow(Diesel.self).kind))
            }
        }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.map(\.kind) == ["mainActorRequired"])
        #expect(error?.failures.first?.path.map(\.key) == ["PrepareAllTests.Machine"])
        #expect(runs.count == 1)
    }

    @Test("Reports a decorator in a child of a type that its parent registers")
    func misplaced() async throws {
        let parent = DIContainer { Shared(Part("parent's")) }
        let child = parent.makeChild { Decorate(Part.self) { base, _ in base } }
        let error = await #expect(throws: PreparationError.self) { try await child.prepare(.all) }
        #expect(error?.failures.map(\.kind) == ["misplacedDecorator"])
        try await parent.prepare(.all)
    }

    // MARK: Children

    @Test("Rule 22: Leaves what only children can build, and reports what none can")
    func providedByChild() async throws {
        let app = DIContainer {
            ProvidedByChild(Part.self)
            Scoped(autowiring: Machine.init)
            Scoped(async: { resolve in "\(try resolve.orThrow(Machine.self).part.name)" })
            New { resolve in Ticket(number: try resolve.orThrow(Machine.self).part.name.count) }
        }
        try await app.prepare(.all)
        let session = app.makeChild { Shared(1.5) }
        try await session.prepare()
        try await session.prepare(.all)
        let request = session.makeChild { Shared(Part("request's")) }
        try await request.prepare(.all)
        #expect(try request.resolve.orThrow(String.self) == "request's")

        for shared in [
            Shared { resolve in [try resolve.orThrow(Machine.self)] },
            Shared(async: { resolve in [try await resolve.async(Machine.self)] }),
        ] {
            app.register(shared)
            for container in [app, session] {
                let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
                #expect(error?.failures.map(\.kind) == ["notRegistered"])
                #expect(error?.description.contains("a parent does not see its children's registrations") == true)
            }
        }
    }

    // MARK: The container and the task

    @Test("Several calls build each instance once")
    func concurrentCalls() async throws {
        for _ in 0..<50 {
            let builds = Builds()
            let names = (0..<10).map { RegistrationName("\($0)") }
            let container = DIContainer { for name in names { part(name, builds) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await container.prepare(.all) } }
                try await group.waitForAll()
            }
            #expect(builds.names.sorted() == names.map(\.rawValue))
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
        let container = DIContainer { Shared(Part("sealed")) }
        container.seal()
        try await container.prepare(.all)
        #expect(try container.resolve.orThrow(Part.self).name == "sealed")
    }

    @Test("Rule 20: A closed container can't be prepared")
    func closed() async throws {
        let builds = Builds()
        let container = DIContainer { part("late", builds) }
        try await container.close()
        let error = await #expect(throws: ResolutionError.self) { try await container.prepare(.all) }
        #expect(error?.reason == .closed && builds.names.isEmpty)
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
                    #expect(await eventually { failure { _ = try container.resolve.orThrow(Double?.self) } != nil })
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

extension ExitTests {
    @Suite("Rule C11: preparing all, in another process") struct PrepareAllExitTests {}
}

extension ExitTests.PrepareAllExitTests {
    @Test("Rule 24: A factory that requests plainly stops the program, with the text of the error")
    func stops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer { Shared { resolve in Car(engine: resolve()) } }
            try await container.prepare(.all)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Fatal error: Nothing is registered for any Engine."))
    }
}
