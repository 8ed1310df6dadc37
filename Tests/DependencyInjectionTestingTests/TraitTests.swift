import DependencyInjection
import DependencyInjectionTesting
import Synchronization
import Testing

private let production = DIContainer {
    Shared(Clock(name: "production"))
    Shared(autowiring: Alarm.init)
    Shared(Lamp(isOn: false))
}

@Suite("The dependency trait", .dependencies(from: production) { Shared(Clock(name: "suite")) })
struct DependencyTraitTests {
    @Inject var clock: Clock
    @LazyInject var alarm: Alarm

    @Test("A suite's overrides apply to its tests and its stored properties, and other types use the container")
    func suite() throws {
        #expect(clock.name == "suite")
        #expect(try DIContainer.resolve.orThrow(Clock.self) === clock)
        #expect(try !DIContainer.resolve.orThrow(Lamp.self).isOn)
    }

    @Test("A Shared instance is rebuilt with the overrides")
    func rebuilt() throws {
        #expect(try production.resolve.orThrow(Alarm.self).clock.name == "production")
        #expect(try DIContainer.resolve.orThrow(Alarm.self) === alarm)
        #expect(alarm.clock === clock)
    }

    @Test("The test's overrides replace those of the suite", .dependencies { Shared(Clock(name: "test")) })
    func innerWins() async throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self).name == "test")
        #expect(clock.name == "test")
        #expect(try !DIContainer.resolve.orThrow(Lamp.self).isOn)
    }

    @Test(
        "The last of two traits on one test applies", .dependencies { Shared(Clock(name: "first")) },
        .dependencies { Shared(Clock(name: "second")) })
    func lastWins() {
        #expect(clock.name == "second")
    }

    @Test("A trait without overrides changes nothing, with or without parentheses", .dependencies(), .dependencies)
    func nothingOverridden() {
        #expect(clock.name == "suite")
    }

    @Suite("In a nested suite", .dependencies { Shared(Lamp(isOn: true)) })
    struct Nested {
        @Test("The overrides of all enclosing suites apply")
        func nested() throws {
            #expect(try DIContainer.resolve.orThrow(Clock.self).name == "suite")
            #expect(try DIContainer.resolve.orThrow(Lamp.self).isOn)
        }

        @Test("The suites' overrides don't apply in another container", .dependencies(from: production))
        func another() throws {
            #expect(try DIContainer.resolve.orThrow(Clock.self).name == "production")
            #expect(try !DIContainer.resolve.orThrow(Lamp.self).isOn)
        }

        @Test(
            "An empty container has the overrides and nothing else", .dependencies(.empty) { Shared(Lamp(isOn: true)) })
        func empty() async throws {
            await Task { #expect(DIContainer.resolve(Lamp.self).isOn) }.value
            #expect(try DIContainer.resolve.orThrow(Alarm?.self) == nil)
        }
    }

    @Suite("Without overrides")
    struct NestedWithoutTrait {
        @Inject(from: production) var given: Clock

        @Test("An inner suite without the trait inherits that of the outer suite")
        func inherited() throws {
            #expect(try DIContainer.resolve.orThrow(Clock.self).name == "suite")
            #expect(given.name == "production")
        }
    }

    @MainActor
    @Test("The trait registers main-actor types", .dependencies { Shared(mainActor: Window()) })
    func mainActor() throws {
        let window = try DIContainer.resolve.orThrow(Window.self)
        #expect(try window === DIContainer.resolve.orThrow(Window.self))
    }
}

// MARK: Prepared suites

private let asynchronous = DIContainer {
    Shared(async: { _ -> Clock in
        await Task.yield()
        return Clock(name: "production")
    })
}

/// The number of builds of the clock in copies of `counted`.
private let builds = Locked(0)
private let counted = DIContainer {
    Shared(async: { _ -> Clock in
        builds.withLock { $0 += 1 }
        return Clock(name: "counted")
    })
}

@Suite("A prepared suite", .dependencies(from: asynchronous, prepared: true) { Shared(Lamp(isOn: true)) })
struct PreparedTraitTests {
    @Inject private var clock: Clock

    @Test("Stored properties of asynchronous types are resolved for each case", arguments: [1, 2])
    func storedProperties(_ number: Int) throws {
        #expect(clock.name == "production")
        #expect(try DIContainer.resolve.orThrow(Lamp.self).isOn)
        let error = #expect(throws: ResolutionError.self) { _ = try asynchronous.resolve.orThrow(Clock.self) }
        #expect(error?.reason == .asyncRequired, "The base is prepared.")
    }

    @Test("A test's overrides are prepared", .dependencies { Shared(async: { _ in Clock(name: "override") }) })
    func overridden() throws {
        #expect(clock.name == "override")
        #expect(try DIContainer.resolve.orThrow(Lamp.self).isOn)
    }

    @Test(
        "Of several traits on one test only the last prepares", .dependencies(from: counted, prepared: true),
        .dependencies { Shared(Lamp(isOn: false)) })
    func once() {
        #expect(clock.name == "counted")
        #expect(builds.current == 1)
    }

    @Suite("and suites inside", .dependencies { Shared(Lamp(isOn: false)) })
    struct Nested {
        @Inject private var clock: Clock

        @Test("An inner suite is prepared, too")
        func nested() throws {
            #expect(clock.name == "production")
            #expect(try !DIContainer.resolve.orThrow(Lamp.self).isOn)
        }

        @Test("A test of another container isn't prepared", .dependencies(.container(fork)))
        func another() throws {
            #expect(clock.name == "fork")
            #expect(throws: ResolutionError.self) { _ = try DIContainer.resolve.orThrow(Int.self) }
        }

