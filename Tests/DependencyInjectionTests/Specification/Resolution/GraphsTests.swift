import DependencyInjection
import Foundation
import Testing

@Suite("Rule 19: A graph of objects shares its members", .serialized, .mayHang, .ownThread)
struct GraphTests {
    /// The result of one request: an instance by its type, by an alias, and one level deeper.
    private final class Root: Sendable {
        let diesel: Diesel
        let engine: any Engine
        let car: Car

        init(_ diesel: Diesel, _ engine: any Engine, _ car: Car) {
            self.diesel = diesel
            self.engine = engine
            self.car = car
        }

        /// Whether all of them are one instance.
        var isOne: Bool { isSame(diesel, engine) && isSame(diesel, car.engine) }
    }

    private static let roots = Module {
        New { resolve in Root(resolve(), resolve(), resolve()) }
        New { resolve in Car(engine: resolve()) }
    }

    private func container(_ built: Counter = Counter()) -> DIContainer {
        DIContainer {
            Self.roots
            Graph(as: (any Engine).self) { _ in built.counting(Diesel()) }
        }
    }

    @Test("A request gets one instance by type and alias, and the next a new one")
    func lifetime() throws {
        let built = Counter()
        let container = container(built)
        var first: Root? = try container.resolve.orThrow()
        let second: Root = try container.resolve.orThrow()
        #expect(first?.isOne == true && second.isOne && first?.diesel !== second.diesel)
        #expect(built.count == 2)
        #expect(try container.resolve.orThrow(Diesel.self) !== container.resolve.orThrow(Diesel.self))
        weak let member = first?.diesel
        #expect(member != nil)
        first = nil
        #expect(member == nil, "the container keeps it")
    }

    @Test("It is shared by a Shared, an Optional, a provider and a wrapper")
    func ways() throws {
        let container = container()
        container.register {
            Shared { resolve in Root(resolve(), resolve(), resolve()) }
            New { resolve in
                @Inject var engine: any Engine
                @LazyInject var lazy: any Engine
                let (maybe, provided) = (resolve(Diesel?.self), resolve(Provider<Diesel>.self)())
                let all = resolve.all((any Engine).self)
                return [engine, lazy, provided, all[0]].allSatisfy { isSame($0, maybe!) } && all.count == 1
            }
        }
        #expect(try container.resolve.orThrow(Root.self).isOne)
        #expect(try container.resolve.orThrow(Root.self) === container.resolve.orThrow(Root.self))
        #expect(DIContainer.withContainer(container) { container.resolve(Bool.self) })
    }

    @Test("A wrapper or provider outside of a factory starts its own graph")
    func outside() {
        DIContainer.withContainer(container()) {
            @Inject var first: Diesel
            @LazyInject var second: Diesel
            @Inject var make: Provider<Diesel>
            #expect(Set([first, second, make(), make()].map { ObjectIdentifier($0) }).count == 4)
            #expect(second === second)
        }
    }

    @Test("A request for all registrations is one graph")
    func all() throws {
        let container = DIContainer {
            Graph(Diesel())
            New(name: "first") { resolve in Car(engine: resolve(Diesel.self)) }
            New(name: "second") { resolve in Car(engine: resolve(Diesel.self)) }
        }
        let cars = try container.resolve.orThrow.all(Car.self)
        #expect(cars.count == 2 && isSame(cars[0].engine, cars[1].engine))
        #expect(try !isSame(container.resolve.orThrow.all(Car.self)[0].engine, cars[0].engine))
    }

    @Test("Each container has its own instance, so no Shared gets a child's")
    func tree() throws {
        let parent = container()
        parent.register {
            Shared { resolve in Car(engine: resolve()) }
            New { resolve in isSame(resolve(Diesel.self), resolve(Car.self).engine) }
        }
        let child = parent.makeChild()
        #expect(try !child.resolve.orThrow(Bool.self))
        #expect(try child.resolve.orThrow(Car.self) === parent.resolve.orThrow(Car.self))
        // The graph distinguishes a released child from the next child at the same address.
        parent.register(
            New { resolve in
                let engines = (0..<100).map { _ in parent.makeChild().resolve(Diesel.self) }
                return Set(engines.map { ObjectIdentifier($0) }).count
            })
        #expect(try parent.resolve.orThrow(Int.self) == 100)
    }

