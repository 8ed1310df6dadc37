import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the documentation shows them.

// The call sites of an application, as the documentation shows them. This file is compiled in Swift 6 mode and, by a
// symbolic link, in Swift 5 mode. There, `Service` isn't `Sendable`, and the file must compile without a warning.
// `.ci/corpora/valid-lines.txt` has every form of a registration and of a request.

#if swift(>=6)
    typealias Service = Sendable
#else
    protocol Service {}
#endif

protocol AppConfiguration: Service { var host: String { get } }
protocol Router: Service, AnyObject { var address: String { get } }
protocol DeeplinkHandler: Service, AnyObject {}
protocol Logger: Service {}
protocol Search: Service { var router: any Router { get } }
protocol DetailViewModel { var id: Int { get } }

final class AppConfigurationImpl: AppConfiguration { let host = "localhost" }
final class RouterImpl: Router, DeeplinkHandler {
    let config: any AppConfiguration
    init() { config = AppConfigurationImpl() }
    init(config: any AppConfiguration) { self.config = config }
    var address: String { config.host }
}
final class LoggedRouter: Router {
    let base: any Router
    init(_ base: any Router) { self.base = base }
    var address: String { "logged " + base.address }
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
    @Inject(name: "staging") var stagingLogger: Logger
    @Inject(from: otherContainer) var otherLogger: Logger
    @Inject var makeDetail: Provider<DetailViewModel, Int>
}

@Suite("Rule C5: An application")
struct CallSiteTests {
    @Test("compiles without a warning, and runs the documented call sites")
    func callSites() throws {
        DIContainer.withContainer(DIContainer()) {
            let delegate = AppDelegate(isDebugBuild: true)
            let router = DIContainer.resolve(Router.self)
            #expect(delegate.router === router)
            let handler: any DeeplinkHandler = DIContainer.resolve()
            #expect(handler === router)
            #expect(DIContainer.resolve(Search.self).router === router)
            let viewModel: DetailViewModel = DIContainer.resolve(7)
            #expect(viewModel.id == 7)
            #expect(DIContainer.resolve(RouterImpl.self, name: "child").address == "localhost")
            #expect(DIContainer.resolve(DetailViewModelImpl.self, name: "compact").id == 1)

            let screen = Screen()
            #expect(screen.router === router)
            #expect(screen.logger is ConsoleLogger)
            #expect(screen.stagingLogger is FileLogger)
            #expect(screen.otherLogger is FileLogger)
            #expect(screen.makeDetail(42).id == 42)
            screen.search = SearchService(router: RouterImpl())
            #expect(screen.search.router !== router)
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

    @Test("validates and observes")
    func diagnostics() async throws {
        let container = DIContainer { Shared(autowiring: SearchService.init, as: Search.self) }
        let error = #expect(throws: DIContainer.ValidationError.self) { try container.validate() }
        #expect(error?.findings.map(\.kind) == [.error(.notRegistered)])
        let observation = container.observe { event in if event.kind == .replaced { print(event) } }
        container.register(Shared(RouterImpl() as Router))
        observation.cancel()
        #expect(try await container.validate(.building(within: .seconds(1_000)) { _ in [1] }).isEmpty)
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
        }
        #expect(try await parent.resolve.async(DetailViewModelImpl.self, arguments: 4).id == 4)
        try await parent.prepare()
        let child = parent.makeChild { Shared(ConsoleLogger() as Logger, name: "child") }
        #expect(child.resolve(Router.self).address == "logged localhost")
        #expect(child.resolve.all(Logger.self).map { $0 is FileLogger } == [false, true])
        let address = await DIContainer.withContainer(parent) {
            await DIContainer.withOverrides({
                Shared(AppConfigurationImpl() as AppConfiguration)
                Shared(RouterImpl() as Router)
            }) {
                await Task { DIContainer.resolve(Search.self).router.address }.value
            }
        }
        #expect(address == "logged localhost")
    }

    // In an asynchronous function, the compiler warns about handlers of types that aren't Sendable in Swift 5 mode.
    @Test("Rule 23: contributes services to a collection")
    func collections() {
        let container = DIContainer {
            Shared(ConsoleLogger() as Logger)
                .onClose { logger in print(logger) }
                .into(Logger.self)
            New(name: "new") { _ in FileLogger() }.into(Logger.self)
            Scoped(FileLogger(), as: AnyObject.self).into(Logger.self).onClose { _ in }
            Weak { _ in FileLogger() as Logger }.into(Logger.self)
            Graph(FileLogger.init, name: "graph").into(Logger.self).into(AnyObject.self)
            New(autowiring: { (loggers: [Logger]) in loggers.count })
        }
        #expect(container.resolve() == 5)
    }
}

// MARK: Errors

struct Failure: Error { var code = 0 }

extension ResolutionError {
    fileprivate var code: Int? { (reason.underlyingError as? Failure)?.code }
}

extension CallSiteTests {
    @Test("Rule 18: a typed error of a factory is the underlying error")
    func typedErrors() async {
        let resolve = DIContainer {
            Shared { () throws(Failure) -> Int in throw Failure(code: 1) }
            New(name: "argument") { (_: Resolver, code: Int) throws(Failure) -> Int in throw Failure(code: code) }
            New(autowiring: { () throws(Failure) -> Int in throw Failure(code: 3) }, name: "autowired")
            Shared(async: { (_: Resolver) async throws(Failure) -> Int in throw Failure(code: 4) }, name: "async")
        }.resolve
        let shared = #expect(throws: ResolutionError.self) { try resolve.orThrow(Int.self) }
        #expect(shared?.code == 1)
        let new = #expect(throws: ResolutionError.self) {
            try resolve.orThrow(Int.self, name: "argument", arguments: 2)
        }
        #expect(new?.code == 2)
        let autowired = #expect(throws: ResolutionError.self) { try resolve.orThrow(Int.self, name: "autowired") }
        #expect(autowired?.code == 3)
        let awaited = await #expect(throws: ResolutionError.self) { try await resolve.async(Int.self, name: "async") }
        #expect(awaited?.code == 4)
    }
}

