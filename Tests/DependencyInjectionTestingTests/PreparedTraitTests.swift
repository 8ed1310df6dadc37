import DependencyInjection
import DependencyInjectionTesting
import Testing

private struct Store: Sendable {
    let name: String
}
private struct Sabotage: Error {}

private let production = DIContainer {
    Shared(async: { _ -> Store in
        await Task.yield()
        return Store(name: "production")
    })
}

/// The number of builds of the store in copies of `counted`.
private let opened = Locked(0)
private let counted = DIContainer {
    Shared(async: { _ -> Store in
        opened.withLock { $0 += 1 }
        return Store(name: "counted")
    })
}

@Suite(
    "A prepared suite",
    .dependencies(from: production, prepared: true) { Shared(Lamp(isOn: true)) })
struct PreparedTraitTests {
    @Inject private var store: Store

    @Test("Stored properties of asynchronous types are resolved for each case", arguments: [1, 2])
    func storedProperties(_ number: Int) throws {
        #expect(try store.name == "production" && DIContainer.resolve.orThrow(Lamp.self).isOn)
        #expect(isUnprepared(production))
    }

    @Test("A test's overrides are prepared", .dependencies { Shared(async: { _ in Store(name: "override") }) })
    func overridden() throws {
        #expect(try store.name == "override" && DIContainer.resolve.orThrow(Lamp.self).isOn)
    }

    @Test(
        "Of several traits on one test only the last prepares", .dependencies(from: counted, prepared: true),
        .dependencies { Shared(Lamp(isOn: false)) })
    func once() {
        #expect(store.name == "counted" && opened.withLock { $0 } == 1)
    }

    @Suite("and suites inside", .dependencies { Shared(Lamp(isOn: false)) })
    struct Nested {
        @Inject private var store: Store

        @Test("An inner suite is prepared, too")
        func nested() throws {
            #expect(try store.name == "production" && !DIContainer.resolve.orThrow(Lamp.self).isOn)
        }

        @Test("A test of another container isn't prepared", .dependencies(.container(fork)))
        func another() throws {
            #expect(store.name == "fork")
            #expect(throws: ResolutionError.self) { _ = try DIContainer.resolve.orThrow(Int.self) }
        }

        private static let fork = production.fork {
            Shared(Store(name: "fork"))
            Shared(async: { _ in 1 })
        }
    }

    private func isUnprepared(_ container: DIContainer) -> Bool {
        do {
            _ = try container.resolve.orThrow(Store.self)
            return false
        } catch { return error.reason == .asyncRequired }
    }
}

@Suite("Preparing the container of a test", .collectsExpectedIssues)
struct PreparingTests {
    @Test("A failed preparation is the error of the test, which doesn't run and is closed")
    func failure() async throws {
        let closed = Locked(0)
        let line: UInt = #line + 1
        let trait = DependencyTrait.dependencies(.empty, prepared: true) {
            Shared(async: { _ -> Store in throw Sabotage() })
            Shared(async: { _ in 1 }).onClose { (_: Int, failure: (any Error)?) in
                #expect(failure is PreparationError)
                closed.withLock { $0 += 1 }
            }
        }
        let test = try #require(Test.current)
        let error = await #expect(throws: PreparationError.self) {
            try await trait.provideScope(for: test, testCase: nil) { Issue.record("The test runs.") }
        }
        #expect(error?.failures.map(\.key) == ["Store"])
        #expect(error?.failures.first?.line == line && error?.failures.first?.file == #fileID)
        #expect(closed.withLock { $0 } == 1)
    }

    @Test("A trait prepares only on request", .dependencies(from: production))
    func optIn() throws {
        let error = #expect(throws: ResolutionError.self) { _ = try DIContainer.resolve.orThrow(Store.self) }
        #expect(error?.reason == .asyncRequired)
        #expect(error?.description.hasSuffix("or: request it with `try await resolve.async`") == true)
    }

    @Test("A strict test records the asynchronous registrations that it prepares and doesn't override")
    func strict() async throws {
        let base = production.fork { Shared(async: { _ in 1 }) }
        let issues = Issues()
        let test = try #require(Test.current)
        let line = #line + 1
        let trait = DependencyTrait.dependencies(.strict(from: base), prepared: true) {
            Shared(async: { _ in Store(name: "fake") })
        }
        try await issues.collect(where: \.isStrict) {
            try await trait.provideScope(for: test, testCase: nil) {
                #expect(DIContainer.resolve(Store.self).name == "fake")
            }
        }
        #expect(issues.texts.count == 1 && issues.lines == [line])
        #expect(
            issues.texts.first?.hasPrefix(
                "The test does not override Int, so the request resolved the real registration.") == true)
    }
}
