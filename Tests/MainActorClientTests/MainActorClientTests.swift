import AutomaticRegistration
import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionTesting
import Dispatch
import Testing

// Plain requests: an application whose default isolation is the main actor writes them.

protocol Router: AnyObject { var history: [String] { get set } }
protocol DeeplinkHandler {}
protocol DetailViewModel { var id: Int { get }; var router: any Router { get } }
nonisolated protocol Configuration: Sendable { var host: String { get } }

final class RouterImpl: Router, DeeplinkHandler {
    var history: [String] = []
    init() {}
    init(history: [String]) { self.history = history }
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
                DIContainer.resolve(Window.self).title = "shown"
                precondition(DIContainer.resolve(Window.self).title == "shown")
            }
        }
    }

    @Test("Rule C6: resolves main-actor types on the main actor")
    func onMainActor() {
        let container = DIContainer {
            Shared(mainActor: RouterImpl() as Router)
            New(mainActor: { resolve, id in DetailViewModelImpl(id: id, router: resolve()) as DetailViewModel })
        }
        @LazyInject(from: container) var router: Router
        @Inject(from: container) var makeDetail: Provider<DetailViewModel, Int>
        #expect($router == nil)
        router.history.append("start")
        #expect($router === router)
        #expect(makeDetail(5).id == 5)
        let detail: DetailViewModel = container.resolve(6)
        #expect(detail.router.history == ["start"])
    }

    @Test("lists, validates and observes")
    func diagnostics() async throws {
        let container = DIContainer { Shared(mainActor: RouterImpl() as Router) }
        let observation = container.observe { event in if event.kind == .replaced { print(event) } }
        container.register(
            New(mainActor: { resolve, id in DetailViewModelImpl(id: id, router: resolve()) as DetailViewModel }))
        observation.cancel()
        _ = container.resolve(Router.self)
        #expect(container.registrations.map(\.isBuilt) == [true, false])
        let mode = ValidationMode.building(within: .seconds(1_000), includingMainActor: true) {
            $0.isAsync ? nil : [1]
        }
        #expect(try await container.validate(mode).isEmpty)
        container.register(Weak(1))
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        #expect(error?.findings.map(\.kind) == [.error(.weakValueType)])
    }

    @Test("Rule C6: uses all lifetimes, trees, overrides and decorators")
    func lifetimes() async throws {
        let parent = DIContainer {
            Weak(mainActor: RouterImpl(), as: DeeplinkHandler.self)
            Scoped(mainActor: RouterImpl() as Router)
            Graph(mainActor: RouterImpl())
            New(mainActor: { resolve in [resolve(RouterImpl.self), resolve(RouterImpl.self)] })
            Shared(async: { _ in LocalConfiguration() as Configuration })
            Decorate(Router.self, mainActor: { base, _ in LoggedRouter(base) })
        }
        try await parent.prepare(.all)
        #expect(parent.resolve(Configuration.self).host == "localhost")
        let child = parent.makeChild { Shared(mainActor: RouterImpl() as Router, name: "child") }
        let routers: [RouterImpl] = child.resolve()
        #expect(routers[0] === routers[1] && routers[0] !== child.resolve(RouterImpl.self))
        #expect(child.resolve(Router.self) === child.resolve(Router.self))
        #expect(child.resolve(Router.self) !== parent.resolve(Router.self))
        #expect(child.resolve.all(Router.self).map { $0 is LoggedRouter } == [false, true])
        let handler: any DeeplinkHandler = child.resolve()
        #expect(handler is RouterImpl)
        await DIContainer.withContainer(parent) {
            await DIContainer.withOverrides({ Shared(mainActor: RouterImpl() as Router, name: "override") }) {
                await Task.yield()
                #expect(DIContainer.resolve(Router.self, name: "override") is RouterImpl)
            }
        }
    }

    @Test("Rule 9: registers initializers, the first parameters of which may be arguments, on the main actor")
    func initializers() async {
        let container = DIContainer {
            Module([Shared(mainActor: RouterImpl.init, as: Router.self), Shared(autowiring: LoggedRouter.init)])
            New(autowiring: DetailViewModelImpl.init, arguments: Int.self, as: DetailViewModel.self)
            Shared(RouterImpl.init, name: "plain", as: DeeplinkHandler.self)
            Shared(autowiring: LocalConfiguration.init, as: Configuration.self)
        }
        #expect(container.resolve(LoggedRouter.self).base === container.resolve(Router.self))
        #expect(container.resolve(LoggedRouter.self) === container.resolve(LoggedRouter.self))
        let detail: DetailViewModel = container.resolve(7)
        #expect(detail.id == 7)
        #expect(container.resolve(DeeplinkHandler.self, name: "plain") is RouterImpl)
        #expect(container.registrations.map(\.isMainActor) == [true, true, true, true, false])
        #expect(await Task.detached { container.resolve(Configuration.self).host }.value == "localhost")
    }
}

