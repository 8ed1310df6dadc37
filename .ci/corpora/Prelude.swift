// The declarations that the lines of the two corpora use.

import DependencyInjection
import Interface
import Observation

nonisolated protocol Logger: Sendable {}
nonisolated struct FileLogger: Logger {}
nonisolated struct Wrap: Logger { let base: Logger }
nonisolated protocol Showing {}
nonisolated final class Detail: Showing, Sendable { let id: Int; init(id: Int) { self.id = id } }
nonisolated final class Mutable { var text = "" }
nonisolated protocol Printing {}
nonisolated struct Services { let logger: Logger }
nonisolated struct ConsolePrinter: Printing {}
nonisolated struct Conn: Sendable { func close() {}; func rollBack() {}; func log(_ text: String) {} }
nonisolated final class Defaults { nonisolated(unsafe) static let standard = Defaults() }
nonisolated func takesLogger(_ logger: Logger) {}
@MainActor final class Screen { let id: Int; init(id: Int) { self.id = id } }
@MainActor final class Editor { init(_ note: Mutable) {} }
@MainActor final class Window { init() {} }
extension ViewController: Showing {}
@MainActor enum Feature { static let module = Module { Shared(mainActor: Window()) } }
nonisolated enum PlainFeature { static let module = Module { Shared(mainActor: Window()) } }
protocol PageStore { var titles: [String] { get } }
final class FilePageStore: PageStore { let titles: [String]; init(titles: [String]) { self.titles = titles } }
final class PageList { let store: PageStore; init(store: PageStore) { self.store = store } }
func makePages(_ resolve: Resolver) -> PageList { PageList(store: resolve()) }

// For valid lines.
nonisolated struct Options: Sendable, Equatable {
    var isStrict = false; var level = 0; static let strict = Options(isStrict: true)
}
nonisolated enum Level: String, Sendable, CaseIterable { case low, high }
nonisolated struct Endpoint: Sendable, Equatable { var host: String; var port: Int = 80; var tags: [String] = [] }
nonisolated struct LoadError: Error {}
nonisolated protocol Search: Sendable { var title: String { get } }
nonisolated final class SearchService: Search, Sendable {
    let title: String
    init(title: String = "search") { self.title = title }
    init(logger: Logger, options: Options) { title = "\(logger is FileLogger) \(options.level)" }
    init?(checked title: String?) { guard let title else { return nil }; self.title = title }
    static let standard = SearchService(title: "standard")
    static func make() -> SearchService { SearchService(title: "made") }
    func with(_ suffix: String) -> SearchService { SearchService(title: title + suffix) }
}
nonisolated final class Box<Value: Sendable>: Sendable { let value: Value; init(_ value: Value) { self.value = value } }
nonisolated struct Pair<First: Sendable, Second: Sendable>: Sendable { let first: First, second: Second }
nonisolated struct Job: Sendable {
    let text: String; init(_ text: String = "job") { self.text = text };
    init(level: Level, count: Int) { text = "\(level) \(count)" }
}
nonisolated class Animal: @unchecked Sendable {
    let name: String; required init(name: String = "animal") { self.name = name }
}
nonisolated final class Dog: Animal, @unchecked Sendable {}
actor Counter { var count = 0; init() {}; init(from count: Int) { self.count = count } }
nonisolated enum Flags {
    static let isDebug = true, level = Level.high, host: String? = nil, port: Int? = 8080, list = [3, 1, 2]
}
nonisolated func identity<T>(_ value: T) -> T { value }
nonisolated func load<T>(_ value: T) throws -> T { value }
nonisolated func loadLater<T: Sendable>(_ value: T) async throws -> T { value }
nonisolated func fresh() async -> SearchService { SearchService(title: "fresh") }
nonisolated func build(_ edit: (inout Options) -> Void) -> Options {
    var options = Options(); edit(&options); return options
}
nonisolated func makeJob() -> Job { Job("function") }
nonisolated func makeSearch(_ resolve: Resolver) -> any Search { SearchService(title: "by \(resolve(Level.self))") }
nonisolated func makeEndpoint(_ resolve: Resolver, port: Int) throws -> Endpoint {
    Endpoint(host: "\(resolve(Level.self))", port: port)
}
infix operator <+> : AdditionPrecedence
nonisolated func <+> (first: Options, level: Int) -> Options {
    Options(isStrict: first.isStrict, level: first.level + level)
}
nonisolated extension RegistrationName { static let main: Self = "main" }

