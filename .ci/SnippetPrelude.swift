// Declarations that the snippets of the documentation use without showing them. See `.ci/snippets`.

import DependencyInjection

// MARK: Services

protocol AppConfiguration: Sendable { var host: String { get } }
struct AppConfigurationImpl: AppConfiguration { var host = "localhost" }

protocol Logger: Sendable { func log(_ message: String) }
final class ConsoleLogger: Logger { func log(_ message: String) {} }
final class FileLogger: Logger { func log(_ message: String) {} }

protocol Router: Sendable {
    func start()
    func open(_ path: String)
}
protocol DeeplinkHandler: Sendable {}
final class RouterImpl: Router, DeeplinkHandler {
    init() {}
    init(config: any AppConfiguration) {}
    func start() {}
    func open(_ path: String) {}
}
final class FakeRouter: Router {
    func start() {}
    func open(_ path: String) {}
}

struct API: Sendable {
    let host: String
    init(_ host: String) { self.host = host }
}

protocol Search: Sendable { func find(_ text: String) -> [String] }
final class SearchService: Search {
    init(api: API, logger: (any Logger)?) {}
    func find(_ text: String) -> [String] { [] }
}
struct SavedSearch: Sendable {
    init(query: String, search: any Search) {}
}

protocol Cache: Sendable {}
final class MemoryCache: Cache {}
protocol MediaPlayer: Sendable {}
protocol Style: Sendable {}
struct PlainStyle: Style {}
protocol Session: Sendable {}
struct UserSession: Session {}

// MARK: View models

protocol DetailViewModel { var id: Int { get } }
final class DetailViewModelImpl: DetailViewModel {
    let id: Int
    init(id: Int) { self.id = id }
    init(id: Int, api: API) { self.id = id }
}
final class NoteViewModel {
    let id: Int
    init(id: Int, logger: any Logger) { self.id = id }
}
final class SearchViewModel {
    init() {}
    init(query: String, search: any Search) {}
}
final class SearchResults {
    init(search: any Search) {}
}
final class Presenter {
    init(title: String, count: Int, isOpen: Bool) {}
}
final class DebugMenu {}

// MARK: Main-actor types

@MainActor protocol Windows: AnyObject { func open() }
@MainActor final class WindowController: Windows { func open() {} }

// MARK: Values

let isDebugBuild = true
let regions = ["eu", "us"]
let container = DIContainer()
let otherContainer = DIContainer()
