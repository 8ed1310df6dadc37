import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

/// Rule 23: the call sites of collections where everything belongs to the main actor.
@Suite(.serialized)
struct IntoTests {
    protocol Plugin { var title: String { get } }
    final class Spelling: Plugin { let title = "spelling" }
    final class Grammar: Plugin { let title = "grammar" }
    nonisolated struct Index: Sendable {}
    nonisolated protocol Part: Sendable {}
    final class Editor {
        let plugins: [Plugin]
        init(plugins: [Plugin]) { self.plugins = plugins }
    }
    struct Screen {
        @Inject var plugins: [Plugin]
        @LazyInject var all: All<Plugin>
    }
    enum Feature {
        static let module = Module {
            Shared(mainActor: Spelling()).into(Plugin.self)
            Shared(mainActor: Grammar() as Plugin)
                .into(Plugin.self)
                .onClose(mainActor: { plugin in _ = plugin.title })
        }
    }

    @Test func allForms() throws {
        let container = DIContainer {
            Feature.module
            New(mainActor: { resolve in Spelling() }).into(Plugin.self)
            New(autowiring: Editor.init)
            Shared(Index()).into(Sendable.self)
        }
        let titles = ["grammar", "spelling"]
        #expect(container.resolve(Editor.self).plugins.map(\.title) == titles)
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(screen.plugins.map(\.title) == titles && screen.all.map(\.title) == titles)
        #expect(container.resolve.all((any Sendable).self).count == 1)
        #expect(throws: Never.self) { try container.validate(allowing: [.replaced]) }
    }
}
