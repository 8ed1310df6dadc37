import DependencyInjection
import DependencyInjectionTesting
import Testing

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
        let issues = Issues()
        var found = 0
        issues.collect {
            found = expectValid(container).count
        }
        #expect(found == 2)
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
        let issues = Issues()
        issues.collect {
            expectValid(container, allowing: [.optionalRegistration(Lamp?.self), .similarName(Clock.self, name: "b")])
        }
        #expect(issues.texts.count == 1 && issues.texts[0].contains("Clock"))
        expectValid(container, allowing: [.optionalRegistration])
        expectValid(container, allowing: [.optionalRegistration(Lamp?.self), .optionalRegistration(Clock?.self)])
    }
}

extension ExitTests {
    @Suite("Expecting that a container is valid, in another process", .collectsExpectedIssues)
    struct ExpectValidExitTests {}
}

extension ExitTests.ExpectValidExitTests {
    @Test("It also records a finding in a file without a module")
    func fileWithoutModule() async {
        let issues = Issues()
        await issues.collect {
            await #expect(processExitsWith: .success) {
                expectValid(DIContainer { Shared({ _ in Lamp(isOn: true) as Lamp? }, file: "File.swift", line: 0) })
            }
        }
        #expect(issues.files == ["Unknown/File.swift"] && issues.lines == [1])
    }

    @Test("It reports the number of unchecked registrations")
    func expectValidCounts() async {
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
