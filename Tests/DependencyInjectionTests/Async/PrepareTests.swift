import DependencyInjection
import Testing

@Suite("Rule C11: preparing", .mayHang)
struct PrepareTests {
    struct Part: Sendable {
        let name: String
    }

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
        func part(_ name: String, needs dependencies: [RegistrationName] = []) -> Shared<Part> {
            Shared(
                async: { resolve in
                    for dependency in dependencies { _ = try await resolve.async(Part.self, name: dependency) }
                    order.withLock { $0.append(name) }
                    return Part(name: name)
                }, name: RegistrationName(name))
        }
        let parent = DIContainer { part("base") }
        let container = parent.makeChild {
            part("top", needs: ["left", "right"])
            part("left", needs: ["base"])
            part("right", needs: ["base"])
            New(async: { _ in Part(name: "new") })
        }
        try await container.prepare()
        let built = order.withLock { $0 }
        #expect(built.count == 4 && built.first == "base" && built.last == "top")
        for name in ["base", "left", "right", "top"] {
            #expect(try container.resolve.orThrow(Part.self, name: RegistrationName(name)).name == name)
        }
        #expect(try parent.resolve.orThrow(Part.self, name: "base").name == "base")
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
                        #expect(await eventually { inside.count >= 3 })
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
            { container in container.register(Shared(async: { _ in Part(name: "new") })) },
            { container in container.register { Decorate(Part.self) { base, _ in Part(name: "new \(base.name)") } } },
        ]
        for (change, name) in zip(changes, ["new", "new old"]) {
            let started = Counter()
            let gate = Gate()
            let container = container(of: Part(name: "old"), behind: gate, started)
            let preparing = Task { try await container.prepare() }
            #expect(await eventually { started.count > 0 })
            change(container)
            gate.open()
            try await preparing.value
            #expect(try container.resolve.orThrow(Part.self).name == name)
        }
    }

    @Test("Builds a registration of the parent that is decorated on the main actor")
    func belowMainActorDecorator() async throws {
        let parent = DIContainer {
            Shared(async: { _ in Part(name: "base") })
            Decorate(Part.self, mainActor: { base, _ in Part(name: "wrapped \(base.name)") })
        }
        let child = parent.makeChild()
        try await child.prepare()
        let name = try await MainActor.run { try child.resolve.orThrow(Part.self).name }
        #expect(name == "wrapped base")
    }

    @Test("builds a type with a main-actor decorator, also off the main actor")
    func calledOffMainActor() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { _ in
                built.increment()
                return Part(name: "base")
            })
            Decorate(Part.self, mainActor: { base, _ in Part(name: "wrapped \(base.name)") })
        }
        try await Task.detached { try await container.prepare() }.value
        #expect(built.count == 1)
        #expect(failure { _ = try container.resolve.orThrow(Part.self) }?.kind == "mainActorRequired")
        #expect(try await MainActor.run { try container.resolve.orThrow(Part.self).name } == "wrapped base")
        #expect(
            try await Task { @MainActor in try await container.resolve.async(Part.self).name }.value == "wrapped base")
    }

    @Test("calls a factory with a main-actor dependency once, and fails")
    func needsMainActor() async throws {
        let calls = Counter()
        let container = DIContainer {
            Shared(mainActor: Diesel())
            Shared(async: { resolve in
                calls.increment()
                return Part(name: try resolve.orThrow(Diesel.self).kind)
            })
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
                                return Part(name: side)
                            }
                            async let first = resolve.async(Part.self, name: name(level + 1, "a"))
                            // Higher levels find all deeper builds started.
                            let isStarted = await eventually {
                                started.dropFirst(level + 2).allSatisfy { $0.count == 2 }
                            }
                            #expect(isStarted)
                            let second = try await resolve.async(Part.self, name: name(level + 1, "b"))
                            return Part(name: try await first.name == second.name ? "same" : "different")
                        }, name: name(level, side))
                }
            }
        }
        let preparing = Task { try await container.prepare() }
        // Each build except the two deepest ones awaits two.
        await container.untilTasksWait(4 * (depth - 1))
        gate.open()
        try await preparing.value
        #expect(try container.resolve.orThrow(Part.self, name: "39a").name == "a")
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
        @Sendable func count<T>(_ value: T) -> T {
            built.increment()
            return value
        }
        let container = DIContainer {
            Shared(async: { (_, number: Int) in count(Ticket(number: number)) })
            Scoped(async: { (_, name: String) in count(Part(name: name)) })
            New(async: { _ in count("new") })
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
            Scoped(async: { _ in Part(name: "\(built.increment())") })
            Scoped(async: { _ in 1.0 }, as: (any Sendable).self)
            Shared(async: { _ in 1 })
        }
        for container in [root, root.fork(), root.fork().fork { Shared("") }] {
            try await container.prepare()
            #expect(built.count == 0 && container.resolve(Int.self) == 1)
            #expect(failure { _ = try container.resolve.orThrow(Part.self) }?.reason == .asyncRequired)
        }
        let child = root.makeChild()
        for container in [child, child.fork(), child.fork().fork(), child.makeChild(), root.fork().makeChild()] {
            let before = built.count
            try await container.prepare()
            #expect(try built.count == before + 1 && container.resolve.orThrow(Part.self).name == "\(before + 1)")
            #expect(try container.resolve.orThrow(Double.self) == 1)
        }
        #expect(try await root.resolve.async(Part.self).name == "6")
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
            Shared(async: { _ in
                built.increment()
                return Part(name: "parent's")
            })
            Shared { resolve in [try resolve.orThrow(Part.self)] }
        }
        let child = parent.makeChild { Shared(Part(name: "child's")) }
        try await child.prepare()
        #expect(try built.count == 0 && child.resolve.orThrow(Part.self).name == "child's")
        try await parent.prepare()
        #expect(try child.resolve.orThrow([Part].self).map(\.name) == ["parent's"])
    }
}
