import DependencyInjection
import DependencyInjectionTesting
import Testing

@Suite("The fix in an issue of a strict test", .collectsExpectedIssues)
struct StrictFixTests {
    @Test(
        "The fix for a function, and for a factory that takes a function, compiles",
        .dependencies(
            .strict(
                from: DIContainer {
                    New { (_, name: @escaping @Sendable () -> String) in name().count }
                    Shared { _ in { 5 } as @Sendable () -> Int }
                })))
    func functions() {
        let name: @Sendable () -> String = { "name" }
        let issues = Issues()
        issues.collect {
            let count: Int = DIContainer.resolve(arguments: { name })
            #expect(count == 4)
            #expect(DIContainer.resolve((@Sendable () -> Int).self)() == 5)
        }
        #expect(issues.texts.count == 2)
        #expect(issues.texts.first?.contains("`New({ (_, _: @escaping @Sendable () -> String) in … as Int })`") == true)
        #expect(issues.texts.last?.contains("`Shared({ _ in … as @Sendable () -> Int })`") == true)
        // The fix in the text of the first issue.
        _ = DIContainer { New({ (_, _: @escaping @Sendable () -> String) in 1 as Int }) }
    }

    @Test(
        "A Scoped registration is overridden by another Scoped",
        .dependencies(.strict(from: DIContainer { Scoped { _ in 5 } })))
    func scoped() {
        let issues = Issues()
        issues.collect { #expect(DIContainer.resolve(Int.self) == 5) }
        #expect(
            issues.texts.first?.contains("fix: add a fake to the overrides of the test: `Scoped(… as Int)`\n") == true)
    }
}
