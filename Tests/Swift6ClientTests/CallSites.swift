import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: the documentation shows them.

// The call sites of an application in Swift 6 mode, as the documentation shows them.

final class AppDelegate {
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
            Shared(PlainStyle() as Style)
            Shared(UserSession() as Session)
            ProvidedByChild(MediaPlayer.self)
            Shared(HTTPAPI() as API, name: "staging")
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

let otherContainer = DIContainer { Shared(MemoryCache() as Cache) }

struct Screen {
    @Inject var router: Router
    @MutableInject var style: Style
    @MutableLazyInject var session: Session
    @Inject var player: MediaPlayer?
    @Inject(name: "staging") var api: API
    @Inject(from: otherContainer) var cache: Cache
    @Inject var makeDetail: Provider<DetailViewModel, Int>
}

func takesRouter(_ router: any Router) -> String { router.open("taken") }

@Suite("Rule C5: a Swift 6 client")
struct Swift6ClientTests {
    @Test("compiles and runs every documented call site")
    func callSites() throws {
        try DIContainer.withContainer(DIContainer()) {
            let delegate = AppDelegate(isDebugBuild: true)
            #expect(delegate.router.open("a") == "localhost/a")
            let id = 7
            let router = DIContainer.resolve(Router.self)
            #expect(router.open("x") == "localhost/x")
            #expect(takesRouter(DIContainer.resolve()) == "localhost/taken")
            let viewModel: DetailViewModel = DIContainer.resolve(id)
            let other = DIContainer.resolve(DetailViewModel.self, arguments: id)
            let third = DIContainer.resolve(Presenter.self) { ("title", 23, true) }
            let maybe = try DIContainer.resolve.orThrow(Router.self)
            #expect(viewModel.id == 7 && other.id == 7)
            #expect(third.text == "title 23 true")
            #expect(maybe as AnyObject === router as AnyObject)
            let screen = Screen()
            #expect(screen.player == nil)
            #expect(screen.makeDetail(42).id == 42)
            #expect(DIContainer.resolve(Search.self).router as AnyObject === router as AnyObject)
            let handler: any DeeplinkHandler = DIContainer.resolve()
            #expect(handler as AnyObject === router as AnyObject)
            #expect(DIContainer.resolve(Logger.self) is ConsoleLogger)
            _ = DIContainer.resolve(SearchViewModel.self, name: "compact")
            DIContainer.register(Shared(RouterImpl() as Router))
        }
    }

    @Test("compares instances by identity if they are requested by type")
    func identity() throws {
        let container = DIContainer {
            Shared(FileLogger(), as: Logger.self)
            New(FileLogger(), name: "new", as: Logger.self)
        }
        let isOne = (container.resolve(Logger.self) as AnyObject) === container.resolve(FileLogger.self)
        #expect(isOne)
        let isOther =
            (container.resolve(Logger.self, name: "new") as AnyObject)
            === (container.resolve(Logger.self, name: "new") as AnyObject)
        #expect(!isOther)
        let isSame =
            try (container.resolve.orThrow(Logger.self) as AnyObject) === container.resolve.orThrow(FileLogger.self)
        #expect(isSame)
        let objects = [container.resolve(Logger.self), container.resolve(Logger.self)] as [AnyObject]
        let object = container.resolve(Logger.self) as AnyObject
        let areOne = objects[0] === objects[1] && object === objects[0]
        #expect(areOne)
    }

    struct Refusal: Error, Equatable { let code: Int }

