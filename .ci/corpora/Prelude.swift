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
protocol NoteStore { var titles: [String] { get } }
final class FileNoteStore: NoteStore { let titles: [String]; init(titles: [String]) { self.titles = titles } }
final class NoteList { let store: NoteStore; init(store: NoteStore) { self.store = store } }
func makeList(_ resolve: Resolver) -> NoteList { NoteList(store: resolve()) }

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
}
