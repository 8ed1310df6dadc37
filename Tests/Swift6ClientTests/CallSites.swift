import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the documentation shows them.

// The call sites of an application, as the documentation shows them. This file is compiled in Swift 6 mode and, by a
// symbolic link, in Swift 5 mode. There, `Service` isn't `Sendable`, and the file must compile without a warning.

protocol AppConfiguration: Service { var host: String { get } }
protocol Router: Service, AnyObject { func open(_ path: String) -> String }
protocol DeeplinkHandler: Service, AnyObject {}
protocol Logger: Service {}
protocol Search: Service { var router: any Router { get } }
protocol DetailViewModel { var id: Int { get } }
protocol MediaPlayer: Service {}

final class AppConfigurationImpl: AppConfiguration { let host = "localhost" }
final class RouterImpl: Router, DeeplinkHandler {
    let config: any AppConfiguration
    init() { config = AppConfigurationImpl() }
    init(config: any AppConfiguration) { self.config = config }
    func open(_ path: String) -> String { config.host + "/" + path }
}
final class LoggedRouter: Router {
    let base: any Router
    init(_ base: any Router) { self.base = base }
    func open(_ path: String) -> String { "logged " + base.open(path) }
}
class DetailViewModelImpl: DetailViewModel {
    let id: Int
    init(id: Int) { self.id = id }
}
final class SearchService: Search {
    let router: any Router
    init(router: any Router) { self.router = router }
}
final class ConsoleLogger: Logger {}
final class FileLogger: Logger {}
class Presenter {
    let text: String
    init(title: String, age: Int, isOpen: Bool) { text = "\(title) \(age) \(isOpen)" }
}

class AppDelegate {
    @LazyInject private var config: AppConfiguration
    @LazyInject var router: Router

    init(isDebugBuild: Bool) {
        DIContainer.register {
            Shared(AppConfigurationImpl() as AppConfiguration)
            Shared { resolve in RouterImpl(config: resolve()) as Router }
            New { _, id in DetailViewModelImpl(id: id) as DetailViewModel }
            New { _, title, age, isOpen in Presenter(title: title, age: age, isOpen: isOpen) }
            if isDebugBuild { Shared(ConsoleLogger() as Logger) } else { Shared(FileLogger() as Logger) }
            FeatureOne.module
            ProvidedByChild(MediaPlayer.self)
            Shared(FileLogger() as Logger, name: "staging")
        }
    }
}

enum FeatureOne {
    static let module = Module {
        Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
        Shared(autowiring: SearchService.init, as: Search.self)
        New(DetailViewModelImpl(id: 1), name: "compact")
        Module(New(name: "child") { RouterImpl(config: $0() as AppConfiguration) })
    }
}

let otherContainer = DIContainer { Shared(FileLogger() as Logger) }

class Screen {
    @Inject var router: Router
    @MutableInject var logger: Logger
    @MutableLazyInject var search: Search
    @Inject var player: MediaPlayer?
    @Inject(name: "staging") var stagingLogger: Logger
    @Inject(from: otherContainer, name: nil) var otherLogger: Logger
    @MutableLazyInject(from: otherContainer, name: "none") var unused: Logger
    @Inject var makeDetail: Provider<DetailViewModel, Int>
}

func takesRouter(_ router: any Router) -> String { router.open("taken") }

@Suite("Rule C5: An application")
struct CallSiteTests {
    @Test("compiles without a warning, and runs every documented call site")
    func callSites() throws {
        try DIContainer.withContainer(DIContainer()) {
            let delegate = AppDelegate(isDebugBuild: true)
            let router = DIContainer.resolve(Router.self)
            #expect(delegate.router === router)
            #expect(takesRouter(DIContainer.resolve()) == "localhost/taken")
            let maybe = try DIContainer.resolve.orThrow(Router.self)
            #expect(maybe === router)
            let handler: any DeeplinkHandler = DIContainer.resolve()
            #expect(handler === router)
            #expect(DIContainer.resolve(Search.self).router === router)
            let id = 7
            let viewModel: DetailViewModel = DIContainer.resolve(id)
            #expect(viewModel.id == 7)
            #expect(DIContainer.resolve(DetailViewModel.self, arguments: id).id == 7)
            #expect(DIContainer.resolve(Presenter.self) { ("title", 23, true) }.text == "title 23 true")
            let isOne =
                (DIContainer.resolve(Logger.self) as AnyObject) === (DIContainer.resolve(Logger.self) as AnyObject)
            #expect(isOne)
            #expect(DIContainer.resolve(RouterImpl.self, name: "child").open("x") == "localhost/x")
            #expect(DIContainer.resolve(DetailViewModelImpl.self, name: "compact").id == 1)

            let screen = Screen()
            #expect(screen.router === router)
            #expect(screen.logger is ConsoleLogger)
            #expect(screen.stagingLogger is FileLogger)
            #expect(screen.otherLogger is FileLogger)
            #expect(screen.player == nil)
            #expect(screen.makeDetail(42).id == 42)
            screen.search = SearchService(router: RouterImpl())
            #expect(screen.search.router !== router)

            DIContainer.withOverrides({ Shared(FileLogger() as Logger) }) {
                #expect(DIContainer.resolve(Logger.self) is FileLogger)
            }
            DIContainer.register(Shared(RouterImpl() as Router))
            #expect(DIContainer.resolve(Router.self) !== router)
        }
    }

