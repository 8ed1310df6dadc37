import DependencyInjection
import DependencyInjectionTesting
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

private class Badge {
    let text: String
    init(text: String) { self.text = text }
}

@Suite(.dependencies(.empty) { Shared(mainActor: Badge(text: "suite")) }, .timeLimit(.minutes(5)))
struct DependencyTraitTests {
    @Test func suite() { #expect(DIContainer.resolve(Badge.self).text == "suite") }

    @Test(.dependencies { New(mainActor: Badge(text: "test")) })
    func test() async {
        await Task.yield()
        #expect(DIContainer.resolve(Badge.self).text == "test")
    }

    @Test("Rule 18: an error in a test explains how a suite gets main-actor types")
    func textForSuites() async {
        let text = await Task { @concurrent in
            do { return "\(try DIContainer.resolve.orThrow(Badge.self).text)" } catch { return "\(error)" }
        }.value
        let advice = "add `@MainActor init() {}` to a suite that injects it, or inject it with `@LazyInject`"
        #expect(text.hasSuffix("\n   or: \(advice)"))
    }
}

@Suite(.dependencies(.empty) { Shared(mainActor: Badge(text: "suite")) }, .timeLimit(.minutes(5)))
struct InjectedSuiteTests {
    @Inject private var badge: Badge
    // Without it, the suite would be made elsewhere.
    init() {}

    @Test("Rule C6: a suite with an initializer is created on the main actor")
    func injected() { #expect(badge.text == "suite") }
}