    @Test("A decorator runs once per graph, to which its requests belong, also in a child and behind an alias")
    func decorated() throws {
        let (built, wrapped) = (Counter(), Counter())
        let container = container(built)
        container.register(
            Decorate((any Engine).self) { base, resolve in
                wrapped.counting(Diesel(kind: isSame(base, resolve(Diesel.self)) ? "one" : "two"))
            })
        #expect(try container.resolve.orThrow((any Engine).self).kind == "one")
        #expect(wrapped.count == 1 && built.count == 1)
        let root: Root = try container.resolve.orThrow()
        #expect(isSame(root.engine, root.car.engine) && root.engine.kind == "one")
        #expect(root.diesel.kind == "diesel" && wrapped.count == 2 && built.count == 2)

        let parent = self.container()
        parent.register(
            Decorate(Diesel.self) { base, _ in wrapped.counting(Diesel(kind: "tuned \(base.kind)")) })
        let other: Root = try parent.makeChild().resolve.orThrow()
        #expect(other.isOne && other.diesel.kind == "tuned diesel" && wrapped.count == 3)
    }

    @Test("Instances differ by name, and a replacement applies immediately, also to a decorated alias")
    func names() throws {
        let container = DIContainer {
            Graph(Diesel(kind: "plain"), as: (any Engine).self)
            Graph(Diesel(kind: "other"), name: "other")
            tune()
            New(name: "kinds") { resolve in
                [resolve(Diesel.self), resolve(Diesel.self, name: "other"), resolve((any Engine).self)].map(\.kind)
            }
            New { resolve in
                let before = resolve([String].self, name: "kinds")
                DIContainer.register(Graph(Diesel(kind: "new")))
                return before + resolve([String].self, name: "kinds")
            }
        }
        let kinds = ["plain", "other", "tuned plain", "new", "other", "tuned new"]
        #expect(try container.resolve.orThrow([String].self) == kinds)
    }

    @Test("Values are shared, and the first arguments apply")
    func values() throws {
        let container = DIContainer {
            Graph { (_, number: Int) in Ticket(number: number) }
            New { resolve in [resolve(Ticket.self, arguments: 1), resolve(Ticket.self, arguments: 2)].map(\.number) }
            Graph(Diesel())
            New { resolve in
                _ = resolve(Diesel.self)
                return failure { _ = try resolve.orThrow(Diesel.self, arguments: 1) }?.kind ?? "none"
            }
        }
        #expect(try container.resolve.orThrow([Int].self) == [1, 1])
        #expect(try container.resolve.orThrow(Ticket.self, arguments: 3).number == 3)
        #expect(try container.resolve.orThrow(String.self) == "argumentMismatch")
    }

    @Test("A failed factory caches nothing, and a self-dependency is a cycle")
    func failures() throws {
        let built = Counter()
        let container = DIContainer {
            Graph { _ in
                if built.increment() == 1 { throw Sabotage() }
                return Diesel()
            }
            New { resolve in
                _ = try? resolve.orThrow(Diesel.self)
                return resolve(Diesel.self) === resolve(Diesel.self)
            }
            Graph { resolve in Car(engine: try resolve.orThrow(Car.self).engine) }
        }
        #expect(try container.resolve.orThrow(Bool.self))
        #expect(built.count == 2)
        #expect(failure { _ = try container.resolve.orThrow(Car.self) }?.kind == "cycle")
    }

    @Test("A main-actor type is shared on the main actor, and an error elsewhere")
    func mainActor() async throws {
        let container = DIContainer {
            Graph(mainActor: Diesel())
            New(async: { resolve in
                _ = try await MainActor.run { try resolve.orThrow(Diesel.self) }
                return failure { _ = try resolve.orThrow(Diesel.self) }?.kind ?? "none"
            })
            New(mainActor: { resolve in resolve(Diesel.self) === resolve(Diesel.self) })
        }
        #expect(await MainActor.run { container.resolve(Bool.self) })
        #expect(onThreads(1) { _ in container.error(of: Diesel.self)?.kind } == ["mainActorRequired"])
        #expect(try await container.resolve.async(String.self) == "mainActorRequired")
    }

