import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

enum Inks { struct Pen: Sendable {} }
enum Quills { struct Pen: Sendable {} }
/// A type with the same name as one of the fixtures.
private struct Detail: Sendable {}

private let pens = DIContainer {
    Shared(Inks.Pen())
    Shared { resolve in
        _ = resolve(Inks.Pen.self)
        return Quills.Pen()
    }
}

// Not private, because release builds drop unused private types.
struct Desk {
    @LazyInject var first: Inks.Pen
    @LazyInject var second: Quills.Pen
    @LazyInject var make: Provider<Inks.Pen, Quills.Pen>
    @LazyInject fileprivate var makeDetail: Provider<Detail, InjectionFixtures.Detail>
}

@Suite("Types with the same name in the issues of tests", .collectsExpectedIssues)
struct SameNameTests {
    @Test(
        "A strict test records an issue for each type, even if one line requests both",
        .dependencies(.strict(from: pens)))
    func strict() {
        let line = #line + 1
        let issues = issues { _ = (DIContainer.resolve(Inks.Pen.self), DIContainer.resolve(Quills.Pen.self)) }
        #expect(issues.lines.filter { $0 == line }.count == 2)
    }

    @Test("The audit distinguishes types with the same name in its list and in an issue")
    func audit() {
        let issues = Issues()
        issues.collect {
            let audit = expectEveryInjectionIsRegistered(
                in: DIContainer(), modules: ["DependencyInjectionTestingTests"]
            ) {
                $0.owner == "\(Desk.self)"
            }
            let path = "DependencyInjectionTestingTests.Desk"
            #expect(audit.properties.first?.description == "\(path).first: @LazyInject Inks.Pen (not registered)")
            #expect(
                audit.description == """
                    \(path).first: @LazyInject Inks.Pen (not registered)
                    \(path).make: @LazyInject Provider<Inks.Pen, Quills.Pen> (not registered)
                    \(path).makeDetail: @LazyInject Provider<Detail, Detail> (not registered)
                    \(path).second: @LazyInject Quills.Pen (not registered)
                    """)
        }
        #expect(issues.texts.count == 4)
        #expect(
            issues.texts.first?.hasPrefix("Nothing is registered for Inks.Pen, which `@LazyInject var first`") == true)
        #expect(
            issues.texts.contains {
                $0.contains(
                    "register Inks.Pen with a factory that takes (Quills.Pen)")
            })
        let makeDetail = " with a factory that takes (InjectionFixtures.Detail)"
        #expect(issues.texts.contains { $0.contains(makeDetail) })
    }
}
