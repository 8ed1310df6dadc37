import AutomaticRegistration
import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionTesting
import Dispatch
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

// An application whose default isolation is the main actor.

protocol Router: AnyObject { var history: [String] { get set } }
protocol DeeplinkHandler {}
protocol DetailViewModel { var id: Int { get }; var router: any Router { get } }
nonisolated protocol Configuration: Sendable { var host: String { get } }

final class RouterImpl: Router, DeeplinkHandler {
    var history: [String] = []
}
final class LoggedRouter: Router {
    let base: any Router
    init(_ base: any Router) { self.base = base }
    var history: [String] {
        get { base.history }
        set { base.history = newValue }
    }
}
final class DetailViewModelImpl: DetailViewModel {
    let id: Int
    let router: any Router
    init(id: Int, router: any Router) {
        self.id = id
        self.router = router
    }
}
nonisolated struct LocalConfiguration: Configuration { let host = "localhost" }
private final class Editor {
    let router: any Router
    init(router: any Router, detail: String?) { self.router = router }
}

final class AppDelegate {
    @LazyInject var router: Router
    var resolvedRouter: Router? { $router }

    init() {
        DIContainer.register {
            Shared(LocalConfiguration() as Configuration)
            Shared(mainActor: RouterImpl() as Router)
            New(mainActor: { resolve, id in DetailViewModelImpl(id: id, router: resolve()) as DetailViewModel })
            Shared(mainActor: RouterImpl(), as: DeeplinkHandler.self)
        }
    }
}

struct Screen {
    @Inject var router: Router
    @Inject var makeDetail: Provider<DetailViewModel, Int>
}

