import DependencyInjection
import Testing

// An application in Swift 5 mode. Its services know nothing of `Sendable`, and it must compile without a warning.

protocol AppConfiguration { var host: String { get } }
protocol Router: AnyObject {
    var config: AppConfiguration { get }
    var history: [String] { get set }
}
protocol DeeplinkHandler: AnyObject {}
protocol Logger {}
protocol Search { var router: Router { get } }
protocol DetailViewModel { var id: Int { get } }
protocol MediaPlayer {}

class AppConfigurationImpl: AppConfiguration { var host = "localhost" }
class RouterImpl: Router, DeeplinkHandler {
    var config: AppConfiguration
    var history: [String] = []
    init() { config = AppConfigurationImpl() }
    init(config: AppConfiguration) { self.config = config }
}
class DetailViewModelImpl: DetailViewModel {
    var id: Int
    init(id: Int) { self.id = id }
}
class SearchService: Search {
    var router: Router
    init(router: Router) { self.router = router }
}
class ConsoleLogger: Logger {}
class FileLogger: Logger {}
class SearchViewModel {}

class AppDelegate {
    @LazyInject private var config: AppConfiguration
    @LazyInject var router: Router

    init(isDebugBuild: Bool) {
        DIContainer.register {
            Shared(AppConfigurationImpl() as AppConfiguration)
            Shared { resolve in RouterImpl(config: resolve()) as Router }
            New { _, id in DetailViewModelImpl(id: id) as DetailViewModel }
            if isDebugBuild { Shared(ConsoleLogger() as Logger) } else { Shared(FileLogger() as Logger) }
            FeatureOne.module
        }
    }
}

enum FeatureOne {
    static let module = Module {
        Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
        Shared(autowiring: SearchService.init, as: Search.self)
        New(SearchViewModel(), name: "compact")
    }
}

class Screen {
    @Inject var router: Router
    @MutableInject var logger: Logger
    @MutableLazyInject var search: Search
    @Inject var player: MediaPlayer?
    @Inject var makeDetail: Provider<DetailViewModel, Int>
}

@Suite("A Swift 5 client")
struct Swift5ClientTests {
    @Test("compiles without a warning, its services not being Sendable")
    func callSites() throws {
        try DIContainer.withContainer(DIContainer()) {
            let delegate = AppDelegate(isDebugBuild: false)
            delegate.router.history.append("start")
            let router: Router = DIContainer.resolve()
            #expect(router.history == ["start"])
            let screen = Screen()
            screen.search = SearchService(router: RouterImpl())
            #expect(screen.router === router)
            #expect(screen.search.router !== router)
            #expect(screen.player == nil)
            #expect(screen.logger is FileLogger)
            #expect(screen.makeDetail(3).id == 3)
            let other = DIContainer.resolve(DetailViewModel.self, arguments: 4)
            #expect(other.id == 4)
            let search = try DIContainer.resolve.orThrow(Search.self)
            #expect(search.router === router)
        }
    }
}