    @Test("Each thread's request is a graph of its own")
    func threads() {
        let container = container()
        for round in 0..<raceRounds {
            let roots = onThreads(raceThreads) { _ in container.resolve(Root.self) }
            let areSeparate = Set(roots.map { ObjectIdentifier($0.diesel) }).count == raceThreads
            let areOne = roots.allSatisfy(\.isOne)
            #expect(areSeparate && areOne, "round \(round)")
        }
    }

    @Test("A graph outlives the release of its container")
    func released() {
        let holder = Locked<DIContainer?>(container())
        let resolve = holder.withLock { container in
            container!.register(
                New { resolve in
                    holder.withLock { $0 = nil }
                    return resolve(Diesel.self) === resolve(Diesel.self)
                })
            return container!.resolve
        }
        #expect(resolve(Bool.self))
    }

    // MARK: Graph in asynchronous builds

    @Test("An asynchronous build belongs to the graph that started it")
    func asynchronous() async throws {
        let built = Counter()
        let container = DIContainer {
            Graph { _ in built.counting(Diesel()) }
            Shared(async: { resolve in
                await Task.yield()
                return Car(engine: resolve(Diesel.self))
            })
            New { resolve in
                let engine = try resolve.orThrow(Car.self).engine
                return Tuned(engine, isSame(engine, try resolve.orThrow(Diesel.self)) ? "one" : "two")
            }
        }
        let first = try await container.resolve.async(Tuned.self)
        #expect(first.label == "one" && built.count == 1)
        container.resetInstances()
        try await container.prepare()
        #expect(built.count == 2)
        #expect(try await !isSame(container.resolve.async(Tuned.self).base, first.base))
    }

    @Test("Each build of prepare() is one outermost request")
    func preparedGraphs() async throws {
        let container = DIContainer {
            Graph(Diesel())
            Shared(async: { resolve in [resolve(Diesel.self), resolve(Diesel.self)] }, name: "a")
            Shared(async: { resolve in [resolve(Diesel.self), resolve(Diesel.self)] }, name: "b")
        }
        try await container.prepare()
        let a = try container.resolve.orThrow([Diesel].self, name: "a")
        let b = try container.resolve.orThrow([Diesel].self, name: "b")
        #expect(a[0] === a[1])
        #expect(b[0] === b[1])
        #expect(a[0] !== b[0])
    }

    @Test("Concurrent tasks of one asynchronous graph get one instance")
    func tasks() async throws {
        let container = DIContainer {
            Graph(Diesel(), as: (any Engine).self)
            New(async: { resolve in
                let engines = await withTaskGroup(of: Diesel.self) { group in
                    for index in 0..<raceThreads {
                        group.addTask { index % 2 == 0 ? resolve() : resolve((any Engine).self) as! Diesel }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                return Set(engines.map { ObjectIdentifier($0) }).count
            })
        }
        for round in 0..<raceRounds { #expect(try await container.resolve.async(Int.self) == 1, "round \(round)") }
    }

    @Test("Two concurrent tasks of one graph both get the first finished instance")
    func firstCounts() async throws {
        let entered = Counter()
        let container = DIContainer {
            Graph { _ in
                entered.increment()
                // Both tasks run the factory, unless the machine has only one core.
                _ = eventually(within: 2) { entered.count == 2 }
                return Diesel()
            }
            New(async: { resolve in
                async let first = resolve(Diesel.self)
                async let second = resolve(Diesel.self)
                let both = await [first, second]
                return both.allSatisfy { $0 === resolve(Diesel.self) }
            })
        }
        #expect(try await container.resolve.async(Bool.self))
    }

    @Test("The graph is released after the request, even if a task was left behind")
    func leftTask() async throws {
        let gate = Latch()
        let released = Counter()
        let left = Locked<Task<Void, any Error>?>(nil)
        let container = DIContainer {
            Graph { _ in Tracked(released) }
            New(async: { resolve in
                let task = Task { try await gate.opening() }
                left.withLock { $0 = task }
                return resolve(Tracked.self) === resolve(Tracked.self)
            })
        }
        #expect(try await container.resolve.async(Bool.self))
        #expect(released.count == 1)
        gate.open()
        try await left.withLock { $0! }.value
    }
}
