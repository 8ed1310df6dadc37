// The types of the application in `CallSites.swift`.

protocol AppConfiguration: Sendable { var host: String { get } }
protocol Router: Sendable {
    var config: any AppConfiguration { get }
    func open(_ path: String) -> String
}
protocol DeeplinkHandler: Sendable {}
protocol Logger: Sendable {}
protocol Search: Sendable { var router: any Router { get } }
protocol DetailViewModel { var id: Int { get } }
protocol Style: Sendable {}
protocol Session: Sendable {}
protocol MediaPlayer: Sendable {}
protocol API: Sendable {}
protocol Cache: Sendable {}

struct AppConfigurationImpl: AppConfiguration { let host = "localhost" }
final class RouterImpl: Router, DeeplinkHandler {
    let config: any AppConfiguration
    init() { config = AppConfigurationImpl() }
    init(config: any AppConfiguration) { self.config = config }
    func open(_ path: String) -> String { config.host + "/" + path }
}
final class DetailViewModelImpl: DetailViewModel {
    let id: Int
    init(id: Int) { self.id = id }
}
final class SearchService: Search {
    let router: any Router
    init(router: any Router) { self.router = router }
}
final class ConsoleLogger: Logger {}
final class FileLogger: Logger {}
final class SearchViewModel {}
final class Presenter {
    let text: String
    init(title: String, age: Int, isOpen: Bool) { text = "\(title) \(age) \(isOpen)" }
}
struct PlainStyle: Style {}
struct UserSession: Session {}
struct HTTPAPI: API {}
struct MemoryCache: Cache {}

@MainActor
final class Panel {
    let text: String
    init(_ text: String) { self.text = text }
    convenience init() { self.init("initial") }
}

@MainActor
final class CacheView {
    let cache: any Cache
    init(cache: any Cache) { self.cache = cache }
}

final class Tour: Sendable {
    let text: String
    init(id: Int, title: String, config: any AppConfiguration) { text = "\(id) \(title) \(config.host)" }
}
