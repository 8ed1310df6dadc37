import DependencyInjection
import DependencyInjectionDiagnostics
import DependencyInjectionTesting
import Testing

// Plain requests: an application in Swift 5 mode writes them. It must compile without a warning.

@preconcurrency @MainActor
class ViewController {}
protocol Showing {}
class DetailViewController: ViewController, Showing {}
class ListViewController: ViewController, Showing {
    let logger: Logger
    init(logger: Logger) { self.logger = logger }
}

@MainActor
class Panel {
    let logger: Logger
    init(logger: Logger) { self.logger = logger }
}

@globalActor
actor Kitchen {
    static let shared = Kitchen()
}

@Kitchen
final class Stove {
    static func resolved(_ resolve: Resolver) -> Stove { Stove() }
}

@Suite("Rule C5: A Swift 5 client registers types of the main actor")
struct MainActorRegistrationTests {
    /// A feature whose classes are isolated to the main actor. Its registrations don't mention the actor.
    @RegistrationBuilder private var controllers: [Registration] {
        Shared(ConsoleLogger() as Logger)
        New(DetailViewController() as Showing)
        New(name: "closure") { _ in DetailViewController() as Showing }
        New(autowiring: ListViewController.init, name: "list", as: Showing.self)
        Shared(autowiring: Panel.init)
        New(autowiring: Panel.init, name: "new")
        Shared(makeDetail, as: DetailViewModel.self)
    }

    private let makeDetail: (Resolver) -> DetailViewModelImpl = { _ in DetailViewModelImpl(id: 1) }

    @Test("outside of the main actor, where the compiler knows the isolation of initializers only")
    @MainActor
    func registeredOutside() throws {
        let container = DIContainer { controllers }
        #expect(container.resolve(Showing.self) is DetailViewController)
        #expect(container.resolve(Showing.self, name: "closure") is DetailViewController)
        let list = try #require(container.resolve(Showing.self, name: "list") as? ListViewController)
        #expect(list.logger is ConsoleLogger)
        #expect(container.resolve(DetailViewModel.self).id == 1)
        #expect(container.registrations.filter { $0.type == Panel.self }.map(\.isMainActor) == [true, true])
    }

    private nonisolated static func makeSearch(router: Router) -> SearchService { SearchService(router: router) }

    @Test("on the main actor, whose closures and initializers of other types run on any thread")
    @MainActor
    func registeredOnTheMainActor() async {
        let container = DIContainer {
            Shared(ConsoleLogger() as Logger)
            Shared { RouterImpl() }
            Shared { resolve in RouterImpl(config: resolve()) as Router }
            Shared(AppConfigurationImpl.init, as: AppConfiguration.self)
            Shared(autowiring: { (logger: Logger) in "\(logger is ConsoleLogger)" })
            Shared(autowiring: SearchService.init, as: Search.self)
            Shared(autowiring: Self.makeSearch, name: "function", as: Search.self)
            New(autowiring: ListViewController.init)
            New(mainActor: { resolve in Panel(logger: resolve()) })
        }
        #expect(container.registrations.filter(\.isMainActor).map { "\($0.type)" } == ["Panel"])
        // A detached task has no current test.
        let isOne = await Task.detached {
            _ = container.resolve(RouterImpl.self)
            let router = container.resolve(Router.self)
            let searches = [container.resolve(Search.self), container.resolve(Search.self, name: "function")]
            return searches.allSatisfy { $0.router === router }
        }.value
        #expect(isOne)
        #expect(await Task.detached { container.resolve(String.self) }.value == "true")
        #expect(container.resolve(Panel.self).logger is ConsoleLogger)
        #expect(container.resolve(ListViewController.self).logger is ConsoleLogger)
    }

    @Test("with a closure that is marked @MainActor, or with `mainActor:`")
    @MainActor
    func marked() {
        let container = DIContainer {
            New { @MainActor _ in DetailViewController() }
            New(mainActor: DetailViewController.init, name: "initializer", as: Showing.self)
            New(mainActor: { _, logger in Panel(logger: logger) })
        }
        #expect(container.registrations.map(\.isMainActor) == [true, true, true])
        _ = container.resolve(DetailViewController.self)
        #expect(container.resolve(Showing.self, name: "initializer") is DetailViewController)
        #expect(container.resolve(Panel.self, arguments: FileLogger() as Logger).logger is FileLogger)
    }

    @Test("but a type of another actor can't be resolved, registered by its initializer or by a function")
    @MainActor
    func otherActor() {
        let container = DIContainer {
            New(mainActor: Stove.init)
            New(mainActor: Stove.resolved, name: "resolved")
        }
        #expect(container.registrations.map(\.isMainActor) == [false, false])
        #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Stove.self) }
        #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Stove.self, name: "resolved") }
    }
}

// MARK: The trait

private let app = DIContainer {
    Shared(ConsoleLogger() as Logger)
    Shared(RouterImpl() as Router)
}

private let sharedLogger = FileLogger()
private var configuration: AppConfiguration = AppConfigurationImpl()
private func makeRouter(_ resolve: Resolver) -> RouterImpl { RouterImpl() }

@Suite(
    "Rule C5: a Swift 5 client passes types to the trait that aren't Sendable",
    .dependencies(from: app) {
        Shared(configuration)
        Shared(autowiring: SearchService.init, as: Search.self)
    })
struct InlineDependencyTraitTests {
    @Inject var search: Search

    @Test(
        .dependencies {
            let detail = DetailViewModelImpl(id: 1)
            Shared(detail)
            Shared(sharedLogger as Logger)
            Shared { _ in detail as DetailViewModel }
            Shared(makeRouter, as: Router.self)
            Weak(RouterImpl.init, as: DeeplinkHandler.self)
            Scoped(autowiring: SearchService.init, name: "scoped")
            Graph(autowiring: { (router: Router) in SearchService(router: router) }, name: "graph")
            New { _, id in "\(id as Int)" }
            New(DetailViewModelImpl(id: 2), name: "new")
            Decorate(Search.self) { base, _ in base }
        }, arguments: [1, 2])
    func everyForm(_ id: Int) async {
        await Task.yield()
        #expect(DIContainer.resolve(DetailViewModel.self).id == DIContainer.resolve(DetailViewModelImpl.self).id)
        #expect(DIContainer.resolve(Logger.self) is FileLogger)
        #expect(DIContainer.resolve(String.self, arguments: id) == "\(id)")
        #expect(search.router === DIContainer.resolve(Router.self))
    }

    @Test("Rule C5: an asynchronous function registers types that aren't Sendable")
    func asynchronousBuilder() async {
        let router = RouterImpl()
        let container = DIContainer {
            Shared(router as Router)
            Shared { _ in router.config }
            Shared(autowiring: SearchService.init, as: Search.self)
        }
        await DIContainer.withContainer(container) {
            await Task.yield()
            #expect(DIContainer.resolve(Search.self).router === router)
        }
        await withDependencies {
            New(router as Router)
            New(autowiring: SearchService.init, as: Search.self)
        } in: {
            await Task.yield()
            #expect(DIContainer.resolve(Search.self).router === router)
        }
    }
}

@Suite(
    "Rule C11: a Swift 5 client has a prepared suite",
    .dependencies(from: app, prepared: true) { Shared(async: { _ in RouterImpl() as Router }) })
struct PreparedSuiteTests {
    @Inject var router: Router

    @Test("Its wrappers resolve asynchronous types")
    func prepared() { #expect(router === DIContainer.resolve(Router.self)) }
}
