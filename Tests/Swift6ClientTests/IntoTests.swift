import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the documentation shows them.

private protocol Plugin: Sendable { var title: String { get } }

/// Rule 23: the call sites of collections in Swift 6 mode.
struct IntoTests {
    private struct Spelling: Plugin {
        let title = "spelling"
        init(config: any AppConfiguration) {}
    }
    private final class Grammar: Plugin { let title = "grammar" }
    private actor Index: Plugin { nonisolated let title = "index" }
    private final class Editor: Sendable {
        let plugins: [any Plugin]
        init(plugins: [any Plugin]) { self.plugins = plugins }
    }
    private struct Screen {
        @Inject var plugins: [any Plugin]
        @LazyInject var others: [Plugin]?
    }
    private enum SpellingFeature {
        static let module = Module { Shared(autowiring: Spelling.init).into(Plugin.self) }
    }
    private enum GrammarFeature {
        static let module = Module { Shared(Grammar() as Plugin).into(Plugin.self) }
    }

    @Test func allForms() async throws {
        let container = DIContainer {
            Shared(AppConfigurationImpl() as AppConfiguration)
            SpellingFeature.module
            if #available(macOS 15, *) { GrammarFeature.module }
            Shared(async: { _ in Index() }).into((any Plugin).self).onClose { index in print(index.title) }
            Shared(
                {
                    let grammar = Grammar(); return grammar
                }(), name: "x", as: AnyObject.self
            ).into(Plugin.self)
            Weak(Grammar()).into(Plugin.self)
            New(autowiring: Editor.init)
        }
        try await container.prepare()
        let titles = ["spelling", "grammar", "index", "grammar", "grammar"]
        #expect(container.resolve(Editor.self).plugins.map(\.title) == titles)
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(screen.plugins.map(\.title) == titles && screen.others?.count == 5)
        let plugins: [Plugin] = DIContainer.withContainer(container) { DIContainer.resolve() }
        #expect(plugins.count == 5)
        try container.validate()
        try await container.close()
    }
}
