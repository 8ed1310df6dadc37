// Declarations that the snippets of the documentation use without showing them. See `steps/snippets`.

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
struct UserSession: Session {
    init() {}
    init(user: String) {}
}
final class Handler: Sendable {
    init(session: any Session) {}
    init(session: any Session, unit: UnitOfWork) {}
    func handle(_ path: String) {}
    func answer(_ path: String) async throws -> String { path }
}
final class RequestContext: Sendable {
    init(logger: any Logger) {}
}

protocol Clock: Sendable { var now: Double { get } }
struct SystemClock: Clock { var now: Double { 1 } }
struct FixedClock: Clock { let now = 0.0 }
protocol Scheduler: Sendable { func run() }
final class SchedulerImpl: Scheduler {
    init(clock: any Clock) {}
    func run() {}
}
protocol Store: Sendable {}
struct MemoryStore: Store {}
struct FileStore: Store {}
final class ImageCache: Sendable {
    init(files: any Store) {}
}
final class LoggingRouter: Router {
    private let base: any Router
    init(_ base: any Router, logger: any Logger) { self.base = base }
    func start() { base.start() }
    func open(_ path: String) { base.open(path) }
}
final class CountingRouter: Router {
    private let base: any Router
    init(_ base: any Router) { self.base = base }
    func start() { base.start() }
    func open(_ path: String) { base.open(path) }
}
protocol Plugin: Sendable { var title: String { get } }
struct SpellingPlugin: Plugin { let title = "Spelling" }
struct GrammarPlugin: Plugin { let title = "Grammar" }

// MARK: Asynchronous services

struct Configuration: Sendable {
    static func load() async throws -> Self { Self() }
}
final class Transaction: Sendable {
    init(database: Database) {}
}
final class Account: Sendable {
    init(transaction: Transaction) {}
}
final class Transfer: Sendable {
    init(from: Account, to: Account) {}
}
final class Database: Sendable {
    static func open(_ configuration: Configuration) async throws -> Database { Database() }
    func titles() -> [String] { [] }
}
final class Repository: Sendable {
    init(database: Database) {}
}
final class Document {
    static func load(_ path: String) async throws -> Document { Document() }
}

final class Pool: Sendable {
    static func open() async throws -> Pool { Pool() }
    func close() async {}
}
final class UnitOfWork: Sendable {
    init(pool: Pool, session: any Session) {}
    func commit() async throws {}
    func rollBack() async {}
}
struct Request: Sendable {}
struct ShowNote {
    init(request: Request, id: Int, store: any Store) {}
}
struct HTTPServer: Sendable {
    func run(_ answer: @Sendable (String) async throws -> String = { $0 }) async throws { _ = try await answer("") }
    func stopListening() {}
}
struct HTTPStatus: Error {
    init(_ code: Int, _ text: String) {}
}
struct NotAllowed: Error {}

// MARK: View models

protocol DetailViewModel { var id: Int { get } }
final class DetailViewModelImpl: DetailViewModel {
    let id: Int
    init(id: Int) { self.id = id }
    init(id: Int, api: API) { self.id = id }
}
protocol ViewModel: AnyObject {}
final class NoteViewModel: ViewModel {
    let id: Int
    init(id: Int, logger: any Logger) { self.id = id }
}
final class SearchViewModel {
    init() {}
    init(query: String, search: any Search) {}
}
enum SearchFeature {
    static let module = Module { New { resolve, query in SearchViewModel(query: query, search: resolve()) } }
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
@MainActor final class TabbedWindows: Windows {
    private let base: any Windows
    init(_ base: any Windows) { self.base = base }
    func open() { base.open() }
    func closeAll() {}
}

// MARK: Values

let isDebugBuild = true
let regions = ["eu", "us"]
let user = "ada"
let path = "/notes"
let session = UserSession(user: user)
let server = HTTPServer()
let container = DIContainer()
let app = DIContainer()
let otherContainer = DIContainer()
