import DependencyInjection
import DependencyInjectionTesting
import Testing

// Plain requests: an application in Swift 5 mode writes them.

// The services don't conform to `Sendable`, and the trait must not cause a warning.

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

    @Test(.dependencies { Shared(sharedLogger as Logger) })
    func synchronous() {
        #expect(DIContainer.resolve(Logger.self) is FileLogger)
    }

    @Test(.dependencies { Shared(sharedLogger as Logger) })
    func asynchronous() async {
        #expect(DIContainer.resolve(Logger.self) is FileLogger)
    }

    @Test(
        .dependencies {
            let detail = DetailViewModelImpl(id: 1)
            Shared(detail)
            Shared { _ in detail as DetailViewModel }
            Shared(makeRouter, as: Router.self)
            Weak(RouterImpl.init, as: DeeplinkHandler.self)
            Scoped(autowiring: SearchService.init, name: "scoped")
            Graph(autowiring: { (router: Router) in SearchService(router: router) }, name: "graph")
            New { _, id in "\(id as Int)" }
            New(SearchViewModel())
            Decorate(Search.self) { base, _ in base }
        }, arguments: [1, 2])
    func everyForm(_ id: Int) async {
        await Task.yield()
        #expect(DIContainer.resolve(DetailViewModel.self).id == DIContainer.resolve(DetailViewModelImpl.self).id)
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