    @Test("Rule 5: names a module without braces")
    func namedModules() {
        let module = Module(Shared(1), New("a"), name: "plain")
        let lists = Module([Shared(1)], [New("a")], name: "lists")
        #expect(module.name == "plain" && module.registrations.count == 2)
        #expect(lists.name == "lists" && lists.registrations.map(\.module) == ["lists", "lists"])
    }

    @Test("lists, validates, draws and observes")
    func diagnostics() async throws {
        let container = DIContainer { Shared(RouterImpl() as Router) }
        let observation = container.observe { event in if event.kind == .replaced { print(event) } }
        container.register(Shared(autowiring: SearchService.init, as: Search.self))
        observation.cancel()
        #expect(container.registrations.map(\.lifetime) == [.shared, .shared])
        #expect(try container.validate().isEmpty)
        #expect(try await container.validate(.building(within: .seconds(1_000)) { _ in [1] }).isEmpty)
        #expect(container.graph.mermaid().hasPrefix("flowchart LR") && container.graph.dot().hasSuffix("}"))
        container.unregister(Router.self)
        do { try container.validate() } catch { #expect(error.findings.map(\.kind) == [.error(.notRegistered)]) }
    }

    @Test("uses all lifetimes, trees, overrides, decorators and asynchronous factories")
    func lifetimes() async throws {
        let parent = DIContainer {
            Shared(async: { _ in AppConfigurationImpl() as AppConfiguration })
            New(async: { _, id in DetailViewModelImpl(id: id) })
            Scoped { resolve in RouterImpl(config: resolve()) as Router }
            Decorate(Router.self) { base, _ in LoggedRouter(base) }
            Weak(FileLogger() as Logger)
            Graph(autowiring: SearchService.init, as: Search.self)
            New { resolve in [resolve(SearchService.self), resolve(SearchService.self)] }
            for name in ["a", "b"] as [RegistrationName] { Shared(ConsoleLogger() as Logger, name: name) }
        }
        #expect(try await parent.resolve.async(DetailViewModelImpl.self, arguments: 4).id == 4)
        try await parent.prepare()
        try await parent.prepare(.all)
        let child = parent.makeChild { Shared(FileLogger() as Logger, name: "child") }
        #expect(child.resolve(Router.self).open("a") == "logged localhost/a")
        #expect(child.resolve(Router.self) !== parent.resolve(Router.self))
        let services: [SearchService] = child.resolve()
        #expect(services[0] === services[1] && services[0] !== child.resolve(SearchService.self))
        #expect(child.resolve.all(Logger.self).map { $0 is FileLogger } == [true, true, false, false])
        parent.seal()
        let fork = parent.fork { Shared(RouterImpl() as Router) }
        #expect(fork.resolve(Router.self).open("b") == "logged localhost/b")
        let opened = await DIContainer.withContainer(parent) {
            await DIContainer.withOverrides({
                Shared(AppConfigurationImpl() as AppConfiguration)
                Shared(RouterImpl() as Router)
            }) {
                await Task { DIContainer.resolve(Search.self).router.open("c") }.value
            }
        }
        #expect(opened == "logged localhost/c")
    }
}

// MARK: Collections

protocol Plugin: Service { var title: String { get } }
final class PluginImpl: Plugin {
    let title: String
    init() { title = "plain" }
    init(config: AppConfiguration) { title = "on \(config.host)" }
}
actor Journal: Plugin {
    nonisolated let title = "journal"
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}
@MainActor final class Window: Plugin {
    var isOpen = true
    nonisolated var title: String { "window" }
}
class Editor {
    let plugins: [Plugin]
    @Inject var injected: [Plugin]
    @LazyInject var optional: [Plugin]?
    @MutableLazyInject var all: All<Plugin>
    init(plugins: [Plugin]) { self.plugins = plugins }
}

extension CallSiteTests {
    // In an asynchronous function, the compiler warns about handlers of types that aren't Sendable in Swift 5 mode.
    private func makeContainerOfPlugins() -> DIContainer {
        DIContainer {
            Shared(AppConfigurationImpl() as AppConfiguration)
            if #available(macOS 15, *) { Module { Shared(autowiring: PluginImpl.init(config:)).into(Plugin.self) } }
            Shared(PluginImpl() as Plugin)
                .onClose { plugin in print(plugin.title) }
                .into(Plugin.self)
            New(name: "new") { _ in PluginImpl() }.into(Plugin.self)
            Scoped(PluginImpl(), name: "scoped", as: AnyObject.self).into(Plugin.self).onClose { _ in }
            Weak { resolve in PluginImpl(config: resolve()) as Plugin }.into(Plugin.self)
            Graph(PluginImpl.init, name: "graph").into(Plugin.self).into(AnyObject.self)
            Shared(mainActor: Window()).into(Plugin.self)
            Shared(async: { _ in Journal() }).into((any Plugin).self).onClose { journal in print(journal.title) }
            New(mainActor: { resolve in Editor(plugins: resolve()) })
        }
    }