extension MainActorClientTests {
    @Test("Rule 23: contributes main-actor types to a collection")
    func collections() {
        let container = DIContainer {
            Shared(mainActor: RouterImpl(history: ["shared"]), as: DeeplinkHandler.self)
                .into(Router.self)
                .onClose(mainActor: { router in _ = router.history })
            New(mainActor: { resolve in LoggedRouter(resolve(RouterImpl.self)) }).into(Router.self)
            New(
                autowiring: { @MainActor (routers: [Router]) in RouterImpl(history: ["\(routers.count)"]) },
                name: "list")
            Shared(LocalConfiguration()).into(Sendable.self)
        }
        @Inject(from: container) var injected: [Router]
        @LazyInject(from: container) var all: All<Router>
        #expect(injected.map(\.history) == [["shared"], ["shared"]])
        #expect(all.map(\.history) == [["shared"], ["shared"]])
        #expect(container.resolve(RouterImpl.self, name: "list").history == ["2"])
        #expect(container.resolve.all((any Sendable).self).count == 1)
    }
}

// MARK: Closing

extension MainActorClientTests {
    @Test("Rule 20: closes main-actor types on the main actor, and other types elsewhere")
    func closing() async throws {
        // Only used by closures that run one after the other.
        nonisolated(unsafe) var lines: [String] = []
        let app = DIContainer {
            Shared(LocalConfiguration())
                .onClose { _ in
                    dispatchPrecondition(condition: .notOnQueue(.main))
                    lines.append("configuration")
                }
                .onClose { (_: LocalConfiguration, failure) in
                    dispatchPrecondition(condition: .notOnQueue(.main))
                    lines.append("failed: \(failure is CancellationError)")
                }
            Shared(mainActor: RouterImpl())
                .onClose(mainActor: { router in router.history.append("closed") })
                .onClose(mainActor: { router, failure in
                    MainActor.preconditionIsolated()
                    lines.append("router")
                    router.history.append("failed: \(failure is CancellationError)")
                })
        }
        _ = app.resolve(LocalConfiguration.self)
        let router = app.resolve(RouterImpl.self)
        try await app.close(dueTo: CancellationError())
        #expect(router.history == ["failed: true", "closed"])
        #expect(lines == ["router", "failed: true", "configuration"])
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

@Suite(.dependencies(.empty) { Shared(mainActor: RouterImpl(history: ["suite"])) })
struct DependencyTraitTests {
    @Inject private var router: RouterImpl
    // Without an isolated initializer, the suite would not be created on the main actor.
    init() {}

    @Test("Rule C6: a suite with an initializer is created on the main actor")
    func suite() {
        #expect(router.history == ["suite"])
        #expect(DIContainer.resolve(RouterImpl.self) === router)
    }

    @Test(.dependencies { New(mainActor: RouterImpl(history: ["test"])) })
    func test() async {
        await Task.yield()
        #expect(DIContainer.resolve(RouterImpl.self).history == ["test"])
    }
}

@Suite(
    "Rule C11: a client of the main actor has a prepared suite",
    .dependencies(.empty, prepared: true) {
        Shared(async: { _ in 1 })
        Shared(mainActor: RouterImpl(history: ["\(DIContainer.resolve(Int.self))"]))
    })
struct PreparedSuiteTests {
    @Inject private var number: Int

    @Test("Its wrappers resolve asynchronous types, and prepare(.all) builds types of the main actor")
    func prepared() async throws {
        #expect(number == 1)
        try await DIContainer.current.prepare(.all)
        #expect(DIContainer.resolve(RouterImpl.self).history == ["1"])
    }
}
