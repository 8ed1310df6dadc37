import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

// Plain requests: an application in Swift 5 mode writes them.

@Suite("Rule C5: registrations of a Swift 5 client on the main actor")
struct MainActorRegistrationTests {
    @Test("calls closures that are written on the main actor on any thread")
    @MainActor
    func closuresOfTheMainActor() async {
        let container = DIContainer {
            Shared(ConsoleLogger() as Logger)
            Shared { RouterImpl() }
            Shared { resolve in RouterImpl(config: resolve()) as Router }
            Shared(autowiring: { (logger: Logger) in "\(logger is ConsoleLogger)" })
            Shared(name: "named") { _ in AppConfigurationImpl() as AppConfiguration }
            Shared(AppConfigurationImpl.init, as: AppConfiguration.self)
        }
        let text = await Task.detached { () -> String in
            _ = container.resolve(RouterImpl.self)
            _ = container.resolve(Router.self)
            _ = container.resolve(AppConfiguration.self, name: "named")
            return container.resolve()
        }.value
        #expect(text == "true")
    }

    private nonisolated static func makeSearch(router: Router) -> SearchService { SearchService(router: router) }

    @Test("autowires types registered in a main-actor function on any thread")
    @MainActor
    func autowiringOnTheMainActor() async {
        let container = DIContainer {
            Shared(ConsoleLogger() as Logger)
            Shared(RouterImpl() as Router)
            Shared(autowiring: SearchService.init, as: Search.self)
            Shared(autowiring: SearchService.init(router:), name: "labeled", as: Search.self)
            Shared(autowiring: Self.makeSearch, name: "function", as: Search.self)
            New(autowiring: ListViewController.init)
            New(mainActor: { resolve in Panel(logger: resolve()) })
        }
        #expect(container.registrations.filter(\.isMainActor).map { "\($0.type)" } == ["Panel"])
        let names: [RegistrationName?] = [nil, "labeled", "function"]
        let isSame = await Task.detached {
            names.allSatisfy { container.resolve(Search.self, name: $0).router === container.resolve(Router.self) }
        }.value
        #expect(isSame)
        #expect(container.resolve(Panel.self).logger is ConsoleLogger)
        #expect(container.resolve(ListViewController.self).logger is ConsoleLogger)
        let other = makeContainer()
        #expect(other.registrations.map(\.isMainActor) == [true, true])
    }

    /// Outside of the main actor, the compiler knows which initializers are isolated to it.
    private nonisolated func makeContainer() -> DIContainer {
        DIContainer {
            Shared(autowiring: Panel.init)
            New(autowiring: Panel.init, name: "new")
        }
    }

    @Test("isolates a closure that is marked @MainActor or passed as `mainActor:`")
    @MainActor
    func markedClosures() {
        let container = DIContainer {
            New { @MainActor _ in DetailViewController() }
            New(mainActor: { DetailViewController() }, name: "plain")
            New(mainActor: { (_: Resolver) in DetailViewController() }, name: "typed")
            New(name: "trailing") { ConsoleLogger() as Logger }
        }
        #expect(container.registrations.map(\.isMainActor) == [true, true, true, false])
        let names: [RegistrationName?] = [nil, "plain", "typed"]
        for name in names { _ = container.resolve(DetailViewController.self, name: name) }
        #expect(container.resolve(Logger.self, name: "trailing") is ConsoleLogger)
    }

    @Test("isolates a function passed as `mainActor:`, with any arguments")
    @MainActor
    func functionsOfTheMainActor() {
        let container = DIContainer {
            New(mainActor: DetailViewController.init, as: Showing.self)
            New(mainActor: Panel.plain, name: "plain")
            New(mainActor: { _, logger in Panel(logger: logger) }, name: "closure")
            New(mainActor: Panel.resolved, name: "resolved")
            New(mainActor: Panel.logging, name: "logging")
            New(mainActor: Stove.init)
            New(mainActor: Stove.resolved, name: "resolved")
            Shared(ConsoleLogger() as Logger)
        }
        #expect(container.registrations.map(\.isMainActor) == [true, true, true, true, true, false, false, false])
        #expect(container.resolve(Showing.self) is DetailViewController)
        #expect(container.resolve(Panel.self, name: "plain").logger is FileLogger)
        let panel = container.resolve(Panel.self, name: "closure", arguments: ConsoleLogger() as Logger)
        #expect(panel.logger is ConsoleLogger)
        #expect(container.resolve(Panel.self, name: "resolved").logger is ConsoleLogger)
        let logging = container.resolve(Panel.self, name: "logging", arguments: FileLogger() as Logger)
        #expect(logging.logger is FileLogger)
        for name in [nil, "resolved"] as [RegistrationName?] {
            #expect(throws: ResolutionError.self, "It belongs to another actor.") {
                try container.resolve.orThrow(Stove.self, name: name)
            }
        }
    }
}

@globalActor
actor Kitchen {
    static let shared = Kitchen()
}

@Kitchen
final class Stove {
    static func resolved(_ resolve: Resolver) -> Stove { Stove() }
}

@MainActor
class Panel {
    let logger: Logger
    init(logger: Logger) { self.logger = logger }
    static func plain() -> Panel { Panel(logger: FileLogger()) }
    static func resolved(_ resolve: Resolver) throws -> Panel { Panel(logger: resolve()) }
    static func logging(_ resolve: Resolver, logger: Logger) -> Panel { Panel(logger: logger) }
}