// The registrations of the container, in addition to the registration of a line.
nonisolated let standard = Module {
    Shared(FileLogger() as Logger)
    Shared(FileLogger() as Logger, name: "x")
    Shared(FileLogger())
    Shared(Level.high)
    Shared(Detail(id: 1))
    Shared(Options(level: 7))
    New { _, number in Box(number as Int) }
    New { _, number, text in Pair(first: number as Int, second: text as String) }
    Shared(Job("other"), name: "other")
    Shared(FileGreeter(1), as: Greeter.self)
    Shared(FileGreeter(2), name: "x", as: Greeter.self)
    Shared(FileGreeter.self as any Greeter.Type)
}

// Types with a request in every expression. Each request resolves a greeter with a number of its own.
nonisolated protocol Greeter: Sendable { var number: Int { get } }
nonisolated struct FileGreeter: Greeter, Equatable { var number: Int; init(_ number: Int = 0) { self.number = number } }
typealias AnyGreeter = any Greeter
prefix operator ^
nonisolated prefix func ^ (greeter: any Greeter) -> Int { greeter.number }
nonisolated func <+> (greeter: any Greeter, number: Int) -> Int { greeter.number + number }
nonisolated func value(of greeter: some Greeter) -> Int { greeter.number }
nonisolated func value(ofAny greeter: Any) -> Int? { (greeter as? any Greeter)?.number }
nonisolated func value(ofLazy greeter: @autoclosure () throws -> any Greeter) rethrows -> Int { try greeter().number }
nonisolated func value(later greeter: some Greeter) async -> Int { await Task.yield(); return greeter.number }
nonisolated struct Numbers {
    subscript(greeter: any Greeter) -> Int { greeter.number }
    subscript(number: Int) -> Int { number }
}
nonisolated struct Guest: Sendable { var greeter: any Greeter; var number: Int { greeter.number } }
nonisolated let maker = DIContainer {
    New { (_: Resolver, number: Int) in FileGreeter(number) }
    New { (_: Resolver, number: Int) in FileGreeter(number) as any Greeter }
}

// Types with a constrained existential, and a type behind one.
nonisolated protocol Cache<Element>: Sendable { associatedtype Element; var element: Element { get } }
nonisolated protocol Counting: Sendable {}
nonisolated struct MemoryCache: Cache, Counting { let element = "memory" }
nonisolated let caching = DIContainer {
    Shared(MemoryCache(), as: (any Cache<String>).self, (any Cache<String> & Counting).self)
    Shared(MemoryCache.self as any Cache<String>.Type)
    Shared(MemoryCache() as any Cache<String>, name: "contributed").into((any Cache<String>).self)
    New([1, 2] as any Collection<Int>)
}

// Initializers and factories with typed errors.
nonisolated final class Store: Sendable {
    let number: Int
    init(number: Int) throws(LoadError) { if number < 0 { throw LoadError() }; self.number = number }
    init(level: Level) throws(LoadError) { number = level == .high ? 4 : 3 }
    init(level: Level, options: Options) throws(LoadError) { number = options.level }
    init(first: Int, second: Int, level: Level) throws(LoadError) { number = first + second }
    init(first: Int, second: Int, third: Int, level: Level) throws(LoadError) { number = first + second + third }
    init(later number: Int) async throws(LoadError) { if number < 0 { throw LoadError() }; self.number = number }
    static func make() throws(LoadError) -> Store { try Store(number: 5) }
    @Sendable static func resolved(_ resolve: Resolver) throws(LoadError) -> Store { try Store(level: resolve()) }
    @Sendable static func given(_ resolve: Resolver, number: Int) throws(LoadError) -> Store { try Store(number: number) }
    static func opened(_ resolve: Resolver) async throws(LoadError) -> Store { try await Store(later: 6) }
}
nonisolated func openStore(_ resolve: Resolver) async throws(LoadError) -> Store { try await Store(later: 6) }
@MainActor final class Panel {
    let number: Int
    init() throws(LoadError) { number = 0 }
    init(level: Level) throws(LoadError) { number = level == .high ? 4 : 3 }
    init(number: Int, level: Level) throws(LoadError) { self.number = number }
    static func make(_ resolve: Resolver) throws(LoadError) -> Panel { try Panel(level: resolve()) }
}
@MainActor final class EmptyPanel { init() throws(LoadError) {} }
nonisolated final class EmptyStore: Sendable { init() throws(LoadError) {} }
