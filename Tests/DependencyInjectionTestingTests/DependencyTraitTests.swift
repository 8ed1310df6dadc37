import DependencyInjection
import DependencyInjectionTesting
import Testing

private let production = DIContainer {
    Shared(Clock(name: "production"))
    Shared { resolve in Alarm(clock: resolve()) }
    Shared(Lamp(isOn: false))
}

@Suite(
    "The dependency trait", .dependencies(from: production) { Shared(Clock(name: "suite")) })
struct DependencyTraitTests {
    @Inject var clock: Clock
    @LazyInject var alarm: Alarm

    @Test("A suite's overrides apply to its tests, and other types use the container")
    func suite() throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self).name == "suite")
        #expect(try !DIContainer.resolve.orThrow(Lamp.self).isOn)
    }

    @Test("Stored properties of the suite are resolved in the container of the test")
    func storedProperties() {
        #expect(clock.name == "suite")
        #expect(alarm.clock === clock)
    }

    @Test("A Shared instance is rebuilt with the overrides")
    func builtAnew() throws {
        #expect(try production.resolve.orThrow(Alarm.self).clock.name == "production")
        #expect(try DIContainer.resolve.orThrow(Alarm.self).clock.name == "suite")
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

    @Test("The trait's builder accepts names, loops and conditions", .dependencies { many })
    func builder() throws {
        #expect(try DIContainer.resolve.orThrow.all(Clock.self).map(\.name) == ["suite", "a", "b"])
    }
}

private var many: [Registration] {
    @RegistrationBuilder func list() -> [Registration] {
        for name in ["a", "b"] { Shared(Clock(name: name), name: RegistrationName(name)) }
        if CommandLine.arguments.isEmpty { Shared(Lamp(isOn: true)) }
    }
    return list()
}

@Suite(
    "The default container and the trait", .dependencies { Shared(Clock(name: "of the test"), name: "default") })
struct DefaultContainerTests {
    @Test("The trait starts from the default container and leaves it as it is")
    func untouched() throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self, name: "default").name == "of the test")
        #expect(!DIContainer.shared.isRegistered(Clock.self, name: "default"))
        DIContainer.register(Shared(Clock(name: "by the test"), name: "default"))
        #expect(try DIContainer.resolve.orThrow(Clock.self, name: "default").name == "by the test")
        #expect(!DIContainer.shared.isRegistered(Clock.self, name: "default"))
    }
}
