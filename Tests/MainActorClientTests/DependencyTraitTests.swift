import DependencyInjection
import DependencyInjectionTesting
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

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

@Suite(.dependencies(.empty) { Shared(mainActor: Badge(text: "suite")) })
struct InjectedSuiteTests {
    @Inject private var badge: Badge
    // Without an isolated initializer, the suite would not be created on the main actor.
    init() {}

    @Test("Rule C6: a suite with an initializer is created on the main actor")
    func injected() { #expect(badge.text == "suite") }
}

@Suite(
    "Rule C11: a client of the main actor has a prepared suite",
    .dependencies(.empty, prepared: true) {
        Shared(async: { _ in 1 })
        Shared(mainActor: Badge(text: "\(DIContainer.resolve(Int.self))"))
    })
struct PreparedSuiteTests {
    @Inject private var number: Int

    @Test("Its wrappers resolve asynchronous types, and prepare(.all) builds types of the main actor")
    func prepared() async throws {
        #expect(number == 1)
        try await DIContainer.current.prepare(.all)
        #expect(DIContainer.resolve(Badge.self).text == "1")
    }
}