@Suite("A client whose default isolation is the main actor", .serialized)
struct MainActorClientTests {
    @Test("Rule 6: registers automatically, even for a request off the main actor")
    func firstResolutionOffMainActor() async {
        await #expect(processExitsWith: .success) {
            await Task.detached {
                dispatchPrecondition(condition: .notOnQueue(.main))
                precondition(DIContainer.resolve(AutomaticallyRegistered.self).origin == "automatic")
            }.value
            await MainActor.run {
                DIContainer.resolve(Showing.self).title = "shown"
                precondition(DIContainer.resolve(Showing.self).title == "shown")
            }
        }
    }

    @Test("Rule C6: resolves main-actor types on the main actor")
    func onMainActor() throws {
        let delegate = AppDelegate()
        #expect(delegate.resolvedRouter == nil)
        delegate.router.history.append("start")
        #expect(delegate.resolvedRouter === delegate.router)
        let screen = Screen()
        #expect(screen.router.history == ["start"])
        #expect(screen.makeDetail(5).id == 5)
        let detail: DetailViewModel = DIContainer.resolve(6)
        #expect(detail.router.history == ["start"])
        let handler = try DIContainer.resolve.orThrow(DeeplinkHandler.self)
        #expect(handler is RouterImpl)
    }

    @Test("lists, validates, draws and observes")
    func diagnostics() async throws {
        let container = DIContainer { Shared(mainActor: RouterImpl() as Router) }
        let observation = container.observe { event in if event.kind == .replaced { print(event) } }
        container.register(
            New(mainActor: { resolve, id in DetailViewModelImpl(id: id, router: resolve()) as DetailViewModel }))
        observation.cancel()
        _ = container.resolve(Router.self)
        #expect(container.registrations.map(\.isBuilt) == [true, false])
        #expect(try container.validate().isEmpty)
        let mode = ValidationMode.building(within: .seconds(1_000), includingMainActor: true) {
            $0.isAsync ? nil : [1]
        }
        #expect(try await container.validate(mode).isEmpty)
        #expect(container.graph.mermaid().hasPrefix("flowchart LR") && container.graph.dot().hasSuffix("}"))
        container.register(Weak(1))
        do { try container.validate() } catch { #expect(error.findings.map(\.kind) == [.error(.weakValueType)]) }
    }

    @Test("Rule C6: uses all lifetimes, trees, overrides, collections and decorators")
    func lifetimes() async throws {
        let parent = DIContainer {
            Weak(mainActor: RouterImpl(), as: DeeplinkHandler.self)
            Scoped(mainActor: RouterImpl() as Router)
            Graph(mainActor: RouterImpl())
            New(mainActor: { resolve in [resolve(RouterImpl.self), resolve(RouterImpl.self)] })
            New(mainActor: { resolve, id in DetailViewModelImpl(id: id, router: resolve()) as DetailViewModel })
            Shared(async: { _ in LocalConfiguration() as Configuration })
            Decorate(Router.self, mainActor: { base, _ in LoggedRouter(base) })
        }
        try await parent.prepare()
        try await parent.prepare(.all)
        #expect(parent.resolve(Configuration.self).host == "localhost")
        let child = parent.makeChild { Shared(mainActor: RouterImpl() as Router, name: "child") }
        #expect(child.resolve(Router.self) is LoggedRouter)
        let routers: [RouterImpl] = child.resolve()
        #expect(routers[0] === routers[1] && routers[0] !== child.resolve(RouterImpl.self))
        #expect(child.resolve(Router.self) === child.resolve(Router.self))
        #expect(child.resolve(Router.self) !== parent.resolve(Router.self))
        #expect(child.resolve.all(Router.self).map { $0 is LoggedRouter } == [false, true])
        #expect(child.resolve(DetailViewModel.self, arguments: 3).router === child.resolve(Router.self))
        let handler: any DeeplinkHandler = child.resolve()
        #expect(handler is RouterImpl)
        parent.seal()
        await DIContainer.withContainer(parent) {
            await DIContainer.withOverrides({ Shared(mainActor: RouterImpl() as Router, name: "override") }) {
                await Task.yield()
                #expect(DIContainer.resolve(Router.self, name: "override") is RouterImpl)
            }
        }
        #expect(!parent.isRegistered(Router.self, name: "override"))
    }

    @Test("Rule 9: registers initializers, the first parameters of which may be arguments, on the main actor")
    func initializers() async {
        let container = DIContainer {
            Module([Shared(mainActor: RouterImpl.init, as: Router.self), Shared(autowiring: Editor.init)])
            Module(New(autowiring: Editor.init, name: "new", as: AnyObject.self))
            New(autowiring: DetailViewModelImpl.init, arguments: Int.self, as: DetailViewModel.self)
            Shared(RouterImpl.init, name: "plain", as: DeeplinkHandler.self)
            Shared(autowiring: LocalConfiguration.init, as: Configuration.self)
        }
        #expect(container.resolve(Editor.self).router === container.resolve(Router.self))
        #expect(container.resolve(Editor.self) === container.resolve(Editor.self))
        let other = container.resolve(AnyObject.self, name: "new")
        #expect(other is Editor && other !== container.resolve(Editor.self))
        let detail: DetailViewModel = container.resolve(7)
        #expect(detail.id == 7)
        #expect(container.resolve(DeeplinkHandler.self, name: "plain") is RouterImpl)
        #expect(container.registrations.map(\.isMainActor) == [true, true, true, true, false, false])
        #expect(await Task.detached { container.resolve(Configuration.self).host }.value == "localhost")
    }
}

// MARK: Collections

protocol Plugin { var title: String { get } }
final class PluginImpl: Plugin {
    let title: String
    init(_ title: String) { self.title = title }
}
final class PluginList {
    let plugins: [Plugin]
    @Inject var injected: [Plugin]
    @LazyInject var all: All<Plugin>
    init(plugins: [Plugin]) { self.plugins = plugins }
}

enum Feature {
    static let module = Module {
        Shared(mainActor: PluginImpl("replaced below")).into(Plugin.self)
        Shared(mainActor: PluginImpl("grammar") as Plugin)
            .into(Plugin.self)
            .onClose(mainActor: { plugin in _ = plugin.title })
    }
}

