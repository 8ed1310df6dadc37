import DependencyInjection
import DependencyInjectionTesting
import Testing

private let handlerLine = #line + 5
/// Creates a container whose clock has a handler.
private func makeContainer(_ log: Locked<[String]>, failsToClose: Bool = false) -> DIContainer {
    DIContainer {
        Shared(Clock(name: "1"))
            .onClose { (clock: Clock, failure) in
                log.withLock { $0.append("\(clock.name), failed: \(failure is Sabotage)") }
                if failsToClose { throw Sabotage() }
            }
    }
}

/// A form of a test whose container is closed at its end.
enum ClosingForm: CaseIterable {
    case trait
    case asynchronousWithDependencies

    /// Runs a test that resolves the clock, and that may fail.
    func run(in container: DIContainer, isFailing: Bool) async throws {
        let test: @Sendable () async throws -> Int = {
            await Task.yield()
            _ = DIContainer.resolve(Clock.self)
            if isFailing { throw Sabotage() }
            return DIContainer.resolve(Int.self)
        }
        do {
            switch self {
            case .trait:
                try await DependencyTrait.dependencies(from: container) { Shared(2) }.run { _ = try await test() }
            case .asynchronousWithDependencies:
                let number = try await withDependencies(.container(container)) {
                    Shared(2)
                } in: { () async throws in
                    try await test()
                }
                #expect(number == 2)
            }
            #expect(!isFailing, "The error is rethrown.")
        } catch is Sabotage { #expect(isFailing) }
    }
}

/// Rule 20: the trait closes the container of each test.
@Suite("The end of a test with dependencies", .collectsExpectedIssues)
struct ClosingTraitTests {
    @Test("closes with the error of a failed test, and rethrows it", arguments: ClosingForm.allCases, [false, true])
    func forms(_ form: ClosingForm, isFailing: Bool) async throws {
        let log = Locked<[String]>([])
        try await form.run(in: makeContainer(log), isFailing: isFailing)
        #expect(log.current == ["1, failed: \(isFailing)"])
    }

    @Test(
        "records an issue for an instance that cannot be closed, and continues", arguments: ClosingForm.allCases,
        [false, true])
    func issue(_ form: ClosingForm, isFailing: Bool) async throws {
        let log = Locked<[String]>([])
        let issues = Issues()
        try await Issues.$current.withValue(issues) {
            try await form.run(in: makeContainer(log, failsToClose: true), isFailing: isFailing)
        }
        #expect(issues.lines == [handlerLine])
        #expect(issues.texts.first?.contains("completed with 1 failure.") == true)
        #expect(log.current == ["1, failed: \(isFailing)"])
    }

    @Test("closes the instances that the test has built, but not those of the base")
    func closes() async throws {
        let log = Locked<[String]>([])
        let base = makeContainer(log)
        _ = try base.resolve.orThrow(Clock.self)
        let stored = Locked<DIContainer?>(nil)
        let trait = DependencyTrait.dependencies(from: base) {
            Shared(Clock(name: "2"))
                .onClose { clock in log.withLock { $0.append("\(clock.name), own") } }
        }
        try await trait.run {
            #expect(DIContainer.resolve(Clock.self).name == "2")
            stored.withLock { $0 = DIContainer.current }
            #expect(log.current.isEmpty)
        }
        #expect(log.current == ["2, own"])
        let container = try #require(stored.current)
        // A request by a task that outlives the test succeeds, and caches nothing.
        #expect(try container.resolve.orThrow(Clock.self).name == "2")
        #expect(log.current == ["2, own"])
        #expect(try base.resolve.orThrow(Clock.self).name == "1")
        try await base.close()
        #expect(log.current.last == "1, failed: false")
    }

    @Test("leaves a container that can still be prepared")
    func preparing() async throws {
        let stored = Locked<DIContainer?>(nil)
        let trait = DependencyTrait.dependencies(.empty) {
            Shared { () throws -> Int in throw Sabotage() }
            Shared { () throws -> String in throw Sabotage() }
        }
        try await trait.run { stored.withLock { $0 = DIContainer.current } }
        let container = try #require(stored.current)
        // A closing container would end the preparation at the first failure.
        let error = await #expect(throws: PreparationError.self) { try await container.prepare(.all) }
        #expect(error?.failures.count == 2)
    }

    @Test(
        "doesn't close an instance that the test didn't build",
        .dependencies(.empty) { Shared(Clock(name: "1")).onClose { _ in throw Sabotage() } })
    func notBuilt() { #expect(DIContainer.current.isRegistered(Clock.self)) }

    @Test("doesn't close a container of a synchronous `withDependencies`, but releases it")
    func synchronousForm() {
        let log = Locked<[String]>([])
        withDependencies(.container(makeContainer(log))) {
        } in: {
            #expect(DIContainer.resolve(Clock.self).name == "1")
        }
        #expect(log.current.isEmpty)
    }
}
