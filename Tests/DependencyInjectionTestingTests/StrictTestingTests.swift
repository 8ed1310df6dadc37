import DependencyInjection
import DependencyInjectionTesting
import Testing

@Suite("Strict tests that name the tested types", .collectsExpectedIssues)
struct StrictTestingTests {
    protocol Basket: Sendable {}
    struct PaperBasket: Basket {}
    protocol Presenting: AnyObject, Sendable {}
    final class ProductViewModel: Presenting, Sendable {
        let basket: any Basket
        init(basket: any Basket) { self.basket = basket }
    }

    static let app = DIContainer {
        Shared(PaperBasket() as any Basket)
        New(autowiring: ProductViewModel.init, as: (any Presenting).self)
        New(autowiring: ProductViewModel.init, name: "large")
        Decorate(ProductViewModel.self, name: "large") { base, _ in base }
    }

    private func recorded(_ base: DependencyBase, _ work: () -> Void) -> [String] {
        issues { withDependencies(base, { [Registration]() }, in: work) }.texts
    }

    @Test("The tested type is exempt by any name and alias, unlike its dependencies")
    func tested() {
        let texts = recorded(.strict(from: Self.app, testing: ProductViewModel.self)) {
            _ = DIContainer.resolve(ProductViewModel.self)
            _ = DIContainer.resolve(ProductViewModel.self, name: "large")
            _ = DIContainer.resolve((any Presenting).self)
        }
        #expect(
            !texts.isEmpty
                && texts.allSatisfy {
                    $0.hasPrefix("The test does not override any StrictTestingTests.Basket")
                        || $0.hasPrefix("The test does not override any Basket")
                })
    }

    @Test("A tested alias also exempts its target")
    func alias() {
        let texts = recorded(.strict(from: Self.app, testing: (any Presenting).self, (any Basket).self)) {
            _ = DIContainer.resolve((any Presenting).self)
        }
        #expect(texts.isEmpty)
    }

    @Test("Tested types can be named without a base container")
    func current() {
        DIContainer.withContainer(Self.app) {
            let texts = recorded(.strict(testing: ProductViewModel.self, (any Basket).self)) {
                _ = DIContainer.resolve(ProductViewModel.self)
            }
            #expect(texts.isEmpty)
        }
    }

    @Test("An issue advises to name the tested type if no type is named")
    func issue() throws {
        let texts = recorded(.strict(from: Self.app)) { _ = DIContainer.resolve(ProductViewModel.self) }
        #expect(texts.contains { $0.contains("`.strict(testing: ") && $0.contains("ProductViewModel.self)`") })
    }

    @Test(
        "The trait accepts tested types",
        .dependencies(.strict(from: app, testing: ProductViewModel.self)) { Shared(PaperBasket() as any Basket) })
    func trait() throws {
        #expect(try DIContainer.resolve.orThrow(ProductViewModel.self).basket is PaperBasket)
    }
}
