import DependencyInjection
import Testing

/// Tasks begin to wait while another thread finishes the build. Each test repeats this race many times.
@Suite("Rule C10: races of asynchronous builds", .mayHang)
struct AsyncRaceTests {
    typealias Database = AsyncFactoryTests.Database

    private static let rounds = 400

    /// Returns a container whose factory suspends zero to a few times, depending on the round.
    private func container(_ round: Int, _ built: Counter = Counter()) -> DIContainer {
        DIContainer {
            Shared(
                async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    return Database(name: "\(built.increment())")
                }, as: (any Sendable).self)
        }
    }

    @Test("A single request in a new container always gets its instance", arguments: [false, true])
    func single(isDetached: Bool) async throws {
        for round in 0..<Self.rounds {
            let built = Counter()
            let container = container(round, built)
            let database: Database =
                if isDetached {
                    try await Task.detached { try await container.resolve.async() }.value
                } else {
                    try await container.resolve.async()
                }
            let isCached = try container.resolve.orThrow(Database.self) === database
            #expect(isCached && built.count == 1)
        }
    }

    @Test("Requests that come as the build ends get its instance")
    func several() async throws {
        for round in 0..<Self.rounds {
            let built = Counter()
            let container = container(round, built)
            let instances = try await withThrowingTaskGroup(of: Database.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        for _ in 0..<number * 2 { await Task.yield() }
                        return try await container.resolve.async()
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(instances.count == 6 && instances.allSatisfy { $0 === instances[0] } && built.count == 1)
        }
    }

    @Test("A request that is canceled as the build ends returns once, as does the next")
    func canceled() async throws {
        for round in 0..<Self.rounds {
            let container = container(round)
            let canceled = Task { try await container.resolve.async(Database.self) }
            let patient = Task { try await container.resolve.async(Database.self) }
            for _ in 0..<round % 7 { await Task.yield() }
            canceled.cancel()
            let expected = try await patient.value
            switch await canceled.result {
            case .success(let database): #expect(database === expected)
            case .failure(let error): #expect(error is CancellationError)
            }
            let next: Database = try await container.resolve.async()
            #expect(next === expected)
        }
    }

    @Test("A build without waiters is available to the next request after cancellation")
    func abandoned() async throws {
        for round in 0..<Self.rounds {
            let container = container(round)
            let canceled = Task { try await container.resolve.async(Database.self) }
            for _ in 0..<round % 7 { await Task.yield() }
            canceled.cancel()
            let database = try await container.resolve.async(Database.self)
            #expect(try container.resolve.orThrow(Database.self) === database)
            if case .failure(let error) = await canceled.result { #expect(error is CancellationError) }
        }
    }

    @Test("A failing build fails for all its waiters, and the next request builds again")
    func failing() async throws {
        for round in 0..<Self.rounds {
            let attempts = Counter()
            let container = DIContainer {
                Shared(async: { _ in
                    for _ in 0..<round % 5 { await Task.yield() }
                    if attempts.increment() == 1 { throw Sabotage() }
                    return Database()
                })
            }
            let waiting = (0..<4).map { _ in Task { try await container.resolve.async(Database.self) } }
            var failures = 0
            for task in waiting {
                guard case .failure(let error) = await task.result else { continue }
                #expect((error as? ResolutionError)?.kind == "factoryFailed")
                failures += 1
            }
            let database = try await container.resolve.async(Database.self)
            #expect(try failures >= 1 && attempts.count == 2 && container.resolve.orThrow(Database.self) === database)
        }
    }
}