extension MainActorClientTests {
    @Test("Rule 23: contributes main-actor types to a collection")
    func collections() throws {
        let container = DIContainer {
            Feature.module
            New(mainActor: { resolve in PluginImpl("spelling") }).into(Plugin.self)
            New(autowiring: PluginList.init)
            Shared(LocalConfiguration()).into(Sendable.self)
        }
        let list = container.resolve(PluginList.self)
        #expect(list.plugins.map(\.title) == ["grammar", "spelling"])
        #expect(list.injected.map(\.title) == ["grammar", "spelling"])
        #expect(list.all.map(\.title) == ["grammar", "spelling"])
        #expect(container.resolve.all((any Sendable).self).count == 1)
        #expect(throws: Never.self) { try container.validate(allowing: [.replaced]) }
    }
}

// MARK: Closing

nonisolated final class Connection: Sendable {
    func close() async throws {}
}
nonisolated final class Threads: @unchecked Sendable {  // Only used by closures that run one after the other.
    var lines: [String] = []
    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    // The main actor runs on the main queue, but not always on the main thread.
    func add(_ line: String) {
        let isMain = DispatchQueue.getSpecific(key: Self.mainQueue) == true
        lines.append("\(line) \(isMain ? "main" : "elsewhere")")
    }
}

extension MainActorClientTests {
    @Test("Rule 20: closes main-actor types on the main actor, and other types elsewhere")
    func closing() async throws {
        nonisolated struct Failure: Error {}
        let threads = Threads()
        let app = DIContainer {
            Shared(Connection())
                .onClose { connection in try await connection.close() }
                .onClose { _ in threads.add("connection") }
                .onClose { (_: Connection, failure) in threads.add("failed: \(failure is Failure)") }
            Shared(mainActor: RouterImpl())
                .onClose(mainActor: { router in router.history.append("closed") })
                .onClose(mainActor: { router, failure in
                    threads.add("router")
                    router.history.append("failed: \(failure is Failure)")
                })
        }
        _ = app.resolve(Connection.self)
        let router = app.resolve(RouterImpl.self)
        try await app.close(dueTo: Failure())
        #expect(router.history == ["failed: true", "closed"])
        #expect(threads.lines == ["router main", "failed: true elsewhere", "connection elsewhere"])
    }

    @Test("Rule 21: creates children for operations, which run on the main actor")
    func childForAnOperation() async throws {
        let app = DIContainer {
            Scoped(mainActor: RouterImpl())
                .onClose(mainActor: { router in router.history.append("closed") })
        }
        let router = try await app.withChild {
            Shared(1)
        } operation: { child in
            MainActor.assertIsolated()
            #expect(DIContainer.resolve(Int.self) == 1)
            return child.resolve(RouterImpl.self)
        }
        #expect(router.history == ["closed"])
        let other = try await DIContainer.withContainer(app) {
            try await DIContainer.withChild { child in child.resolve(RouterImpl.self) }
        }
        #expect(other.history == ["closed"] && other !== router)
    }
}

// MARK: The trait

private class Badge {
    let text: String
    init(text: String) { self.text = text }
}

@Suite(.dependencies(.empty) { Shared(mainActor: Badge(text: "suite")) })
struct DependencyTraitTests {
    @Inject private var badge: Badge
    // Without an isolated initializer, the suite would not be created on the main actor.
    init() {}

    @Test("Rule C6: a suite with an initializer is created on the main actor")
    func suite() {
        #expect(badge.text == "suite")
        #expect(DIContainer.resolve(Badge.self) === badge)
    }

    @Test(.dependencies { New(mainActor: Badge(text: "test")) })
    func test() async {
        await Task.yield()
        #expect(DIContainer.resolve(Badge.self).text == "test")
    }
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
