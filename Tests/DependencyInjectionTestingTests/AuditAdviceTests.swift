import DependencyInjection
import DependencyInjectionTesting
import InjectionFixtures
import Testing

// Not private, because release builds drop unused private types.
struct Ferry {
    @LazyInject var makeDetail: Provider<Detail, Int>
    @LazyInject var dock: any Docking
}
struct MendedFerry { @LazyInject var makeDetail: Provider<Detail> }
protocol Docking: Sendable {}
struct Dock: Docking {}

@Suite("Rule 18: the advice of the audit and of strict tests", .collectsExpectedIssues)
struct AuditAdviceTests {
    private let modules: Set = ["DependencyInjectionTestingTests"]

    private func texts(of owner: String, in container: DIContainer) -> [String] {
        let issues = Issues()
        issues.collect { expectEveryInjectionIsRegistered(in: container, modules: modules) { $0.owner == owner } }
        return issues.texts
    }

    @Test("A type that is registered as the audit advises is no longer missing")
    func missing() {
        let texts = texts(of: "Ferry", in: DIContainer())
        #expect(
            texts == [
                """
                Nothing is registered for any Docking, which `@LazyInject var dock` of \
                DependencyInjectionTestingTests.Ferry needs.
                  fix: register any Docking
                   or: allow it: `allowing: ["DependencyInjectionTestingTests.Ferry.dock"]`
                """,
                """
                Nothing is registered for Detail, which `@LazyInject var makeDetail` of \
                DependencyInjectionTestingTests.Ferry needs.
                  fix: register Detail with a factory that takes (Int)
                   or: allow it: `allowing: ["DependencyInjectionTestingTests.Ferry.makeDetail"]`
                """,
            ])
        let container = DIContainer {
            Shared(Dock() as any Docking)
            New { (_, _: Int) in Detail() as Detail }
        }
        expectEveryInjectionIsRegistered(in: container, modules: modules) { $0.owner == "Ferry" }
        expectEveryInjectionIsRegistered(
            in: DIContainer(), modules: modules,
            allowing: [
                "DependencyInjectionTestingTests.Ferry.dock", "DependencyInjectionTestingTests.Ferry.makeDetail",
            ]
        ) { $0.owner == "Ferry" }
    }

    @Test("A property with the provider that the audit writes supplies the right arguments")
    func argumentMismatch() {
        let container = DIContainer {
            Shared(Dock() as any Docking)
            New(Detail())
        }
        #expect(
            texts(of: "Ferry", in: container) == [
                """
                The factory of Detail takes (), but `@LazyInject var makeDetail` of \
                DependencyInjectionTestingTests.Ferry supplies (Int).
                  fix: change the type of the property to `Provider<Detail>`
                   or: allow it: `allowing: ["DependencyInjectionTestingTests.Ferry.makeDetail"]`
                """
            ])
        expectEveryInjectionIsRegistered(in: container, modules: modules) { $0.owner == "MendedFerry" }
    }

    private static let app = DIContainer { Shared(Dock() as any Docking) }

    /// The issues that a strict test records when it resolves a dock.
    private func strictTexts(
        testing base: DependencyBase, @RegistrationBuilder _ overrides: () -> [Registration]
    ) -> [String] {
        var texts: [String] = []
        withDependencies(
            base, overrides, in: { texts = issues { _ = DIContainer.resolve((any Docking).self) }.texts })
        return texts
    }

    @Test("A strict test that follows either alternative records nothing")
    func strict() {
        let texts = strictTexts(testing: .strict(from: Self.app)) { Shared(Detail()) }
        #expect(
            texts.first?.hasSuffix(
                """
                \n  fix: register a fake of any Docking in the overrides of the test
                   or: declare that the test uses the real registration: `.strict(testing: (any Docking).self)`
                """) == true)
        #expect(strictTexts(testing: .strict(from: Self.app)) { Shared(Dock() as any Docking) }.isEmpty)
        let real = strictTexts(testing: .strict(from: Self.app, testing: (any Docking).self)) { Shared(Detail()) }
        #expect(real.isEmpty)
    }
}
