import DependencyInjection
import DependencyInjectionTesting
import Testing

private struct Report: Sendable { let alarm: Alarm }
private final class Cache: Sendable {}

private let registeredAt: UInt = #line + 2
private let production = DIContainer {
    Shared(Clock(name: "real"))
    Shared(autowiring: Alarm.init, as: (any Named).self)
    New(autowiring: Report.init)
    Scoped(Cache())
    New { _, isOn in Lamp(isOn: isOn) }
    Shared(Lamp(isOn: true), name: "named")
    Graph(autowiring: Alarm.init, name: "graph")
    Weak(Clock(name: "weak"), name: "weak")
    Shared(mainActor: Window())
    Shared(
        async: { _ in
            await Task.yield()
            return Clock(name: "asynchronous")
        }, name: "asynchronous")
}
private let decorated = DIContainer {
    Shared(Alarm(clock: Clock(name: "real")), as: (any Named).self)
    Decorate((any Named).self) { base, _ in base }
}

private let clock = Module { Shared(Clock(name: "registered in a module")) }
private let replaced = DIContainer {
    Shared(Clock(name: "real"))
    New(Clock(name: "fake"))
}

@Suite(
    "Strict tests", .collectsExpectedIssues,
    .dependencies(.strict(from: production)) { Shared(Clock(name: "fake")) })
struct StrictTests {
    @Test("A type without an override resolves, and records an issue at the request")
    func notOverridden() {
        let line = #line + 2
        let issues = Issues {
            let alarm = DIContainer.resolve(Alarm.self)
            #expect(alarm.clock.name == "fake")
        }
        #expect(issues.lines == [line])
        #expect(issues.files == [#fileID])
        let text = """
            The test does not override Alarm, so the request resolved the real registration.
              registered at \(#fileID):\(registeredAt + 1)
              requested at \(#fileID):\(line)
              fix: register a fake of Alarm in the overrides of the test
               or: declare that the test uses the real registration: `.strict(testing: Alarm.self)`
            """
        #expect(issues.texts == [text])
    }

    @Test("An alias of an overridden type records no issue, decorated or not", arguments: [production, decorated])
    func aliasOfOverridden(_ container: DIContainer) {
        withDependencies(.strict(from: container)) {
            Shared(Alarm(clock: Clock(name: "fake")))
        } in: {
            #expect(Issues { _ = DIContainer.resolve((any Named).self) }.texts.isEmpty)
        }
    }

    @Test("The issue shows the path to the request")
    func path() throws {
        let line = #line + 1
        let issues = Issues { _ = DIContainer.resolve(Report.self) }
        #expect(issues.lines == [line, Int(registeredAt) + 2])
        let text = try #require(issues.texts.last)
        let path =
            "\n  path:\n    Report  (registered at \(#fileID):\(registeredAt + 2))\n    → Alarm\n  fix: "
        #expect(text.hasPrefix("The test does not override Alarm, so the request resolved the real registration."))
        #expect(text.contains(path))
    }

    @Test("Every place of a request is recorded once, even if the instance is built")
    func everyPlace() {
        let line = #line + 2
        let issues = Issues {
            for _ in 0..<3 { _ = DIContainer.resolve(Alarm.self) }
            _ = DIContainer.resolve(Alarm.self)
        }
        #expect(issues.lines == [line, line + 1])
    }

    @Test("Builds by validation aren't recorded as requests of the test")
    func validation() async throws {
        // An issue would fail this test.
        try await DIContainer.current.validate(.building(within: .seconds(240)) { _ in [true] })
    }