    @Test("Rule 21: scopes rethrow the operation's own type of error")
    func typedErrorsOfScopes() async {
        let container = DIContainer()
        do throws(Refusal) {
            try DIContainer.withContainer(container) { () throws(Refusal) in throw Refusal(code: 1) }
        } catch { #expect(error.code == 1) }
        do throws(Refusal) {
            try DIContainer.withOverrides {
            } operation: { () throws(Refusal) in
                throw Refusal(code: 2)
            }
        } catch { #expect(error.code == 2) }
        do throws(Refusal) {
            try await DIContainer.withContainer(container) { () async throws(Refusal) in throw Refusal(code: 3) }
        } catch { #expect(error.code == 3) }
        do throws(Refusal) {
            try await DIContainer.withOverrides {
            } operation: { () async throws(Refusal) in
                throw Refusal(code: 4)
            }
        } catch { #expect(error.code == 4) }
    }

    @Test("Rule 18: a typed error of a factory is the underlying error")
    func typedErrorsOfFactories() async {
        let container = DIContainer {
            Shared { () throws(Refusal) -> Int in throw Refusal(code: 1) }
            New(name: "argument") { (_: Resolver, code: Int) throws(Refusal) -> Int in throw Refusal(code: code) }
            New(autowiring: { () throws(Refusal) -> Int in throw Refusal(code: 3) }, name: "autowired")
            Shared(async: { (_: Resolver) async throws(Refusal) -> Int in throw Refusal(code: 4) }, name: "async")
        }
        func code(of request: () throws(ResolutionError) -> Int) -> Int? {
            do throws(ResolutionError) { return try request() } catch {
                return (error.reason.underlyingError as? Refusal)?.code
            }
        }
        #expect(code { () throws(ResolutionError) in try container.resolve.orThrow() } == 1)
        let argument = code { () throws(ResolutionError) in
            try container.resolve.orThrow(Int.self, name: "argument", arguments: 2)
        }
        #expect(argument == 2)
        let autowired = code { () throws(ResolutionError) in
            try container.resolve.orThrow(Int.self, name: "autowired")
        }
        #expect(autowired == 3)
        do {
            _ = try await container.resolve.async(Int.self, name: "async")
            Issue.record("the factory doesn't throw")
        } catch {
            #expect((error as? ResolutionError)?.reason.underlyingError as? Refusal == Refusal(code: 4))
        }
    }

    @Test("Rule 5: a module without braces may have a name")
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
        #expect(try await container.validate(.building(within: .seconds(1_000))).isEmpty)
        #expect(container.graph.mermaid().hasPrefix("flowchart LR") && container.graph.dot().hasSuffix("}"))
        container.unregister(Router.self)
        do { try container.validate() } catch { #expect(error.findings.map(\.kind) == [.error(.notRegistered)]) }
    }

    struct LoggedRouter: Router {
        let base: any Router
        var config: any AppConfiguration { base.config }
        func open(_ path: String) -> String { "logged " + base.open(path) }
    }

    struct Plugins {
        @Inject var caches: All<Cache>
    }

    @Test("uses all lifetimes, trees, overrides, collections and async factories")
    func lifetimes() async throws {
        let parent = DIContainer {
            Shared(async: { _ in AppConfigurationImpl() as AppConfiguration })
            Scoped { resolve in RouterImpl(config: resolve()) as Router }
            Weak(FileLogger() as Logger)
            Graph(FileLogger(), name: "graph", as: AnyObject.self)
            New { resolve in
                [resolve(FileLogger.self, name: "graph"), resolve(AnyObject.self, name: "graph")] as [AnyObject]
            }
            New(async: { resolve, id in DetailViewModelImpl(id: id) })
            Decorate(Router.self) { base, _ in LoggedRouter(base: base) }
            for name in ["memory", "disk"] as [RegistrationName] { Shared(MemoryCache() as Cache, name: name) }
        }
        try await parent.prepare()
        try await parent.prepare(.all)
        let child = parent.makeChild { Shared(MemoryCache() as Cache) }
        #expect(child.resolve(Router.self).open("a") == "logged localhost/a")
        let caches: [AnyObject] = child.resolve()
        let areOne = caches[0] === caches[1]
        #expect(areOne)
        #expect(DIContainer.withContainer(child) { Plugins().caches.count } == 3)
        let first: any Logger = child.resolve()
        let second: any Logger = parent.resolve()
        #expect(first as AnyObject === second as AnyObject)
        #expect(try await child.resolve.async(DetailViewModelImpl.self, arguments: 4).id == 4)
        parent.seal()
        let opened = await DIContainer.withContainer(parent) {
            await DIContainer.withOverrides({
                Shared(AppConfigurationImpl() as AppConfiguration)
                Shared(RouterImpl() as Router)
            }) {
                await Task { DIContainer.resolve(Router.self).open("b") }.value
            }
        }
        #expect(opened == "logged localhost/b")
    }

    /// Code that users of other containers often try first.
    @Test("accepts modules without braces, mixed lists, and labels in one order")
    func firstGuesses() throws {
        let extras: [any RegistrationConvertible] = [Shared(ConsoleLogger() as Logger), New(SearchViewModel())]
        let container = DIContainer {
            Module(Shared(AppConfigurationImpl() as AppConfiguration))
            Module(extras)
            Module([Shared(MemoryCache() as Cache, name: "first"), New(PlainStyle() as Style)])
            Module(
                Shared(autowiring: RouterImpl.init(config:), name: "main", as: Router.self, DeeplinkHandler.self),
                Shared(MemoryCache() as Cache, name: "second"),
                New(name: "main", as: DetailViewModel.self) { _, id in DetailViewModelImpl(id: id) })
        }
        #expect(container.resolve(Logger.self) is ConsoleLogger)
        #expect(container.resolve(DetailViewModel.self, name: "main", arguments: 3).id == 3)
        #expect(try container.resolve.orThrow(DetailViewModel.self, name: "main", arguments: 4).id == 4)
        #expect(container.resolve.all(Cache.self).count == 2)
        #expect(container.resolve.all(Cache.self, name: "second").count == 1)
        #expect(try container.resolve.orThrow.all(Cache.self, name: "third").isEmpty)
        struct Owner {
            @Inject(from: otherContainer, name: nil) var cache: Cache
            @MutableLazyInject(from: otherContainer, name: "none") var unused: Cache
        }
        _ = Owner()
        DIContainer.withContainer(container) {
            #expect(DIContainer.current === container)
            let text = String(describing: DIContainer.current)
            #expect(text == "DIContainer with 8 registrations")
        }
    }

    @Test("builds main-actor types by initializer, and compares metatypes in two steps")
    @MainActor
    func mainActor() {
        let container = DIContainer {
            Shared(MemoryCache() as Cache)
            New(autowiring: CacheView.init)
            Shared(MemoryCache.self as Cache.Type)
        }
        #expect(container.resolve(CacheView.self).cache is MemoryCache)
        #expect(container.registrations.filter(\.isMainActor).map(\.key) == ["CacheView"])
        let type: Cache.Type = container.resolve()
        let isRegistered = type == MemoryCache.self
        #expect(isRegistered)
    }

    @Test("accepts trailing closures, lists, and arguments as a closure in any place")
    func furtherForms() async throws {
        let container = DIContainer()
        container.register([Shared(ConsoleLogger() as Logger), New(SearchViewModel())])
        container.register {
            Shared(AppConfigurationImpl() as AppConfiguration)
            New(autowiring: Tour.init, arguments: Int.self, String.self, as: (any Sendable).self)
            Shared(name: "named") { ConsoleLogger() as Logger }
            Weak(as: DeeplinkHandler.self) { RouterImpl() }
            New(name: "new") { DetailViewModelImpl(id: 1) as DetailViewModel }
            New(async: { _, id in DetailViewModelImpl(id: id) as DetailViewModel })
        }
        #expect(container.resolve(Logger.self, name: "named") is ConsoleLogger)
        #expect(container.resolve(DeeplinkHandler.self) is RouterImpl)
        #expect(container.resolve(DetailViewModel.self, name: "new").id == 1)
        #expect(container.isRegistered(SearchViewModel.self))
        let tour: Tour = container.resolve(1, "a")
        #expect(tour.text == "1 a localhost")
        #expect(try await container.resolve.async(DetailViewModel.self, arguments: { 3 }).id == 3)
        #expect(try await container.resolve.async(DetailViewModel.self) { 4 }.id == 4)
        #expect(try await container.resolve.async(DetailViewModel.self, arguments: 5).id == 5)
        let object = try container.resolve.orThrow(Logger.self) as AnyObject
        #expect(object is ConsoleLogger)
    }

    @Test("registers closures, functions and initializers on the main actor")
    @MainActor
    func mainActorForms() {
        @MainActor func make() -> Panel { Panel("function") }
        @MainActor func makeWith(_ resolve: Resolver) -> Panel { Panel(resolve()) }
        @MainActor func makeFor(_ resolve: Resolver, number: Int) -> Panel { Panel("\(number)") }
        let container = DIContainer {
            Shared("resolved")
            New(mainActor: { Panel("closure") })
            New(mainActor: Panel.init, name: "initializer")
            Shared(mainActor: make, name: "function")
            Shared(mainActor: makeWith, name: "with resolver")
            New(mainActor: makeFor, name: "with argument")
            New(mainActor: { (resolve: Resolver) in Panel(resolve()) }, name: "typed")
            New(mainActor: { resolve in Panel(resolve()) }, name: "untyped")
            New(mainActor: { _, number in Panel("\(number + 1)") }, name: "untyped with argument")
            Scoped(mainActor: Panel("expression"), name: "expression")
        }
        func text(_ name: RegistrationName?) -> String { container.resolve(Panel.self, name: name).text }
        #expect(text(nil) == "closure" && text("initializer") == "initial" && text("function") == "function")
        #expect(text("with resolver") == "resolved" && text("typed") == "resolved" && text("untyped") == "resolved")
        #expect(container.resolve(Panel.self, name: "with argument", arguments: 7).text == "7")
        #expect(container.resolve(Panel.self, name: "untyped with argument", arguments: 7).text == "8")
        #expect(text("expression") == "expression")
        let panels = container.registrations.filter { $0.type == Panel.self && $0.isMainActor }
        #expect(panels.count == 9 && container.registrations.count == 10)
    }
}
