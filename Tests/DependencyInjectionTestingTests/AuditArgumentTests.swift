import DependencyInjection
import DependencyInjectionTesting
import Testing

@Suite("The audit of arguments", .keepsExpectedIssues, .timeLimit(.minutes(5)))
struct AuditArgumentTests {
    struct Product: Sendable {}
    struct Shelf {
        @Inject var byNumber: Provider<Product, Int>
        @Inject var byName: Provider<Product, String>
        @Inject var plain: Product
        @LazyInject var maybe: Provider<Product, Int>?
    }

    private func audit(_ container: DIContainer) -> InjectionAudit {
        InjectionAudit.run(container, modules: ["DependencyInjectionTestingTests"]) { $0.owner.hasSuffix("Shelf") }
    }

    @Test("A property with other arguments than the factory is an argument mismatch")
    func argumentMismatches() throws {
        let audit = audit(DIContainer { New { (_, _: Int) in Product() } })
        #expect(audit.argumentMismatches.map(\.name) == ["byName", "plain"])
        #expect(audit.missing.isEmpty)
        let issues = Issues()
        issues.keep(where: { _ in true }) {
            expectEveryInjectionIsRegistered(
                in: DIContainer { New { (_, _: Int) in Product() } }, modules: ["DependencyInjectionTestingTests"],
                where: { $0.owner.hasSuffix("Shelf") && $0.name == "byName" })
        }
        let text = try #require(issues.texts.first)
        #expect(text.hasPrefix("The factory of "))
        #expect(text.contains("takes (Int), but `@Inject var byName` of ") && text.contains("supplies (String)."))
    }

    @Test("A property may have a name, so that a registration under one counts")
    func named() {
        let audit = audit(
            DIContainer {
                New { (_, _: Int) in Product() }
                New(name: "plain") { Product() }
                New(name: "text") { (_, _: String) in Product() }
            })
        #expect(audit.argumentMismatches.isEmpty)
    }

    @Test("A factory without arguments fits a plain property only")
    func none() {
        let audit = audit(DIContainer { Shared(Product()) })
        #expect(Set(audit.argumentMismatches.map(\.name)) == ["byNumber", "byName", "maybe"])
    }
}