    @Test("Requests of every form for every lifetime are recorded")
    @MainActor func forms() {
        let requests: KeyValuePairs<String, (issues: Int, isResolved: @MainActor () -> Bool)> = [
            "New": (1, { DIContainer.resolve(Lamp.self, arguments: true).isOn }),
            "named": (1, { DIContainer.resolve(Lamp.self, name: "named").isOn }),
            "Scoped": (1, { DIContainer.resolve(Cache.self) === DIContainer.resolve(Cache.self) }),
            "Optional": (1, { DIContainer.resolve(Cache?.self) != nil }),
            "overridden": (0, { DIContainer.resolve(Clock.self).name == "fake" }),
            "overridden Optional": (0, { DIContainer.resolve(Clock?.self)?.name == "fake" }),
            "missing": (0, { DIContainer.resolve(Int?.self) == nil }),
            "all": (1, { DIContainer.resolve.all(Cache.self).count == 1 }),
            "orThrow": (1, { (try? DIContainer.resolve.orThrow(Alarm.self)) != nil }),
            "Weak": (
                2,
                {
                    let clock = DIContainer.resolve(Clock.self, name: "weak")
                    return DIContainer.resolve(Clock.self, name: "weak") === clock
                }
            ),
            "Graph": (1, { DIContainer.resolve(Alarm.self, name: "graph").clock.name == "fake" }),
            "main actor": (1, { (0..<2).allSatisfy { _ in DIContainer.resolve(Window?.self) != nil } }),
            "alias": (1, { (0..<2).allSatisfy { _ in DIContainer.resolve((any Named).self) is Alarm } }),
        ]
        for (row, request) in requests {
            let issues = Issues { #expect(request.isResolved(), "\(row)") }
            #expect(issues.texts.count == request.issues, "\(row)")
        }
    }

    @Test("The issue names the registration, with its name")
    func named() {
        let text = Issues { _ = DIContainer.resolve(Lamp.self, name: "named") }.texts.first
        #expect(text?.contains("register a fake of Lamp named \"named\" in the overrides of the test\n") == true)
    }

    @Test("Requests by wrappers, providers and other tasks are recorded")
    func wrappers() async {
        let found = Issues()
        await Issues.$current.withValue(found) {
            let (clock, alarm, makeLamp) = (Inject<Clock>(), LazyInject<Alarm>(), Inject<Provider<Lamp, Bool>>())
            #expect(clock.wrappedValue.name == "fake")
            #expect(found.texts.isEmpty)
            #expect(alarm.wrappedValue.clock.name == "fake")
            _ = alarm.wrappedValue
            #expect(found.texts.count == 1)
            let isOn = await Task { makeLamp.wrappedValue(true).isOn }.value
            #expect(isOn)
            #expect(found.texts.count == 2)
            async let isOff = !DIContainer.resolve(Lamp.self, arguments: false).isOn
            #expect(await isOff)
            #expect(found.texts.count == 3)
        }
    }

    @Test("A request for an asynchronous factory records one issue")
    func asynchronous() async throws {
        let found = Issues()
        try await Issues.$current.withValue(found) {
            let clock = try await DIContainer.resolve.async(Clock.self, name: "asynchronous")
            #expect(found.texts.count == 1)
            #expect(DIContainer.resolve(Clock.self, name: "asynchronous") === clock)
            #expect(found.texts.count == 2)
        }
    }

    @Test("Many concurrent tasks get one instance, and record one issue for each place")
    func tasks() async {
        let found = Issues()
        await Issues.$current.withValue(found) {
            let alarms = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { ObjectIdentifier(DIContainer.resolve(Alarm.self)) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(alarms.count == 1)
        }
        #expect(found.texts.count == 1)
    }

    @Test("The fork of a grandchild is strict except for the child's registrations")
    func childFork() {
        let child = DIContainer.current.makeChild().makeChild { Shared(2) }
        let issues = Issues {
            DIContainer.withContainer(child) {
                DIContainer.withOverrides({ Shared("text") }) {
                    _ = DIContainer.resolve(Alarm.self)
                    #expect(DIContainer.resolve(Int.self) == 2 && DIContainer.resolve(String.self) == "text")
                }
            }
        }
        #expect(issues.texts.count == 1)
    }

    @Test("The test's own registrations record no issue, and its fork is strict")
    func registered() throws {
        DIContainer.register(Shared(2))
        #expect(try DIContainer.resolve.orThrow(Int.self) == 2)
        let issues = Issues {
            DIContainer.withOverrides({ Shared(3) }) {
                #expect(DIContainer.resolve(Int.self) == 3)
                #expect(DIContainer.resolve(Clock.self).name == "fake")
                _ = DIContainer.resolve(Cache.self)
            }
        }
        #expect(issues.texts.count == 1)
    }

    @Test(
        "The overrides of enclosing scopes apply, including decorators",
        .dependencies {
            Shared(Alarm(clock: Clock(name: "fake")))
            Decorate(Lamp.self, name: "named") { lamp, _ in Lamp(isOn: !lamp.isOn) }
        }, .dependencies(.strict))
    func enclosing() throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self).name == "fake")
        #expect(try DIContainer.resolve.orThrow((any Named).self) is Alarm)
        #expect(try !DIContainer.resolve.orThrow(Lamp.self, name: "named").isOn)
        #expect(Issues { _ = DIContainer.resolve(Cache.self) }.texts.count == 1)
    }

    @Test("A new container is not strict", .dependencies(from: production))
    func notStrict() throws {
        #expect(try DIContainer.resolve.orThrow(Alarm.self).clock.name == "real")
    }

    @Test("Requests in the base container aren't recorded")
    func original() throws {
        #expect(Issues { _ = DIContainer.resolve(Alarm.self) }.texts.count == 1)
        #expect(try production.resolve.orThrow(Alarm.self).clock.name == "real")
        let child = production.makeChild { Shared(Clock(name: "fake")) }
        #expect(try child.resolve.orThrow(Cache.self) !== production.resolve.orThrow(Cache.self))
    }

    @Test("A strict container records replaced registrations", .dependencies(.strict(from: replaced)))
    func validation() throws {
        #expect(try DIContainer.current.validate().map(\.kind) == [.replaced])
    }

    @Test("The inner one of two strict traits applies", .dependencies(.strict) { Shared(Cache()) })
    func twice() throws {
        #expect(try DIContainer.resolve.orThrow(Clock.self).name == "fake")
        #expect(try DIContainer.resolve.orThrow(Cache.self) === DIContainer.resolve.orThrow(Cache.self))
        #expect(Issues { _ = DIContainer.resolve(Alarm.self) }.texts.count == 1)
    }

    @Test(
        "A suite's override in another container doesn't apply", .dependencies { clock },
        .dependencies(.strict(from: DIContainer { clock })))
    func overriddenInAnotherContainer() {
        #expect(Issues { _ = DIContainer.resolve(Clock.self) }.texts.count == 1)
    }
}

