import AutomaticRegistration
import DependencyInjection
import DependencyInjectionDiagnostics
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
final class DetailViewModelImpl: DetailViewModel {
    let id: Int
    let router: any Router
    init(id: Int, router: any Router) {
        self.id = id
        self.router = router
    }
}
nonisolated struct LocalConfiguration: Configuration { let host = "localhost" }

final class AppDelegate {
    @LazyInject var router: Router

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

    @Test("Rule 9: autowires initializers whose first parameters are arguments")
    func autowiringArguments() {
        let container = DIContainer {
            Shared(mainActor: RouterImpl() as Router)
            New(autowiring: DetailViewModelImpl.init, arguments: Int.self, as: DetailViewModel.self)
        }
        let detail: DetailViewModel = container.resolve(7)
        #expect(detail.id == 7)
        #expect(container.registrations.contains { $0.isMainActor && $0.type == DetailViewModelImpl.self })
        struct Owner {
            @LazyInject var router: Router
            var now: Router? { $router }
        }
        DIContainer.withContainer(container) {
            let owner = Owner()
            #expect(owner.now == nil)
            #expect(owner.router === owner.now)
        }
    }

    @Test("Rule C6: resolves main-actor types on the main actor")
    func onMainActor() throws {
        let delegate = AppDelegate()
        delegate.router.history.append("start")
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

    final class LoggedRouter: Router {
        let base: any Router
        init(_ base: any Router) { self.base = base }
        var history: [String] {
            get { base.history }
            set { base.history = newValue }
        }
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
}

/// Is isolated to the main actor by default.
private final class Editor {
    let router: any Router
    let detail: String?
    init(router: any Router, detail: String?) {
        self.router = router
        self.detail = detail
    }
}
extension MainActorClientTests {
    @Test("registers results of a main-actor initializer on the main actor")
    func autowiring() async {
        let container = DIContainer {
            Shared(mainActor: RouterImpl(), as: Router.self)
            Shared(autowiring: Editor.init)
            New(autowiring: Editor.init, name: "new")
            Shared(autowiring: LocalConfiguration.init, as: Configuration.self)
        }
        #expect(container.resolve(Editor.self).router === container.resolve(Router.self))
        #expect(container.resolve(Editor.self) === container.resolve(Editor.self))
        #expect(container.resolve(Editor.self, name: "new") !== container.resolve(Editor.self))
        #expect(container.registrations.map(\.isMainActor) == [true, true, true, false])
        #expect(await Task.detached { container.resolve(Configuration.self).host }.value == "localhost")
    }

    @Test("accepts modules without braces, mixed lists, and labels in one order")
    func firstGuesses() {
        let extras: [any RegistrationConvertible] = [
            Shared(mainActor: RouterImpl() as Router), Shared(LocalConfiguration() as Configuration),
        ]
        let container = DIContainer {
            Module(extras)
            Module(New(autowiring: Editor.init, name: "main", as: AnyObject.self))
            Shared(RouterImpl.init, as: DeeplinkHandler.self)
            Shared(autowiring: LocalConfiguration.init, name: "second", as: Configuration.self)
        }
        #expect(container.resolve(AnyObject.self, name: "main") is Editor)
        #expect(container.resolve(DeeplinkHandler.self) is RouterImpl)
        #expect(container.resolve.all(Configuration.self, name: "second").count == 1)
        DIContainer.withContainer(container) { #expect(DIContainer.current === container) }
    }

    @Test("registers closures, functions and initializers with `mainActor:`")
    func mainActorForms() {
        func make() -> Editor { Editor(router: RouterImpl(), detail: "function") }
        func makeWith(_ resolve: Resolver) -> Editor { Editor(router: resolve(), detail: "with resolver") }
        let container = DIContainer {
            Shared(mainActor: RouterImpl.init, as: Router.self)
            New(mainActor: { Editor(router: RouterImpl(), detail: "closure") })
            Shared(mainActor: make, name: "function")
            Shared(mainActor: makeWith, name: "with resolver")
        }
        let names: [RegistrationName?] = [nil, "function", "with resolver"]
        #expect(
            names.map { container.resolve(Editor.self, name: $0).detail } == ["closure", "function", "with resolver"])
        #expect(container.resolve(Editor.self, name: "with resolver").router === container.resolve(Router.self))
    }
}
