import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: an application in Swift 5 mode writes them.

/// Rule 23: the call sites of collections in Swift 5 mode, for services without `Sendable`.
struct IntoTests {
    private class Spelling: Plugin {
        var title = "spelling"
        let config: AppConfiguration
        init(config: AppConfiguration) { self.config = config }
    }
    private class Grammar: Plugin { var title = "grammar" }
    @MainActor private class Window: Plugin { nonisolated var title: String { "window" } }
    private class Editor {
        let plugins: [Plugin]
        init(plugins: [Plugin]) { self.plugins = plugins }
    }
    private struct Screen {
        @Inject var plugins: [Plugin]
        @MutableLazyInject var others: All<Plugin>
    }
    private enum Feature {
        static let module = Module {
            Shared(AppConfigurationImpl() as AppConfiguration)
            Shared(autowiring: Spelling.init).into(Plugin.self)
            Shared(Grammar() as Plugin)
                .onClose { plugin in print(plugin.title) }
                .into(Plugin.self)
        }
    }

    private func makeContainer() -> DIContainer {
        DIContainer {
            Feature.module
            New { _ in Grammar() }.into(Plugin.self)
            Scoped(Grammar(), name: "scoped", as: AnyObject.self).into(Plugin.self).onClose { _ in }
            Weak { resolve in Spelling(config: resolve()) as Plugin }.into(Plugin.self)
            Graph(Grammar.init, name: "graph").into(Plugin.self).into(AnyObject.self)
            Shared(mainActor: Window()).into(Plugin.self)
            New(mainActor: { resolve in Editor(plugins: resolve()) })
        }
    }

    @Test
    @MainActor
    func allForms() throws {
        let container = makeContainer()
        let titles = ["spelling", "grammar", "grammar", "grammar", "spelling", "grammar", "window"]
        #expect(container.resolve(Editor.self).plugins.map(\.title) == titles)
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(screen.plugins.map(\.title) == titles)
        #expect(DIContainer.withContainer(container) { Screen().others.count } == 7)
        let plugins: [Plugin] = try container.resolve.orThrow()
        #expect(plugins.count == container.resolve.all(Plugin.self).count)
        try container.validate()
    }
}

private protocol Plugin { var title: String { get } }