// MARK: Children and decorators

private let framing = Module { Decorate(Clock.self) { _, _ in Clock(name: "fake") } }
private let child = DIContainer { Shared(Clock(name: "real")) }.makeChild { framing }
private let expecting = DIContainer { ProvidedByChild(Cache.self) }

@Suite("Strict tests of children and decorators", .collectsExpectedIssues)
struct StrictTreeTests {
    @Test("Decorators that a child had before the test are included", .dependencies(.strict(from: child)))
    func decoratedInChild() {
        let issues = Issues { #expect(DIContainer.resolve(Clock.self).name == "fake") }
        #expect(issues.texts.count == 1)
    }

    @Test(
        "A request for a decorated alias is recorded, even if it is already built",
        .dependencies(.strict(from: decorated)))
    func decoratedAlias() {
        let issues = Issues {
            _ = DIContainer.resolve((any Named).self)
            _ = DIContainer.resolve((any Named).self)
        }
        #expect(issues.texts.count == 2)
    }

    @Test(
        "A child of the test records each request, even for built instances",
        .dependencies(.strict(from: production)))
    func childOfTest() {
        let child = DIContainer.current.makeChild()
        let requests: KeyValuePairs<String, (UInt) -> Void> = [
            "Scoped": { line in _ = child.resolve(Cache.self, line: line) },
            "New": { line in _ = child.resolve(Lamp.self, arguments: true, line: line) },
            "Shared": { line in _ = child.resolve(Clock.self, line: line) },
        ]
        for (row, request) in requests {
            let issues = Issues {
                request(1)
                request(2)
            }
            #expect(issues.texts.count == 2, "\(row)")
        }
    }

    @Test("Rule 22: a type provided by a child of the test is ignored", .dependencies(.strict(from: expecting)))
    func providedByChild() throws {
        let container = DIContainer.current
        let issues = Issues {
            _ = container.makeChild { Shared(Cache()) }.resolve(Cache.self)
            #expect(container.resolve(Cache?.self) == nil)
        }
        #expect(issues.texts.isEmpty)
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Cache.self) }
        #expect(error?.description.contains("which a child has to register.") == true)
    }
}

