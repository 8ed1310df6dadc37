import DependencyInjection
import Foundation
import Testing

@Suite("Graph in asynchronous builds", .serialized, .mayHang, .ownThread)
struct AsyncGraphTests {
    @Test("Rule 19: an asynchronous build belongs to the graph that started it")
    func asynchronous() async throws {
        final class Page: Sendable {
            let car: Car
            let diesel: Diesel
            init(_ car: Car, _ diesel: Diesel) {
                self.car = car
                self.diesel = diesel
            }
        }
        let built = Counter()
        let container = DIContainer {
            Graph { _ in
                built.increment()
                return Diesel()
            }
            Shared(async: { resolve in
                await Task.yield()
                return Car(engine: resolve(Diesel.self))
            })
            New { resolve in Page(try resolve.orThrow(), try resolve.orThrow()) }
        }
        let page = try await container.resolve.async(Page.self)
        #expect(isSame(page.car.engine, page.diesel) && built.count == 1)
        container.resetInstances()
        try await container.prepare()
        #expect(built.count == 2)
        #expect(try await container.resolve.async(Page.self).diesel !== page.diesel)
    }

    @Test("Rule 19: concurrent tasks of one asynchronous graph get one instance")
    func tasks() async throws {
        struct Engines: Sendable { let all: [Diesel] }
        let container = DIContainer {
            Graph(Diesel(), as: (any Engine).self)
            New(async: { resolve in
                let engines = await withTaskGroup(of: Diesel.self) { group in
                    for index in 0..<raceThreads {
                        group.addTask { index % 2 == 0 ? resolve() : resolve((any Engine).self) as! Diesel }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                return Engines(all: engines)
            })
        }
        for _ in 0..<raceRounds {
            let engines = try await container.resolve.async(Engines.self).all
            let isOne = engines.allSatisfy { $0 === engines[0] }
            #expect(isOne)
        }
    }

    @Test("Rule 19: two concurrent tasks of one graph both get the first finished instance")
    func firstCounts() async throws {
        struct Engines: Sendable { let areOne: Bool }
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
                return Engines(areOne: both.allSatisfy { $0 === resolve(Diesel.self) })
            })
        }
        #expect(try await container.resolve.async(Engines.self).areOne)
    }

    @Test("Rule 19: the graph is released after the request, even if a task was left behind")
    func leftTask() async throws {
        let gate = Gate()
        let released = Counter()
        let left = Locked<Task<Void, any Error>?>(nil)
        let container = DIContainer {
            Graph { _ in Tracked(released) }
            New(async: { resolve in
                let task = Task { try await gate.wait() }
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
