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
        DIContainer.withContainer(container) {
            #expect(expectResolves(Clock.self, name: "named") { "c" }?.name == "c")
        }
        let several = expectResolves(
            Clock.self, name: "named",
            arguments: {
                let name = "d"
                return name
            }, in: container)
        #expect(several?.name == "d")
        #expect(expectResolves(Clock?.self, in: container) != nil)
    }

    @Test("It resolves from the current container if none is given", .dependencies(.empty) { Shared(Lamp(isOn: true)) })
    func current() {
        expectResolves(Lamp.self)
    }

    @Test("It records the error at its call")
    func fails() {
        let container = DIContainer { New(autowiring: Alarm.init) }
        let issues = Issues()
        let line = #line + 2
        issues.collect {
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
        #expect(issues { expectResolves(Alarm.self, in: container) }.texts.isEmpty)
    }
}
