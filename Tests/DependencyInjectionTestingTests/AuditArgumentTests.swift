import DependencyInjection
import DependencyInjectionTesting
import Testing

@Suite("The audit of arguments")
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

    @Test("A property whose arguments differ from the factory's is an argument mismatch")
    func argumentMismatches() {
        let audit = audit(DIContainer { New { (_, _: Int) in Product() } })
        #expect(audit.argumentMismatches.map(\.name) == ["byName", "plain"])
        #expect(audit.missing.isEmpty)
    }

    @Test("A property matches a registration under any name")
    func named() {
        let audit = audit(
            DIContainer {
                New { (_, _: Int) in Product() }
                New(name: "plain") { Product() }
                New(name: "text") { (_, _: String) in Product() }
            })
        #expect(audit.argumentMismatches.isEmpty)
    }

    @Test("A factory without arguments matches only a property without arguments")
    func none() {
        let audit = audit(DIContainer { Shared(Product()) })
        #expect(Set(audit.argumentMismatches.map(\.name)) == ["byNumber", "byName", "maybe"])
    }
}