// MARK: Closing

actor Journal {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}
@MainActor final class Window { var isOpen = true }

extension CallSiteTests {
    private func makeContainer(_ journal: Journal) -> DIContainer {
        DIContainer {
            Shared(FileLogger())
                .onClose { (_: FileLogger) async in await journal.add("typed") }
            Scoped { _ in RouterImpl() }
                .onClose { router, failure in
                    await journal.add("\(router.address), failed: \(failure is Failure)")
                }
            Shared(mainActor: Window())
                .onClose(mainActor: { window in window.isOpen = false })
                .onClose(mainActor: { window, failure in
                    await journal.add("window \(window.isOpen), failed: \(failure is Failure)")
                })
        }
    }

    @Test("Rules 20, 21: closes children and containers with the outcome of an operation")
    func closing() async throws {
        let journal = Journal()
        let app = makeContainer(journal)
        let window = await MainActor.run { app.resolve(Window.self) }
        try await app.withChild {
            Shared(1)
        } operation: { child in
            #expect(DIContainer.resolve(Int.self) == 1)
            _ = child.resolve(FileLogger.self)
            _ = child.resolve(RouterImpl.self)
        }
        do {
            try await DIContainer.withContainer(app) {
                try await DIContainer.withChild { child in
                    _ = child.resolve(RouterImpl.self)
                    throw Failure()
                }
            }
        } catch is Failure {}
        try await app.close(dueTo: Failure())
        let routers = ["localhost, failed: false", "localhost, failed: true"]
        #expect(await journal.lines == routers + ["typed", "window true, failed: true"])
        #expect(await !window.isOpen)
        do { try await app.close() } catch let error as CloseError { Issue.record("\(error.failures)") }
    }
}
