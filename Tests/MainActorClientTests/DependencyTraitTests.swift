import DependencyInjection
import DependencyInjectionTesting
import Testing

private class Badge {
    let text: String
    init(text: String) { self.text = text }
}

@Suite(.dependencies(.empty) { Shared(mainActor: Badge(text: "suite")) })
struct DependencyTraitTests {
    @Test func suite() { #expect(DIContainer.resolve(Badge.self).text == "suite") }

    @Test(.dependencies { New(mainActor: Badge(text: "test")) })
    func test() async {
        await Task.yield()
        #expect(DIContainer.resolve(Badge.self).text == "test")
    }
}