        private static let fork = asynchronous.fork {
            Shared(Clock(name: "fork"))
            Shared(async: { _ in 1 })
        }
    }
}

@Suite("The container of a test", .collectsExpectedIssues)
struct TestContainerTests {
    @Test(
        "The trait starts from the default container and leaves it as it is",
        .dependencies { Shared(Clock(name: "of the test"), name: "default") })
    func untouched() throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self, name: "default").name == "of the test")
        #expect(!DIContainer.shared.isRegistered(Clock.self, name: "default"))
        DIContainer.register(Shared(Clock(name: "by the test"), name: "default"))
        #expect(try DIContainer.resolve.orThrow(Clock.self, name: "default").name == "by the test")
        #expect(!DIContainer.shared.isRegistered(Clock.self, name: "default"))
    }

    @Test("A failed preparation is the error of the test, which doesn't run and is closed")
    func failure() async throws {
        let closed = Locked(0)
        let line: UInt = #line + 1
        let trait = DependencyTrait.dependencies(.empty, prepared: true) {
            Shared(async: { _ -> Clock in throw Sabotage() })
            Shared(async: { _ in 1 }).onClose { (_: Int, failure: (any Error)?) in
                #expect(failure is PreparationError)
                closed.withLock { $0 += 1 }
            }
        }
        let error = await #expect(throws: PreparationError.self) {
            try await trait.run { Issue.record("The test runs.") }
        }
        #expect(error?.failures.map(\.key) == ["Clock"])
        #expect(error?.failures.first?.line == line && error?.failures.first?.file == #fileID)
        #expect(closed.current == 1)
    }

    @Test("A trait prepares only on request", .dependencies(from: asynchronous))
    func optIn() throws {
        let error = #expect(throws: ResolutionError.self) { _ = try DIContainer.resolve.orThrow(Clock.self) }
        #expect(error?.reason == .asyncRequired)
        #expect(error?.description.hasSuffix("or: request it with `try await resolve.async`") == true)
    }

    @Test("A strict test records the asynchronous registrations that it prepares and doesn't override")
    func strict() async throws {
        let base = asynchronous.fork { Shared(async: { _ in 1 }) }
        let issues = Issues()
        let line = #line + 1
        let trait = DependencyTrait.dependencies(.strict(from: base), prepared: true) {
            Shared(async: { _ in Clock(name: "fake") })
        }
        try await Issues.$current.withValue(issues) {
            try await trait.run { #expect(DIContainer.resolve(Clock.self).name == "fake") }
        }
        #expect(issues.lines == [line])
        let text = "The test does not override Int, so the request resolved the real registration."
        #expect(issues.texts.first?.hasPrefix(text) == true)
    }
}

// MARK: Parallel cases

/// The number of containers that the trait has created.
private let containers = Atomic<Int>(0)
/// The case that resolved each clock, by the name of the clock.
private let named = Locked<[String: Int]>([:])

private let numbered = Module {
    Shared(Clock(name: "\(containers.wrappingAdd(1, ordering: .relaxed).newValue)"))
    Shared(autowiring: Alarm.init)
}

@Suite("500 parallel cases that register different values for one key", .dependencies(.empty) { numbered })
struct ParallelCasesTests {
    @Test("Each case resolves its own value", arguments: 0..<500)
    func isolated(_ index: Int) async throws {
        let mine = Inject<Clock>().wrappedValue
        let all = Inject<All<Clock>>().wrappedValue
        let (later, alarm, makeClock) = (LazyInject<Clock>(), MutableLazyInject<Alarm>(), Provider<Clock>())
        // The registrations of a case are visible in that case only.
        DIContainer.register(Shared(index))
        for round in 0..<3 {
            if round > 0 { await Task.yield() }
            #expect(try DIContainer.resolve.orThrow(Clock.self) === mine, "\(round)")
            #expect(try DIContainer.resolve.orThrow(Int.self) == index, "\(round)")
        }

        async let child = (try DIContainer.resolve.orThrow(Clock.self), try DIContainer.resolve.orThrow(Int.self))
        #expect(try await child.0 === mine)
        #expect(try await child.1 == index)

        await withTaskGroup { group in
            for task in 0..<3 {
                group.addTask {
                    await Task.yield()
                    #expect(DIContainer.resolve(Alarm.self).clock === mine, "task \(task)")
                    #expect(DIContainer.resolve(Int.self) == index, "task \(task)")
                }
            }
        }

        await Task { #expect(DIContainer.resolve(Clock.self) === mine) }.value
        // A detached task has no current test.
        let clocks = await Task.detached { [later.wrappedValue, alarm.wrappedValue.clock, makeClock()] }.value
        #expect(clocks.allSatisfy { $0 === mine })
        #expect(all.count == 1)
        #expect(all.first === mine)

        let other = named.withLock { $0.updateValue(index, forKey: mine.name) }
        #expect(other == nil, "cases \(index) and \(other ?? 0) have one container")
    }
}

extension TestContainerTests {
    @Test("A container is released with its case", arguments: [DependencyBase.current, .empty, .strict])
    func release(_ base: DependencyBase) async throws {
        let clock = Locked<@Sendable () -> Clock?> { nil }
        let trait: DependencyTrait = .dependencies(base) { numbered }
        try await trait.run {
            let alarm = DIContainer.resolve(Alarm.self)
            clock.withLock { $0 = { [weak clock = alarm.clock] in clock } }
            #expect(clock.current() === DIContainer.resolve(Clock.self))
        }
        #expect(clock.current() == nil)
    }
}
