import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: an application in Swift 5 mode writes them.

// An application in Swift 5 mode. Its services don't conform to `Sendable`, and it must compile without a warning.

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
class Tour {
    let text: String
    init(id: Int, title: String, config: AppConfiguration) { text = "\(id) \(title) \(config.host)" }
    init(a: Int, b: String, c: Bool) { text = "\(a) \(b) \(c)" }
}

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

@Suite("Rule C5: a Swift 5 client")
struct Swift5ClientTests {
    @Test("registers initializers whose first parameters are arguments")
    func autowiringArguments() async {
        let container = DIContainer {
            Shared(AppConfigurationImpl() as AppConfiguration)
            New(autowiring: DetailViewModelImpl.init, arguments: Int.self, as: DetailViewModel.self)
            New(autowiring: Tour.init(id:title:config:), arguments: Int.self, String.self)
            New(autowiring: Tour.init(a:b:c:), arguments: Int.self, String.self, Bool.self, name: "three")
        }
        let detail: DetailViewModel = container.resolve(4)
        #expect(detail.id == 4)
        let provider: Provider<Tour, Int, String> = container.resolve()
        #expect(provider(1, "a").text == "1 a localhost")
        #expect(container.resolve(Tour.self, name: "three", arguments: 1, "b", true).text == "1 b true")
    }

    @Test("reads the resolved value of a lazy wrapper")
    func projection() {
        DIContainer.withContainer(DIContainer { Shared(RouterImpl.init, as: Router.self) }) {
            class Owner {
                @LazyInject var router: Router
                func end() -> Router? { $router }
            }
            let owner = Owner()
            #expect(owner.end() == nil)
            #expect(owner.router === owner.end())
        }
    }