    @Test("Rule 23: contributes services of each lifetime to a collection")
    @MainActor
    func collections() async throws {
        let container = makeContainerOfPlugins()
        try await container.prepare()
        let titles = ["on localhost", "plain", "plain", "plain", "on localhost", "plain", "window", "journal"]
        let editor = container.resolve(Editor.self)
        #expect(editor.plugins.map(\.title) == titles)
        #expect(editor.injected.map(\.title) == titles)
        #expect(editor.optional?.map(\.title) == titles)
        #expect(editor.all.map(\.title) == titles)
        let plugins: [Plugin] = try container.resolve.orThrow()
        #expect(plugins.count == container.resolve.all(Plugin.self).count)
        try container.validate()
        try await container.close()
    }
}

// MARK: Closing

final class Connection: Service {
    func close() async throws {}
    func end() {}
}
final class Transaction: Service {
    let connection: Connection
    init(connection: Connection) { self.connection = connection }
    func commit() async throws -> String { "committed" }
    func rollBack() async -> String { "rolled back" }
}
struct Failure: Error, Equatable { var code = 0 }

extension CallSiteTests {
    private func makeContainer(_ journal: Journal) -> DIContainer {
        DIContainer {
            Shared(Connection())
                .onClose { $0.end() }
                .onClose { connection in try await connection.close() }
                .onClose { (_: Connection) async in await journal.add("typed") }
            Scoped { resolve in Transaction(connection: resolve()) }
                .onClose { transaction, failure in
                    if failure == nil {
                        await journal.add(try await transaction.commit())
                    } else {
                        await journal.add(await transaction.rollBack())
                    }
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in window.isOpen = false })
                .onClose(mainActor: { window, failure in
                    await journal.add("window \(window.isOpen) \(failure is Failure)")
                })
        }
    }

    @Test("Rules 20, 21: closes children and containers with the outcome of an operation")
    func closing() async throws {
        let journal = Journal()
        let app = makeContainer(journal)
        let window = await MainActor.run { app.resolve(Window.self) }
        let transaction = try await app.withChild {
            Shared(1)
        } operation: { child in
            #expect(DIContainer.resolve(Int.self) == 1)
            return child.resolve(Transaction.self)
        }
        #expect(transaction.connection === app.resolve(Connection.self))
        do {
            try await app.withChild { child in
                _ = child.resolve(Transaction.self)
                throw Failure()
            }
        } catch is Failure {}
        try await DIContainer.withContainer(app) {
            try await DIContainer.withChild { child in
                #expect(child.resolve(Connection.self) === transaction.connection)
            }
        }
        #expect(await window.isOpen)
        try await app.close(dueTo: Failure())
        #expect(await journal.lines == ["committed", "rolled back", "typed", "window true true"])
        #expect(await !window.isOpen)
        do { try await app.close() } catch let error as CloseError { Issue.record("\(error.failures)") }
    }
}
