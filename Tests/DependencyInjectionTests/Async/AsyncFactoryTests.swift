import DependencyInjection
import Testing

@Suite("Asynchronous factories", .mayHang)
struct AsyncFactoryTests {
    final class Database: Sendable {
        let name: String
        init(name: String = "main") { self.name = name }
    }
    final class Repository: Sendable {
        let database: Database
        init(database: Database) { self.database = database }
    }

    @Test("Rule C10: a plain request fails before the build and works after it")
    func beforeAndAfter() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared(async: { _ in
                await Task.yield()
                built.increment()
                return Database()
            })
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Database.self) })
        #expect(error.kind == "asyncRequired")
        #expect(error.description.contains("`try await container.prepare()`"))
        #expect(error.description.contains("`try await resolve.async`"))
        let database = try await container.resolve.async(Database.self)
        #expect(try container.resolve.orThrow(Database.self) === database)
        let again: Database = try await container.resolve.async()
        #expect(again === database)
        #expect(built.count == 1)
    }

    @Test("Rule C10: a type resolves by name, alias, Optional, decorator and plain factory")
    func forms() async throws {
        let container = DIContainer {
            Shared(async: { _ in Database(name: "named") }, name: "named")
            Shared(async: { _ in Diesel() }, as: (any Engine).self)
            Decorate(Diesel.self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
            Shared(async: { _ in Database() })
            Shared(autowiring: Repository.init)
            New { resolve in Car(engine: try resolve.orThrow()) }
        }
        #expect(try await container.resolve.async(Database.self, name: "named").name == "named")
        #expect(try await container.resolve.async((any Engine).self).kind == "decorated diesel")
        #expect(try isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow(Diesel.self)))
        let repository = try await container.resolve.async(Repository.self)
        #expect(try repository.database === container.resolve.orThrow(Database.self))
        #expect(try repository === container.resolve.orThrow(Repository.self))
        #expect(try await container.resolve.async(Database?.self) === repository.database)
        #expect(try await container.resolve.async(Int?.self) == nil)
        let fresh = container.fork()
        #expect(try await fresh.resolve.async(Car.self).engine.kind == "decorated diesel")
    }

    @Test("Rule C10: New(async:) builds at every request in the caller's task")
    func new() async throws {
        let container = DIContainer {
            New(async: { _, name in Database(name: name) })
            New(
                async: { (resolve, number: Int) in
                    Ticket(number: try await resolve.async(Database.self, arguments: "x").name.count + number)
                }, as: (any Sendable).self)
            Decorate((any Sendable).self) { base, _ in (base as? Ticket)?.number ?? 0 }
        }
        let first = try await container.resolve.async(Database.self, arguments: "a")
        let second = try await container.resolve.async(Database.self, arguments: "a")
        #expect(first !== second && first.name == "a")
        #expect(try await container.resolve.async(Database?.self, arguments: "a")?.name == "a")
        #expect(try await container.resolve.async(Ticket.self, arguments: 4).number == 5)
        #expect(try await container.resolve.async((any Sendable).self, arguments: 6) as? Int == 7)
        let tens = container.fork { Decorate(Ticket.self) { base, _ in Ticket(number: base.number * 10) } }
        #expect(try await tens.resolve.async(Ticket.self, arguments: 1).number == 20)
        #expect(failure { _ = try container.resolve.orThrow(Database.self, arguments: "a") }?.kind == "asyncRequired")
        let mismatch = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Database.self, arguments: 1)
        }
        #expect(mismatch?.description.contains("takes (String), but the request supplied (Int).") == true)
    }

    @Test("Rule C10: Scoped(async:) is built once for each container that resolves it")
    func scoped() async throws {
        let parent = DIContainer {
            Scoped(async: { resolve in Database(name: resolve(String.self)) })
            Shared("parent")
        }
        let child = parent.makeChild { Shared("child") }
        let inChild = try await child.resolve.async(Database.self)
        #expect(try inChild.name == "child" && child.resolve.orThrow(Database.self) === inChild)
        #expect(failure { _ = try parent.resolve.orThrow(Database.self) }?.kind == "asyncRequired")
        #expect(try await parent.resolve.async(Database.self).name == "parent")
        #expect(try parent.resolve.orThrow(Database.self).name == "parent")
        let second = parent.makeChild { Shared("second") }
        try await second.prepare()
        #expect(try second.resolve.orThrow(Database.self).name == "second")
    }

    @Test("Rule C10: two children build a Scoped(async:) at the same time, each its own")
    func scopedAtOnce() async throws {
        let (gate, started) = (Gate(), Counter())
        let parent = DIContainer {
            Scoped(async: { resolve in
                started.increment()
                try await gate.wait()
                return Database(name: resolve(String.self))
            })
        }
        let children = ["first", "second"].map { name in parent.makeChild { Shared(name) } }
        let tasks = children.map { child in Task { try await child.resolve.async(Database.self).name } }
        #expect(await eventually { started.count == 2 }, "one waits for the other")
        gate.open()
        for (task, name) in zip(tasks, ["first", "second"]) { #expect(try await task.value == name) }
        #expect(children.map { $0.resolve(Database.self).name } == ["first", "second"])
    }

    @Test("Rule C10: in the factory, the container is the current one")
    func current() async throws {
        let container = DIContainer {
            Shared("mine")
            Shared(async: { _ in
                await Task.yield()
                return Database(name: DIContainer.resolve())
            })
        }
        let other = DIContainer { Shared("other") }
        let database = try await DIContainer.withContainer(other) { try await container.resolve.async(Database.self) }
        #expect(database.name == "mine")
    }

    @Test("Rule C6: a New(async:) with a main-actor decorator is an error off that actor")
    func mainActorNew() async throws {
        let container = DIContainer {
            New(async: { _ in Database() })
            Decorate(Database.self, mainActor: { base, _ in Database(name: "wrapped \(base.name)") })
        }
        let error = await #expect(throws: ResolutionError.self) {
            try await Task.detached { _ = try await container.resolve.async(Database.self) }.value
        }
        #expect(error?.kind == "mainActorRequired")
        let name = try await Task { @MainActor in try await container.resolve.async(Database.self).name }.value
        #expect(name == "wrapped main")
    }

    @Test("Rule C10: a CancellationError of a factory in a running task is its failure")
    func ownCancellationError() async throws {
        let container = DIContainer {
            Shared(async: { _ -> Database in throw CancellationError() })
            New(async: { _ -> Ticket in throw CancellationError() })
        }
        let shared = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Database.self) }
        let new = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Ticket.self) }
        let prepared = await #expect(throws: PreparationError.self) { try await container.prepare() }
        for error in [shared, new, prepared?.failures.first] {
            #expect(error?.reason.underlyingError is CancellationError)
        }
    }

    @Test("Rule 13: all registrations of a type are awaited, each New built once")
    func allOfNew() async throws {
        let built = Counter()
        @Sendable func database(_ name: String) throws -> Database {
            // If a request repeated its builds forever, this factory would throw.
            if built.increment() > 6 { throw Sabotage() }
            return Database(name: name)
        }
        let container = DIContainer {
            Shared(async: { _ in Database(name: "shared") })
            New(async: { _ in try database("first") }, name: "first")
            New(async: { _ in try database("second") }, name: "second")
            Shared(Database(name: "plain"), name: "plain")
            New { resolve in try resolve.orThrow.all(Database.self).count }
        }
        let names = ["shared", "first", "second", "plain"]
        #expect(try await container.resolve.async(All<Database>.self).map(\.name) == names)
        #expect(built.count == 2)
        #expect(try await container.resolve.async(All<Database>?.self)?.map(\.name) == names)
        #expect(built.count == 4)
        // A plain request can't get an asynchronous instance that is built for each request.
        await #expect(throws: ResolutionError.self) { try await container.resolve.async(Int.self) }
        #expect(built.count == 4)
        #expect(try await container.resolve.async(All<Database>.self, name: "first").map(\.name) == ["first"])
    }

    @Test("Rule C10: an autowired initializer runs once, a closure again for each asynchronous instance that it lacks")
    func runs() async throws {
        let (autowired, closure) = (Counter(), Counter())
        final class Wired: Sendable {
            init(_ database: Database, _ diesel: Diesel, _ ticket: Ticket) {}
        }
        let container = DIContainer {
            Shared(async: { _ in Database() })
            Shared(async: { _ in Diesel() })
            Shared(async: { _ in Ticket(number: 1) })
            Shared(autowiring: { (database: Database, diesel: Diesel, ticket: Ticket) in
                autowired.increment()
                return Wired(database, diesel, ticket)
            })
            Shared(name: "closure") { resolve in
                closure.increment()
                return Wired(try resolve.orThrow(), try resolve.orThrow(), try resolve.orThrow())
            }
        }
        let fork = container.fork()
        _ = try await container.resolve.async(Wired.self)
        #expect(autowired.count == 1)
        _ = try await fork.resolve.async(Wired.self, name: "closure")
        #expect(closure.count == 4)
    }
}