// MARK: Tested types

private let tested = DIContainer {
    Shared(Clock(name: "real"))
    New(autowiring: Alarm.init, as: (any Named).self)
    New(autowiring: Alarm.init, name: "large")
    Decorate(Alarm.self, name: "large") { base, _ in base }
}

@Suite("Strict tests that name the tested types", .collectsExpectedIssues)
struct StrictTestingTests {
    @Test(
        "The tested type is exempt by any name and alias, unlike its dependencies",
        .dependencies(.strict(from: tested, testing: Alarm.self)))
    func exempt() {
        let texts = Issues {
            _ = DIContainer.resolve(Alarm.self)
            _ = DIContainer.resolve(Alarm.self, name: "large")
            _ = DIContainer.resolve((any Named).self)
        }.texts
        #expect(!texts.isEmpty)
        #expect(texts.allSatisfy { $0.hasPrefix("The test does not override Clock") })
    }

    @Test(
        "A tested alias also exempts its target",
        .dependencies(.strict(from: tested, testing: (any Named).self, Clock.self)))
    func alias() throws {
        // An issue would fail this test.
        _ = try DIContainer.resolve.orThrow((any Named).self)
    }

    @Test("Tested types can be named without a base container")
    func current() {
        DIContainer.withContainer(tested) {
            withDependencies(.strict(testing: Alarm.self, Clock.self)) {
            } in: {
                _ = DIContainer.resolve(Alarm.self)
            }
        }
    }

    @Test("A test that follows either advice of the issue records nothing")
    func advice() throws {
        let archives = DIContainer { Shared(Alarm(clock: Clock(name: "real")) as any Named) }
        let issues = withDependencies(.strict(from: archives)) {
        } in: {
            Issues { _ = DIContainer.resolve((any Named).self) }
        }
        #expect(
            issues.texts.first?.hasSuffix(
                """
                \n  fix: register a fake of any Named in the overrides of the test
                   or: declare that the test uses the real registration: `.strict(testing: (any Named).self)`
                """) == true)
        // An issue would fail this test.
        withDependencies(.strict(from: archives)) {
            Shared(Alarm(clock: Clock(name: "fake")) as any Named)
        } in: {
            _ = DIContainer.resolve((any Named).self)
        }
        withDependencies(.strict(from: archives, testing: (any Named).self)) {
        } in: {
            _ = DIContainer.resolve((any Named).self)
        }
    }
}

// MARK: Types with the same name

private let pens = DIContainer {
    Shared(Inks.Pen())
    Shared { resolve in
        _ = resolve(Inks.Pen.self)
        return Quills.Pen()
    }
}

extension StrictTests {
    @Test(
        "A strict test records an issue for each type with the same name, even if one line requests both",
        .dependencies(.strict(from: pens)))
    func sameNames() {
        let line = #line + 1
        let issues = Issues { _ = (DIContainer.resolve(Inks.Pen.self), DIContainer.resolve(Quills.Pen.self)) }
        #expect(issues.lines.filter { $0 == line }.count == 2)
    }
}