    @Test("compiles without a warning for services that aren't Sendable")
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
            let isOne =
                (DIContainer.resolve(Logger.self) as AnyObject) === (DIContainer.resolve(Logger.self) as AnyObject)
            #expect(isOne)
            #expect(screen.makeDetail(3).id == 3)
            let other = DIContainer.resolve(DetailViewModel.self, arguments: 4)
            #expect(other.id == 4)
            let search = try DIContainer.resolve.orThrow(Search.self)
            #expect(search.router === router)
        }
    }

    /// A class that isn't Sendable.
    class LoggedSearch: Search {
        let base: Search
        var router: Router { base.router }
        init(_ base: Search) { self.base = base }
    }

    @Test("uses all lifetimes, trees, overrides and decorators without a warning")
    func lifetimes() {
        let parent = DIContainer {
            Weak(ConsoleLogger() as Logger)
            Scoped(autowiring: SearchService.init, as: Search.self)
            Shared(RouterImpl() as Router)
            Graph(autowiring: SearchService.init)
            New { resolve in [resolve(SearchService.self), resolve(SearchService.self)] }
            New(SearchViewModel())
            Decorate(SearchViewModel.self) { base, _ in base }
        }
        let child = parent.makeChild {
            Shared(FileLogger() as Logger, name: "child")
        }
        let variant = parent.fork { Decorate(Search.self) { base, _ in LoggedSearch(base) } }
        let services: [SearchService] = child.resolve()
        #expect(services[0] === services[1] && services[0] !== child.resolve(SearchService.self))
        #expect(variant.resolve(Search.self) is LoggedSearch)
        // The type behind the alias is registered again, with `Graph`.
        #expect((child.resolve(Search.self) as AnyObject) !== (child.resolve(Search.self) as AnyObject))
        #expect(!(parent.resolve(Search.self) is LoggedSearch))
        #expect(child.resolve.all(Logger.self).map { $0 is FileLogger } == [true, false])
        parent.seal()
        let fork = parent.fork { Shared(RouterImpl() as Router) }
        #expect(fork.resolve(Router.self) !== parent.resolve(Router.self))
        DIContainer.withContainer(parent) {
            DIContainer.withOverrides({ Shared(RouterImpl() as Router) }) {
                #expect(DIContainer.resolve(Search.self).router === DIContainer.resolve(Router.self))
                #expect(DIContainer.resolve(Router.self) !== parent.resolve(Router.self))
            }
        }
    }

    @Test("lists, validates, draws and observes without a warning")
    func diagnostics() async throws {
        let container = DIContainer { Shared(RouterImpl() as Router) }
        let observation = container.observe { event in if event.kind == .replaced { print(event) } }
        container.register(Shared(autowiring: SearchService.init, as: Search.self))
        observation.cancel()
        #expect(container.registrations.map { $0.lifetime } == [.shared, .shared])
        #expect(try container.validate().isEmpty)
        let findings = try await container.validate(.building(within: .seconds(1_000)) { _ in [1] })
        #expect(findings.allSatisfy { !$0.isError })
        #expect(container.graph.mermaid().hasPrefix("flowchart LR") && container.graph.dot().hasSuffix("}"))
        container.unregister(Router.self)
        do { try container.validate() } catch { #expect("\(error)".contains("Nothing is registered for any Router")) }
    }

    private func asynchronous() -> DIContainer {
        DIContainer {
            Shared(async: { _ in RouterImpl() as Router })
            Shared(autowiring: SearchService.init, as: Search.self)
            New(async: { _, id in "\(id as Int)" })
        }
    }

    @Test("awaits asynchronous factories without a warning")
    func asynchronousFactories() async throws {
        let container = asynchronous()
        #expect(try await container.resolve.async(String.self, arguments: 3) == "3")
        try await container.prepare()
        try await container.prepare(.all)
        #expect(container.resolve(Search.self).router === container.resolve(Router.self))
    }

    /// A feature whose classes are isolated to the main actor. Its registrations don't mention the actor.
    private func register(_ container: DIContainer) {
        let extras: [any RegistrationConvertible] = [Shared(ConsoleLogger() as Logger), New(SearchViewModel())]
        container.register {
            New(DetailViewController() as Showing)
            New(name: "closure") { _ in DetailViewController() as Showing }
            New(autowiring: ListViewController.init, name: "list", as: Showing.self)
            Shared(ConsoleLogger.self as Logger.Type)
            Module(extras)
            Module(Shared(RouterImpl() as Router), New(name: "x") { RouterImpl(config: $0() as AppConfiguration) })
        }
    }

    private nonisolated func registerNonisolated(_ container: DIContainer) {
        container.register {
            Shared(FileLogger.init, as: Logger.self)
            Shared(makeDetail, as: DetailViewModel.self)
        }
    }

    private let makeDetail: (Resolver) -> DetailViewModelImpl = { _ in DetailViewModelImpl(id: 1) }

    @Test("registers view controllers, metatypes, lists and functions without a warning")
    @MainActor
    func firstGuesses() throws {
        let container = DIContainer()
        register(container)
        #expect(container.resolve(Showing.self) is DetailViewController)
        #expect(container.resolve(Showing.self, name: "closure") is DetailViewController)
        let list = try #require(container.resolve(Showing.self, name: "list") as? ListViewController)
        #expect(list.logger is ConsoleLogger)
        let type: Logger.Type = container.resolve()
        let isRegistered = type == ConsoleLogger.self
        #expect(isRegistered)
        #expect(container.resolve.all(Showing.self, name: "list").count == 1)
        registerNonisolated(container)
        #expect(container.resolve(Logger.self) is FileLogger)
        #expect(container.resolve(DetailViewModel.self).id == 1)
        DIContainer.withContainer(container) { #expect(DIContainer.current === container) }
    }
}

protocol Showing {}

@preconcurrency @MainActor
class ViewController {}
class DetailViewController: ViewController, Showing {}
class ListViewController: ViewController, Showing {
    let logger: Logger
    init(logger: Logger) { self.logger = logger }
}
