import DependencyInjection
import DependencyInjectionTesting
import Testing

@Suite("Expecting that a type resolves", .collectsExpectedIssues)
struct ExpectResolvesTests {
    @Test("It returns the instance")
    func resolves() {
        let container = DIContainer {
            Shared(Lamp(isOn: true))
            New(name: "named") { _, name in Clock(name: name) }
        }
        #expect(expectResolves(Lamp.self, in: container)?.isOn == true)
        #expect(expectResolves(Clock.self, name: "named", arguments: "a", in: container)?.name == "a")
        #expect(expectResolves(Clock.self, name: "named", arguments: { "b" }, in: container)?.name == "b")
        let several = expectResolves(
            Clock.self, name: "named",
            arguments: {
                let name = "d"
                return name
            }, in: container)
        #expect(several?.name == "d")
        #expect(expectResolves(Clock?.self, in: container) != nil)
    }

    @Test(
        "It resolves from the current container if none is given",
        .dependencies(.empty) { New { _, name in Clock(name: name) } })
    func current() {
        #expect(expectResolves(Clock.self) { "c" }?.name == "c")
    }

    @Test("It records the error at its call")
    func fails() {
        let container = DIContainer { New(autowiring: Alarm.init) }
        let line = #line + 2
        let issues = Issues {
            #expect(expectResolves(Lamp.self, in: container) == nil)
            expectResolves(Alarm.self, in: container)
            expectResolves(Clock.self, arguments: { "a" }, in: container)
        }
        #expect(issues.lines == [line, line + 1, line + 2])
        #expect(
            issues.texts.first?.hasPrefix("Nothing is registered for Lamp.\n  requested at \(#fileID):\(line)") == true)
        #expect(issues.texts[1].hasPrefix("Nothing is registered for Clock."))
        #expect(issues.texts[1].contains("\n  path:\n    requested at \(#fileID):"))
        #expect(issues.texts[1].contains("\n    Alarm  (registered at "))
        #expect(
            issues.texts[2].hasPrefix("Nothing is registered for Clock.\n  requested at \(#fileID):\(line + 2)"))
    }

    @Test("The test's overrides also apply in tests that a factory begins", .dependencies { Shared(Lamp(isOn: true)) })
    func enclosingOverrides() {
        let container = DIContainer.current.makeChild {
            New { _ in
                withDependencies(.strict) {
                } in: {
                    Alarm(clock: Clock(name: "\(DIContainer.resolve(Lamp.self).isOn)"))
                }
            }
        }
        #expect(Issues { expectResolves(Alarm.self, in: container) }.texts.isEmpty)
    }
}

@Suite("Expecting that a container is valid", .collectsExpectedIssues)
struct ExpectValidTests {
    @Test("It records nothing if there are no findings")
    func valid() {
        let container = DIContainer {
            New(Clock(name: "a"))
            New(autowiring: Alarm.init)
        }
        #expect(expectValid(container).isEmpty)
    }

    @Test("It records each finding or warning at the place of the registration")
    func findings() {
        let line: UInt = #line + 2
        let container = DIContainer {
            New(autowiring: Alarm.init)
            Shared { _ in Lamp(isOn: true) as Lamp? }
        }
        let issues = Issues { #expect(expectValid(container).count == 2) }
        #expect(Set(issues.lines) == [Int(line), Int(line) + 1])
        #expect(issues.files.allSatisfy { $0 == #fileID })
        #expect(issues.texts.contains { $0.contains("Clock") })
    }

    @Test("It ignores allowed findings, and records a finding about another type")
    func allowedOneByOne() {
        let container = DIContainer {
            Shared { _ in Lamp(isOn: true) as Lamp? }
            Shared { _ in Clock(name: "a") as Clock? }
        }
        let issues = Issues {
            expectValid(container, allowing: [.optionalRegistration(Lamp?.self), .similarName(Clock.self, name: "b")])
        }
        #expect(issues.texts.count == 1 && issues.texts[0].contains("Clock"))
        expectValid(container, allowing: [.optionalRegistration])
        expectValid(container, allowing: [.optionalRegistration(Lamp?.self), .optionalRegistration(Clock?.self)])
    }
}

extension ExitTests {
    @Test("expectValid also records a finding in a file without a module", .collectsExpectedIssues)
    static func fileWithoutModule() async {
        let issues = Issues()
        await Issues.$current.withValue(issues) {
            await #expect(processExitsWith: .success) {
                expectValid(DIContainer { Shared({ _ in Lamp(isOn: true) as Lamp? }, file: "File.swift", line: 0) })
            }
        }
        #expect(issues.files == ["Unknown/File.swift"] && issues.lines == [1])
    }

    @Test("expectValid reports the number of unchecked registrations")
    static func expectValidCounts() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            expectValid(
                DIContainer {
                    New { _, number in [number] as [Int] }
                    Shared("text")
                })
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("of 2 registrations "))
    }
}
