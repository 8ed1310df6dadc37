import DependencyInjection
import DependencyInjectionTesting
import Testing

/// Rule 20: the trait closes the container of each test.
@Suite("The end of a test with dependencies", .collectsExpectedIssues)
struct ClosingTraitTests {
    private struct Sabotage: Error {}
    private struct Meter: Sendable {
        let number: Int
    }

    private final class Log: Sendable {
        private let lines = Locked<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// Runs work as a test with the trait.
    private func run(
        _ trait: DependencyTrait, _ work: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await trait.provideScope(for: try #require(Test.current), testCase: nil, performing: work)
    }

    private static func base(_ log: Log) -> DIContainer {
        DIContainer {
            Shared(Meter(number: 1))
                .onClose { (meter: Meter, failure) in
                    log.add("\(meter.number), failed: \(failure is Sabotage)")
                }
        }
    }

    @Test("closes the instances that the test has built, but not those of the base")
    func closes() async throws {
        let log = Log()
        let base = Self.base(log)
        _ = try base.resolve.orThrow(Meter.self)
        let stored = Locked<DIContainer?>(nil)
        try await run(
            .dependencies(from: base) {
                Shared(Meter(number: 2))
                    .onClose { log.add("\($0.number), own") }
            }
        ) {
            #expect(DIContainer.resolve(Meter.self).number == 2)
            stored.withLock { $0 = DIContainer.current }
            #expect(log.all.isEmpty)
        }
        #expect(log.all == ["2, own"])
        let container = try #require(stored.withLock { $0 })
        // A request by a task that outlives the test succeeds, and caches nothing.
        let late = try container.resolve.orThrow(Meter.self)
        #expect(late.number == 2 && log.all == ["2, own"])
        #expect(try base.resolve.orThrow(Meter.self).number == 1)
        try await base.close()
        #expect(log.all.last == "1, failed: false")
    }

    @Test("leaves a container that can still be prepared")
    func preparing() async throws {
        let stored = Locked<DIContainer?>(nil)
        try await run(
            .dependencies(.empty) {
                Shared { () throws -> Int in throw Sabotage() }
                Shared { () throws -> String in throw Sabotage() }
            }
        ) { stored.withLock { $0 = DIContainer.current } }
        let container = try #require(stored.withLock { $0 })
        // A closing container would end the preparation at the first failure.
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.count == 2)
    }

    @Test("closes with the error of a failed test, and rethrows it")
    func failing() async throws {
        let log = Log()
        await #expect(throws: Sabotage.self) {
            try await run(.dependencies(from: Self.base(log))) {
                _ = DIContainer.resolve(Meter.self)
                throw Sabotage()
            }
        }
        #expect(log.all == ["1, failed: true"])
    }

    @Test("records an issue for an instance that cannot be closed, and continues", arguments: [true, false])
    func issue(isFailing: Bool) async throws {
        let log = Log()
        let issues = Issues()
        try await issues.collect(where: { $0.error is CloseError }) {
            do {
                try await run(
                    .dependencies(from: Self.base(log)) {
                        Shared(Meter(number: 1)).onClose { (meter: Meter, failure) in
                            log.add("\(meter.number), failed: \(failure is Sabotage)")
                            throw Sabotage()
                        }
                    }
                ) {
                    _ = DIContainer.resolve(Meter.self)
                    if isFailing { throw Sabotage() }
                }
            } catch is Sabotage { #expect(isFailing) }
        }
        #expect(issues.texts.count == 1)
        #expect(issues.texts.first?.contains("completed with 1 failure.") == true)
        #expect(log.all == ["1, failed: \(isFailing)"])
    }

    @Test(
        "doesn't close an instance that the test didn't build",
        .dependencies(.empty) { Shared(Meter(number: 1)).onClose { _ in throw Sabotage() } })
    func notBuilt() { #expect(DIContainer.current.isRegistered(Meter.self)) }

    @Test("closes the container of an asynchronous `withDependencies`, and returns its result")
    func asynchronousForm() async {
        let log = Log()
        let number = await withDependencies(.container(Self.base(log))) {
            Shared(1)
        } in: { () async in
            await Task.yield()
            return DIContainer.resolve(Meter.self).number + DIContainer.resolve(Int.self)
        }
        #expect(number == 2)
        #expect(log.all == ["1, failed: false"])
    }

    @Test("closes the container of an asynchronous `withDependencies` with its error, which is rethrown")
    func failingAsynchronousForm() async throws {
        let log = Log()
        await #expect(throws: Sabotage.self) {
            try await withDependencies(.container(Self.base(log))) {
            } in: { () async throws in
                _ = DIContainer.resolve(Meter.self)
                throw Sabotage()
            }
        }
        #expect(log.all == ["1, failed: true"])
    }

    @Test("records an issue for an instance that an asynchronous `withDependencies` cannot close")
    func issueOfAsynchronousForm() async throws {
        let issues = Issues()
        let line: UInt = #line + 4
        await issues.collect(where: { $0.error is CloseError }) {
            await withDependencies(.empty) {
                Shared(Meter(number: 1))
                    .onClose { (_: Meter) in throw Sabotage() }
            } in: { () async in
                _ = DIContainer.resolve(Meter.self)
            }
        }
        #expect(issues.texts.count == 1 && issues.lines == [Int(line)])
    }

    @Test("doesn't close a container of a synchronous `withDependencies`, but releases it")
    func withoutTrait() {
        let log = Log()
        withDependencies(.container(Self.base(log))) {
        } in: {
            #expect(DIContainer.resolve(Meter.self).number == 1)
        }
        #expect(log.all.isEmpty)
    }
}
