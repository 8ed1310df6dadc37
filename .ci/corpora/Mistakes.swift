// Mistakes, and every message of the compiler for each of them, which `swiftc -frontend -verify` compares.
//
// A message without a prefix is the same in each mode. `5-`, `6-` and `main-` precede a message in Swift 5, in Swift 6, and in
// Swift 6 with the main actor as the default isolation.

import DependencyInjection
import Interface
import Observation
@testable import Prelude

nonisolated let container = DIContainer {}
nonisolated let isOn = true
nonisolated let maybe: FileLogger? = nil
nonisolated(unsafe) let extras: [any RegistrationConvertible] = []

// Declared here, because a module doesn't record the isolation that its declarations have by default.
protocol NoteStore { var titles: [String] { get } }
// expected-6-note@-1 2 {{protocol 'NoteStore' does not conform to the 'Sendable' protocol}}
// expected-main-note@-2 2 {{protocol 'NoteStore' does not conform to the 'Sendable' protocol}}
// expected-main-note@-3 {{property declared here}}
final class FileNoteStore: NoteStore { let titles: [String]; init(titles: [String]) { self.titles = titles } }
// expected-main-note@-1 3 {{calls to initializer 'init(titles:)' from outside of its actor context are implicitly asynchronous}}
// expected-main-note@-2 3 {{main actor isolation inferred from conformance to protocol 'NoteStore'}}
final class NoteList { let store: NoteStore; init(store: NoteStore) { self.store = store } }
func makeList(_ resolve: Resolver) -> NoteList { NoteList(store: resolve()) }

// MARK: Requests, registrations and wrappers

func mistake1() throws {
    let logger = DIContainer.resolve(); _ = logger
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake2() throws {
    let detail = DIContainer.resolve(42); _ = detail
    // expected-error@-1 {{'callAsFunction(_:_:name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake3() throws {
    let logger = container.resolve(); _ = logger
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake4() throws {
    _ = try? container.resolve.orThrow()
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = try resolve.orThrow()'}}
}

func mistake5() throws {
    _ = try? DIContainer.resolve.orThrow(42)
    // expected-error@-1 {{'callAsFunction(_:_:name:)' is unavailable: state the type: 'let router: Router = try resolve.orThrow()'}}
}

func mistake6() throws {
    DIContainer.resolve().log()
    // expected-error@-1 {{value of type '_StateTheTypeToResolve' has no member 'log'}}
}

func mistake7() throws {
    _ = New { resolve in resolve.resolve(Logger.self) }
    // expected-error@-1 {{'resolve' is unavailable: call the resolver itself: 'resolve(Router.self)'}}
}

func mistake8() throws {
    _ = Shared(Logger.self) { FileLogger() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake9() throws {
    _ = Shared(Logger.self) { resolve in FileLogger() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake10() throws {
    _ = New(FileLogger()).onClose { _ in }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'New<FileLogger>' conform to '_SharedOrScoped'}}
}

func mistake11() throws {
    _ = Weak(FileLogger()).onClose { logger, failure in print(failure == nil) }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'Weak<FileLogger>' conform to '_SharedOrScoped'}}
}

func mistake12() throws {
    _ = Graph { _ in FileLogger() }.onClose { logger in print(logger) }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'Graph<FileLogger>' conform to '_SharedOrScoped'}}
}

func mistake13() throws {
    _ = Shared(FileLogger()).into(Logger)
    // expected-error@-1 {{expected member name or initializer call after type name}}
    // expected-note@-2 {{use '.self' to reference the type object}}
}

func mistake14() throws {
    _ = Shared(FileLogger()).into()
    // expected-error@-1 {{generic parameter 'Collected' could not be inferred}}
    // expected-error@-2 {{missing argument for parameter #1 in call}}
}

func mistake15() throws {
    _ = Shared(FileLogger()).into(FileLogger())
    // expected-error@-1 {{generic parameter 'Collected' could not be inferred}}
    // expected-error@-2 {{cannot convert value of type 'FileLogger' to expected argument type 'Collected.Type'}}
}

func mistake16() throws {
    _ = Module { Shared(FileLogger()) }.into(Logger.self)
    // expected-error@-1 {{value of type 'Module' has no member 'into'}}
}

func mistake17() throws {
    _ = Decorate(Logger.self) { base, _ in base }.into(Logger.self)
    // expected-error@-1 {{value of type 'Decorate' has no member 'into'}}
}

func mistake18() throws {
    container.register { Shared(FileLogger()).into(Loger.self) }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{generic parameter 'Collected' could not be inferred}}
}

func mistake19() throws {
    container.register { [New(1), New("one")] }
    // expected-error@-1 {{type 'Any' cannot conform to 'RegistrationConvertible'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake20() throws {
    let detail = DIContainer.resolve(Detail.self, 42); _ = detail
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake21() throws {
    let detail: Detail = DIContainer.resolve(Detail.self, 42); _ = detail
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake22() throws {
    let detail: Detail = container.resolve(Detail.self, 42, name: "x"); _ = detail
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake23() throws {
    _ = Module { extras }
    // expected-error@-1 {{type 'any RegistrationConvertible' cannot conform to 'RegistrationConvertible'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake24() throws {
    _ = Module { if isOn { extras } }
    // expected-error@-1 {{type 'any RegistrationConvertible' cannot conform to 'RegistrationConvertible'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake25() throws {
    _ = Module { [Shared(FileLogger() as Logger), New(Detail(id: 1))] }
    // expected-error@-1 {{type 'Any' cannot conform to 'RegistrationConvertible'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake26() throws {
    _ = Module { FileLogger() }
    // expected-error@-1 {{argument type 'FileLogger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake27() throws {
    _ = Module {
        New(1)
        FileLogger()
    // expected-error@-1 {{argument type 'FileLogger' does not conform to expected type 'RegistrationConvertible'}}
        New(2)
    }
}

func mistake28() throws {
    _ = Module {
        if isOn {
            New(1)
            print(2)
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
        }
        New(3)
    }
}

func mistake29() throws {
    _ = Module {
        New(1)
        extras
    // expected-error@-1 {{type 'any RegistrationConvertible' cannot conform to 'RegistrationConvertible'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
    }
}

func mistake30() throws {
    @Inject var logger: Logger = FileLogger()
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
}

func mistake31() throws {
    @Inject var logger = FileLogger()
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
    // expected-error@-2 {{generic parameter 'Value' could not be inferred}}
}

func mistake32() throws {
    @Inject(from: container, name: "x") var logger: Logger? = nil
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
    // expected-error@-2 {{'nil' requires a contextual type}}
}

func mistake33() throws {
    @LazyInject var logger: Logger = FileLogger()
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
}

func mistake34() throws {
    struct Page { @LazyInject(name: "x") var logger = FileLogger() }
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{extra argument 'wrappedValue' in call}}
}

func mistake35() throws {
    @Inject var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake36() throws {
    struct Page { @Inject(name: "x") var logger }
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake37() throws {
    struct Page { @LazyInject var logger }
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake38() throws {
    struct Page { @MutableInject var logger }
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake39() throws {
    struct Page { @MutableLazyInject(name: "x") var logger }
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake40() throws {
    struct Page { @Inject var logger: Logger }; _ = Page(logger: FileLogger())
    // expected-error@-1 {{cannot convert value of type 'FileLogger' to expected argument type 'Inject<any Logger>'}}
}

func mistake41() throws {
    struct Page { @Inject var logger: Logger; mutating func set() { logger = FileLogger() } }
    // expected-error@-1 {{cannot assign to property: 'logger' is a get-only property}}
}

func mistake42() throws {
    struct Page { @LazyInject var logger: Logger }; func set(_ page: Page) { page.logger = FileLogger() }
    // expected-error@-1 {{cannot assign to property: 'logger' is a get-only property}}
}

func mistake43() throws {
    let detail: Detail = DIContainer.resolve(Logger.self); _ = detail
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake44() throws {
    let detail: Detail = container.resolve(Showing.self, name: "x"); _ = detail
    // expected-error@-1 {{cannot convert value of type 'any Showing' to specified type 'Detail'}}
}

func mistake45() throws {
    let logger: Logger = container.resolve(Logger.self, name: "x")!; _ = logger
    // expected-error@-1 {{cannot force unwrap value of non-optional type 'any Logger'}}
}

func mistake46() throws {
    let logger: FileLogger? = try? container.resolve.orThrow(Logger.self); _ = logger
    // expected-error@-1 {{type '(any Logger).Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake47() throws {
    let detail = container.resolve(Detail.self)!; _ = detail.id
    // expected-error@-1 {{cannot force unwrap value of non-optional type 'Detail'}}
}

func mistake48() throws {
    let logger: Logger = DIContainer.resolve(Logger.self)!; _ = logger
    // expected-error@-1 {{cannot force unwrap value of non-optional type 'any Logger'}}
}

func mistake49() throws {
    _ = container.resolve(Detail.self)?.id
    // expected-error@-1 {{cannot use optional chaining on non-optional value of type 'Detail'}}
}

func mistake50() throws {
    _ = container.resolve(Printing.Type.self) == ConsolePrinter.self
}

func mistake51() throws {
    _ = Shared(nil as Mutable?)
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake52() throws {
    container.register(Logger.self) { _ in FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake53() throws {
    container.register(name: "x") { FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake54() throws {
    container.register { _ in FileLogger() as Logger }
    // expected-error@-1 {{contextual closure type '() -> [Registration]' expects 0 arguments, but 1 was used in closure body}}
    // expected-error@-2 {{argument type 'any Logger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake55() throws {
    _ = DIContainer(parent: container)
    // expected-error@-1 {{extraneous argument label 'parent:' in call}}
    // expected-error@-2 {{cannot convert value of type 'DIContainer' to expected argument type '() -> [Registration]'}}
}

func mistake56() throws {
    @Inject(container: container) var logger: Logger
    // expected-error@-1 {{extra argument 'container' in call}}
}

func mistake57() throws {
    @LazyInject(\Services.logger) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-5-error@-2 {{cannot convert value of type 'KeyPath<Services, any Logger>' to expected argument type 'DIContainer'}}
    // expected-6-error@-3 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
    // expected-main-error@-4 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
}

func mistake58() throws {
    @Inject(\Services.logger) var logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-5-error@-2 {{cannot convert value of type 'KeyPath<Services, any Logger>' to expected argument type 'DIContainer'}}
    // expected-error@-3 {{generic parameter 'Value' could not be inferred}}
    // expected-6-error@-4 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
    // expected-main-error@-5 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
}

func mistake59() throws {
    _ = Decorate(Logger.self) { base, resolve in 5 }
    // expected-error@-1 {{failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)}}
}

func mistake60() throws {
    _ = Decorate(Logger.self) { base, resolve in Detail(id: 1) }
    // expected-error@-1 {{cannot convert value of type 'Detail' to closure result type 'any Logger'}}
}

func mistake61() throws {
    _ = Decorate(mainActor: Logger.self) { base, _ in base }
    // expected-error@-1 {{extraneous argument label 'mainActor:' in call}}
}

func mistake62() throws {
    _ = Decorate(mainActor: Screen.self) { base, resolve in Screen(id: base.id) }
    // expected-error@-1 {{extraneous argument label 'mainActor:' in call}}
}

func mistake63() throws {
    _ = Decorate(mainActor: Screen.self, name: "x", { base, _ in Screen(id: base.id) })
    // expected-error@-1 {{unnamed argument #3 must precede argument 'mainActor'}}
    // expected-error@-2 {{closure passed to parameter of type 'T.Type' that does not accept a closure}}
    // expected-error@-3 {{generic parameter 'T' could not be inferred}}
}

func mistake64() throws {
    _ = New(autowiring: Detail.init, as: Showing.self, name: "x")
    // expected-error@-1 {{argument 'name' must precede argument 'as'}}
}

func mistake65() throws {
    @Inject(name: "x", from: container) var logger: Logger
    // expected-error@-1 {{argument 'from' must precede argument 'name'}}
}

func mistake66() throws {
    func check(_ error: ResolutionError) { switch error.reason { case .cycle: break } }
    // expected-error@-1 {{switch must be exhaustive}}
    // expected-note@-2 {{add a default clause}}
}

func mistake67() throws {
    switch Lifetime.new { case .new: break }
    // expected-error@-1 {{switch must be exhaustive}}
    // expected-note@-2 {{add a default clause}}
}

func mistake68() throws {
    _ = Lifetime(kind: .new)
    // expected-error@-1 {{'Lifetime' initializer is inaccessible due to 'internal' protection level}}
    // expected-error@-2 {{'new' is inaccessible due to 'internal' protection level}}
}

func mistake69() throws {
    _ = PreparationError([])
    // expected-error@-1 {{'PreparationError?' initializer is inaccessible due to 'internal' protection level}}
}

func mistake70() throws {
    _ = Shared(Mutable())
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake71() throws {
    _ = Shared { _ in Mutable() }
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake72() throws {
    _ = Graph { _ in Mutable() }
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake73() throws {
    _ = Decorate(Mutable.self) { base, _ in base }
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake74() throws {
    _ = New(autowiring: Editor.init, arguments: Mutable.self)
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake75() throws {
    final class Part: Sendable { @LazyInject var logger: Logger }
    // expected-5-warning@-1 {{stored property '_logger' of 'Sendable'-conforming class 'Part' is mutable; this is an error in the Swift 6 language mode}}
    // expected-6-error@-2 {{stored property '_logger' of 'Sendable'-conforming class 'Part' is mutable}}
}

func mistake76() throws {
    _ = Shared(autowiring: Mutable.init)
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake77() throws {
    let value = Mutable(); _ = New { _ in value.text }
    // expected-6-error@-1 {{capture of 'value' with non-Sendable type 'Mutable' in a '@Sendable' closure}}
    // expected-main-error@-2 {{capture of 'value' with non-Sendable type 'Mutable' in a '@Sendable' closure}}
}

func mistake78() throws {
    _ = New { _, id in Screen(id: id) }
    // expected-error@-1 {{call to main actor-isolated initializer 'init(id:)' in a synchronous nonisolated context}}
}

func mistake79() throws {
    _ = New(name: "x") { _, id in Screen(id: id) }
    // expected-error@-1 {{call to main actor-isolated initializer 'init(id:)' in a synchronous nonisolated context}}
}

func mistake80() throws {
    _ = Decorate(Screen.self) { base, _ in Screen(id: base.id) }
    // expected-error@-1 {{call to main actor-isolated initializer 'init(id:)' in a synchronous nonisolated context}}
    // expected-5-error@-2 {{main actor-isolated property 'id' can not be referenced from a nonisolated context}}
    // expected-6-error@-3 {{main actor-isolated property 'id' can not be referenced from a Sendable closure}}
    // expected-main-error@-4 {{main actor-isolated property 'id' can not be referenced from a Sendable closure}}
}

func mistake81() throws {
    _ = Shared(FileNoteStore(titles: []) as NoteStore)
    // expected-6-error@-1 {{type 'any NoteStore' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'any NoteStore' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-3 {{call to main actor-isolated initializer 'init(titles:)' in a synchronous nonisolated context}}
}

func mistake82() throws {
    _ = New { _ in FileNoteStore(titles: []) as NoteStore }
    // expected-main-error@-1 {{call to main actor-isolated initializer 'init(titles:)' in a synchronous nonisolated context}}
}

func mistake83() throws {
    _ = Decorate(NoteStore.self) { base, _ in FileNoteStore(titles: base.titles) }
    // expected-6-error@-1 {{type 'any NoteStore' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'any NoteStore' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-3 {{call to main actor-isolated initializer 'init(titles:)' in a synchronous nonisolated context}}
    // expected-main-error@-4 {{main actor-isolated property 'titles' can not be referenced from a Sendable closure}}
}

func mistake84() throws {
    _ = New(makeList)
    // expected-main-error@-1 {{converting function value of type '@MainActor @Sendable (Resolver) -> NoteList' to '@Sendable (Resolver) -> NoteList' loses global actor 'MainActor'}}
}

func mistake85() throws {
    struct Part { let app = DIContainer { Feature.module } }
    // expected-5-warning@-1 {{main actor-isolated static property 'module' can not be referenced from a nonisolated context; this is an error in the Swift 6 language mode}}
    // expected-6-error@-2 {{main actor-isolated default value in a nonisolated context}}
}

func mistake86() throws {
    let list: @Sendable () -> [Registration] = { Feature.module.registrations }; _ = list
    // expected-5-warning@-1 {{main actor-isolated static property 'module' can not be referenced from a Sendable closure; this is an error in the Swift 6 language mode}}
    // expected-6-error@-2 {{main actor-isolated static property 'module' can not be referenced from a Sendable closure}}
    // expected-main-error@-3 {{main actor-isolated static property 'module' can not be referenced from a Sendable closure}}
}

func mistake87() throws {
    _ = New(mainActor: { _, note in Editor(note) })
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake88() throws {
    _ = New { Window() }
    // expected-error@-1 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
}

func mistake89() throws {
    _ = New(ViewController() as Showing)
    // expected-6-warning@-1 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
    // expected-main-warning@-2 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
}

func mistake90() throws {
    Task { _ = Shared(autowiring: Mutable.init) }
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

// MARK: Closing

func mistake91() throws {
    _ = Shared(Conn()).onClose { c in c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake92() throws {
    _ = Shared(Conn()).onClose { c in await c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake93() throws {
    _ = Shared(Conn()).onClose { c, failure in c.clos() }
    // expected-error@-1 {{contextual closure type 'nonisolated(nonsending) @Sendable (Conn) async throws -> Void' expects 1 argument, but 2 were used in closure body}}
}

func mistake94() throws {
    _ = Shared(Conn()).onClose { c, failure in if failure == nil { c.close() } else { c.rollBck() } }
    // expected-error@-1 {{contextual closure type 'nonisolated(nonsending) @Sendable (Conn) async throws -> Void' expects 1 argument, but 2 were used in closure body}}
}

func mistake95() throws {
    _ = Shared(Conn()).onClose { $0.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake96() throws {
    _ = Shared(Conn()).onClose { c in c.close(1) }
    // expected-5-error@-1 {{cannot convert value of type 'Conn' to expected argument type '() throws(Failure) -> Instance'}}
    // expected-error@-2 {{generic parameter 'Failure' could not be inferred}}
    // expected-error@-3 {{cannot infer type of closure parameter 'c' without a type annotation}}
    // expected-6-error@-4 {{cannot convert value of type 'Conn' to expected argument type '@isolated(any) @Sendable () throws(Failure) -> Instance'}}
    // expected-main-error@-5 {{cannot convert value of type 'Conn' to expected argument type '@isolated(any) @Sendable () throws(Failure) -> Instance'}}
}

func mistake97() throws {
    _ = Shared(Conn()).onClose { c in undefined(c) }
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake98() throws {
    _ = Shared(Conn()).onClose { c, failure, more in c.close() }
    // expected-error@-1 {{contextual closure type 'nonisolated(nonsending) @Sendable (Conn, (any Error)?) async throws -> Void' expects 2 arguments, but 3 were used in closure body}}
}

func mistake99() throws {
    _ = Shared(Conn()).onClose { print("x") }
    // expected-error@-1 {{contextual type for closure argument list expects 2 arguments, which cannot be implicitly ignored}}
}

func mistake100() throws {
    _ = Shared(Conn()).onClose(Conn.clos)
    // expected-error@-1 {{type 'Conn' has no member 'clos'}}
}

func mistake101() throws {
    _ = Shared(Conn()).onClose(mainActor: { c in c.clos() })
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake102() throws {
    _ = Shared(Conn()).onClose(mainActor: { c, failure in c.clos() })
    // expected-error@-1 {{contextual closure type '@MainActor @Sendable (Conn) async throws -> Void' expects 1 argument, but 2 were used in closure body}}
}

func mistake103() throws {
    _ = Shared(Conn()).onClose(mainAktor: { c in c.close() })
    // expected-error@-1 {{extraneous argument label 'mainAktor:' in call}}
}

func mistake104() throws {
    _ = Shared(Conn()).onClose(5)
    // expected-error@-1 {{no exact matches in call to instance method 'onClose'}}
}

func mistake105() throws {
    _ = Shared(Conn()).onClose()
    // expected-error@-1 {{missing argument for parameter #3 in call}}
}

func mistake106() throws {
    _ = New(Conn()).onClose { c in c.clos() }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'New<Conn>' conform to '_SharedOrScoped'}}
    // expected-error@-2 {{value of type 'Conn' has no member 'clos'}}
}

func mistake107() throws {
    _ = New(Conn()).onClose { c in c.close() }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'New<Conn>' conform to '_SharedOrScoped'}}
}

func mistake108() throws {
    _ = New(Conn()).onClose { c, failure in c.close() }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'New<Conn>' conform to '_SharedOrScoped'}}
}

func mistake109() throws {
    _ = New(Conn()).onClose(mainActor: { c in c.close() })
    // expected-error@-1 {{referencing instance method 'onClose(mainActor:file:line:)' on '_LifetimeRegistration' requires that 'New<Conn>' conform to '_SharedOrScoped'}}
}

func mistake110() throws {
    _ = Weak(Conn()).onClose { c, failure in c.close() }
    // expected-error@-1 {{referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'Weak<Conn>' conform to '_SharedOrScoped'}}
}

func mistake111() throws {
    _ = Graph(Conn()).onClos { c in c.close() }
    // expected-error@-1 {{value of type 'Graph<Conn>' has no member 'onClos'}}
}

func mistake112() throws {
    _ = Shared(Conn()).onClos { c in c.close() }
    // expected-error@-1 {{value of type 'Shared<Conn>' has no member 'onClos'}}
}

// MARK: Registering

func mistake113() throws {
    container.register { print("x"); Shared(1) }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake114() throws {
    container.register { assert(isOn); Shared(1) }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake115() throws {
    container.register { defer { print("x") }; Shared(1) }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake116() throws {
    container.register { func local() -> Int { 1 }; Shared(local()) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake117() throws {
    container.register { Shared(undefined) }
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake118() throws {
    container.register { var a = 1; a = 2; Shared(a) }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake119() throws {
    container.register { Shraed(1) }
    // expected-error@-1 {{cannot find 'Shraed' in scope}}
}

func mistake120() throws {
    container.register { Shared(Detail()) }
    // expected-error@-1 {{missing argument for parameter 'id' in call}}
}

func mistake121() throws {
    container.register { Shared { resolve in Detail(id: resolve.foo()) } }
    // expected-error@-1 {{cannot infer type of closure parameter 'resolve' without a type annotation}}
}

func mistake122() throws {
    container.register { return Shared(1) }
    // expected-error@-1 {{cannot use explicit 'return' statement in the body of result builder 'RegistrationBuilder'}}
    // expected-note@-2 {{remove 'return' statements to apply the result builder}}
}

func mistake123() throws {
    container.register { FileLogger() }
    // expected-error@-1 {{argument type 'FileLogger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake124() throws {
    container.register { let x = 5; x; Shared(x) }
    // expected-error@-1 {{argument type 'Int' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake125() throws {
    container.register(Logger.self) { r in FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake126() throws {
    container.register(Logger.self, name: "x") { _ in FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake127() throws {
    container.register(Logger.self, Showing.self) { _ in FileLogger() }
    // expected-error@-1 {{extra trailing closure passed in call}}
    // expected-error@-2 {{argument type '(any Logger).Type' does not conform to expected type 'RegistrationConvertible'}}
    // expected-error@-3 {{argument type '(any Showing).Type' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake128() throws {
    container.register { FileLogger() as Logger }
    // expected-error@-1 {{argument type 'any Logger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake129() throws {
    container.register(FileLogger())
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake130() throws {
    container.register(Shared(1), 5)
    // expected-error@-1 {{argument type 'Int' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake131() throws {
    container.register([Shared(1), 5])
    // expected-error@-1 {{cannot convert value of type 'Int' to expected element type 'Shared<Int>'}}
}

func mistake132() throws {
    container.register(Logger.self)
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake133() throws {
    DIContainer.register { print("x"); Shared(1) }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake134() throws {
    container.register(name: "x") { FileLogr() }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
    // expected-error@-2 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake135() throws {
    container.register(nme: "x") { FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake136() throws {
    container.register(name: 5) { FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake137() throws {
    container.register(name: "x") { Shared(1) }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake138() throws {
    container.register(name: "x", Shared(1))
    // expected-error@-1 {{extraneous argument label 'name:' in call}}
    // expected-error@-2 {{argument type 'String' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake139() throws {
    container.register(Logger.self) { r in r.foo() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake140() throws {
    container.register(Loger.self) { _ in FileLogger() }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{extra trailing closure passed in call}}
}

func mistake141() throws {
    container.register(Logger.self, nme: "x") { _ in FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake142() throws {
    container.register(Logger.self, name: 5) { _ in FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake143() throws {
    container.register(Logger.self) { _ in FileLogger(1) }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake144() throws {
    container.register(Logger.self) { FileLogger() }
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake145() throws {
    container.register(Logger.self, FileLogger())
    // expected-error@-1 {{argument type '(any Logger).Type' does not conform to expected type 'RegistrationConvertible'}}
    // expected-error@-2 {{argument type 'FileLogger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake146() throws {
    container.register(Shraed(1))
    // expected-error@-1 {{cannot find 'Shraed' in scope}}
}

func mistake147() throws {
    container.register(Shared(FileLogr()))
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

// MARK: Property wrappers and children

func mistake148() throws {
    @Inject("staging") var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{cannot convert value of type 'String' to expected argument type 'DIContainer'}}
}

func mistake149() throws {
    @Inject(Router.self) var logger: Logger
    // expected-error@-1 {{cannot find 'Router' in scope}}
    // expected-error@-2 {{missing argument label 'from:' in call}}
}

func mistake150() throws {
    @Inject(Logger.self) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{cannot convert value of type '(any Logger).Type' to expected argument type 'DIContainer'}}
}

func mistake151() throws {
    @Inject(\Services.logger) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-5-error@-2 {{cannot convert value of type 'KeyPath<Services, any Logger>' to expected argument type 'DIContainer'}}
    // expected-6-error@-3 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
    // expected-main-error@-4 {{cannot convert value of type 'any KeyPath<Services, any Logger> & Sendable' to expected argument type 'DIContainer'}}
}

func mistake152() throws {
    @Inject(\.logger) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'DIContainer'}}
    // expected-error@-3 {{cannot infer key path type from context; consider explicitly specifying a root type}}
}

func mistake153() throws {
    @Inject(contanier: container) var logger: Logger
    // expected-error@-1 {{extra argument 'contanier' in call}}
}

func mistake154() throws {
    @Inject(from: "x") var logger: Logger
    // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'DIContainer'}}
}

func mistake155() throws {
    @Inject(from: container, name: 5) var logger: Logger
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake156() throws {
    @Inject(nam: "x") var logger: Logger
    // expected-error@-1 {{incorrect argument label in call (have 'nam:', expected 'name:')}}
}

func mistake157() throws {
    @Inject(container) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
}

func mistake158() throws {
    @Inject(FileLogger()) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{cannot convert value of type 'FileLogger' to expected argument type 'DIContainer'}}
}

func mistake159() throws {
    @Inject(default: FileLogger()) var logger: Logger
    // expected-error@-1 {{extra argument 'default' in call}}
}

func mistake160() throws {
    @Inject(name: "x", "y") var logger: Logger
    // expected-error@-1 {{incorrect argument labels in call (have 'name:_:', expected 'from:name:file:line:')}}
    // expected-error@-2 {{cannot convert value of type 'String' to expected argument type 'DIContainer'}}
}

func mistake161() throws {
    @Inject({ FileLogger() }) var logger: Logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{closure passed to parameter of type 'DIContainer' that does not accept a closure}}
}

func mistake162() throws {
    @Inject var logger: Loger
    // expected-error@-1 {{cannot find type 'Loger' in scope}}
}

func mistake163() throws {
    @Inject(name: "x") var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake164() throws {
    @Inject(from: container) var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
}

func mistake165() throws {
    @Inject(name: 5) var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake166() throws {
    @Inject var logger: Logger = FileLoger()
    // expected-error@-1 {{cannot find 'FileLoger' in scope}}
    // expected-error@-2 {{extra argument 'wrappedValue' in call}}
}

func mistake167() throws {
    @Inject var logger: Logger = 5
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
}

func mistake168() throws {
    @Inject var logger: Logger = FileLogger(1)
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
    // expected-error@-2 {{argument passed to call that takes no arguments}}
}

func mistake169() throws {
    @Inject(from: 5) var logger: Logger = FileLogger()
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'DIContainer'}}
}

func mistake170() throws {
    @LazyInject var logger: Logger = DIContainer.resolve()
    // expected-error@-1 {{extra argument 'wrappedValue' in call}}
}

func mistake171() throws {
    @MutableInject var logger: Logger = 5
    // expected-error@-1 {{cannot convert value of type 'Int' to specified type 'Logger'}}
}

func mistake172() throws {
    @MutableInject("x") var logger: Logger
    // expected-error@-1 {{missing argument label 'wrappedValue:' in call}}
    // expected-error@-2 {{argument type 'String' does not conform to expected type 'Logger'}}
}

func mistake173() throws {
    @MutableLazyInject var logger: Logger = FileLoger()
    // expected-error@-1 {{cannot find 'FileLoger' in scope}}
}

func mistake174() throws {
    _ = DIContainer(parent: 5)
    // expected-error@-1 {{extraneous argument label 'parent:' in call}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type '() -> [Registration]'}}
}

func mistake175() throws {
    _ = DIContainer(parnt: container)
    // expected-error@-1 {{extraneous argument label 'parnt:' in call}}
    // expected-error@-2 {{cannot convert value of type 'DIContainer' to expected argument type '() -> [Registration]'}}
}

func mistake176() throws {
    _ = DIContainer(container)
    // expected-error@-1 {{cannot convert value of type 'DIContainer' to expected argument type '() -> [Registration]'}}
}

func mistake177() throws {
    _ = DIContainer(parent: nil)
    // expected-error@-1 {{extraneous argument label 'parent:' in call}}
    // expected-error@-2 {{'nil' is not compatible with expected argument type '() -> [Registration]'}}
}

func mistake178() throws {
    _ = DIContainer(parent: container, name: "x")
    // expected-error@-1 {{extra argument 'name' in call}}
    // expected-error@-2 {{cannot convert value of type 'DIContainer' to expected argument type '() -> [Registration]'}}
}

func mistake179() throws {
    _ = DIContainer(parent: container) { Shared(1) }
    // expected-error@-1 {{extra trailing closure passed in call}}
    // expected-error@-2 {{cannot convert value of type 'DIContainer' to expected argument type '() -> [Registration]'}}
}

func mistake180() throws {
    _ = DIContainer(parent: DIContainer.shraed)
    // expected-error@-1 {{extraneous argument label 'parent:' in call}}
    // expected-error@-2 {{type 'DIContainer' has no member 'shraed'}}
}

func mistake181() throws {
    @Inject(nam: "x") var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{incorrect argument label in call (have 'nam:', expected 'name:')}}
}

func mistake182() throws {
    @Inject(from: 5) var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'DIContainer'}}
}

func mistake183() throws {
    @LazyInject(FileLogger()) var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{missing argument label 'from:' in call}}
    // expected-error@-3 {{cannot convert value of type 'FileLogger' to expected argument type 'DIContainer'}}
}

func mistake184() throws {
    @Inject(from: container, nam: "x") var logger
    // expected-error@-1 {{incorrect argument label in call (have 'from:nam:', expected 'from:name:')}}
    // expected-error@-2 {{generic parameter 'Value' could not be inferred}}
}

func mistake185() throws {
    @Inject(from: contaner) var logger
    // expected-error@-1 {{cannot find 'contaner' in scope}}
    // expected-error@-2 {{generic parameter 'Value' could not be inferred}}
}

func mistake186() throws {
    @MutableInject(name: 5) var logger
    // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

// MARK: Decorators

func mistake187() throws {
    _ = Decorate(Logger.self) { base, resolve in "x" }
    // expected-error@-1 {{failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)}}
}

func mistake188() throws {
    _ = Decorate(Logger.self) { base, resolve in Wrap(bse: base) }
    // expected-error@-1 {{incorrect argument label in call (have 'bse:', expected 'base:')}}
}

func mistake189() throws {
    _ = Decorate(Logger.self) { base, resolve in Wrap(base: base, 5) }
    // expected-error@-1 {{extra argument in call}}
}

func mistake190() throws {
    _ = Decorate(Logger.self) { base, resolve in base.lgo() }
    // expected-error@-1 {{value of type 'any Logger' has no member 'lgo'}}
}

func mistake191() throws {
    _ = Decorate(Logger.self) { base, resolve in undefined(base) }
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake192() throws {
    _ = Decorate(Logger.self) { base in Wrap(base: base) }
    // expected-5-error@-1 {{contextual closure type '(any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
    // expected-6-error@-2 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
    // expected-main-error@-3 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
}

func mistake193() throws {
    _ = Decorate(Logger.self) { Wrap(base: $0) }
    // expected-5-error@-1 {{contextual closure type '(any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
    // expected-6-error@-2 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
    // expected-main-error@-3 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
}

func mistake194() throws {
    _ = Decorate(Logger.self) { base, resolve, more in base }
    // expected-5-error@-1 {{contextual closure type '(any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 3 were used in closure body}}
    // expected-6-error@-2 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 3 were used in closure body}}
    // expected-main-error@-3 {{contextual closure type '@Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 3 were used in closure body}}
}

func mistake195() throws {
    _ = Decorate(Loger.self) { base, resolve in base }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{cannot infer type of closure parameter 'base' without a type annotation}}
}

func mistake196() throws {
    _ = Decorate(Logger.self, nme: "x") { base, resolve in base }
    // expected-error@-1 {{incorrect argument label in call (have '_:nme:_:', expected '_:name:_:')}}
}

func mistake197() throws {
    _ = Decorate(Logger.self) { base, resolve in resolve.foo() }
    // expected-error@-1 {{value of type 'Resolver' has no member 'foo'}}
}

func mistake198() throws {
    _ = Decorate { base, resolve in base }
    // expected-error@-1 {{missing argument for parameter #1 in call}}
}

func mistake199() throws {
    _ = Decorate(Logger.self) { base, resolve in }
    // expected-error@-1 {{cannot convert value of type '()' to closure result type 'any Logger'}}
}

func mistake200() throws {
    _ = Decorate(Logger.self) { base, resolve in let w = Wrap(base: base); w.lgo(); return w }
    // expected-error@-1 {{value of type 'Wrap' has no member 'lgo'}}
}

func mistake201() throws {
    _ = Decorate(Logger.self) { base, resolve in let n = 5; return n }
    // expected-error@-1 {{result value of type 'Int' does not conform to closure result type 'Logger'}}
}

func mistake202() throws {
    _ = Decorate(mainActor: Logger.self) { base, _ in base.lgo() }
    // expected-error@-1 {{extraneous argument label 'mainActor:' in call}}
    // expected-error@-2 {{value of type 'any Logger' has no member 'lgo'}}
}

func mistake203() throws {
    _ = Decorate(mainActor: Logger.self) { base, _ in 5 }
    // expected-error@-1 {{extraneous argument label 'mainActor:' in call}}
}

func mistake204() throws {
    _ = Decorate(mainActor: Loger.self) { base, _ in base }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{extraneous argument label 'mainActor:' in call}}
}

func mistake205() throws {
    _ = Decorate(mainActor: { base, _ in base })
    // expected-error@-1 {{missing argument for parameter #1 in call}}
}

func mistake206() throws {
    _ = Decorate(Logger.self, mainActor: { base, _ in base.lgo() })
    // expected-error@-1 {{value of type 'any Logger' has no member 'lgo'}}
}

func mistake207() throws {
    _ = Decorate(Logger.self, mainActor: { base in base })
    // expected-error@-1 {{contextual closure type '@MainActor @Sendable (any Logger, Resolver) throws -> any Logger' expects 2 arguments, but 1 was used in closure body}}
}

// MARK: A type or aliases beside a factory

func mistake208() throws {
    _ = Shared(Logger.self) { FileLogr() }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
    // expected-error@-2 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-3 {{could not infer pack element #0 from context}}
}

func mistake209() throws {
    _ = Shared(Logger.self) { resolve in FileLogger(1) }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
    // expected-error@-3 {{argument passed to call that takes no arguments}}
}

func mistake210() throws {
    _ = Shared(Logger.self) { resolve in resolve.foo() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake211() throws {
    _ = Shared(Loger.self) { FileLogger() }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-3 {{could not infer pack element #0 from context}}
}

func mistake212() throws {
    _ = Shared(Logger.self, nme: "x") { FileLogger() }
    // expected-error@-1 {{incorrect argument labels in call (have '_:nme:_:', expected 'name:as:file:line:factory:')}}
}

func mistake213() throws {
    _ = Shared(Logger.self, name: "x") { FileLogger() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake214() throws {
    _ = Shared(Logger.self) { a, b in FileLogger() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake215() throws {
    _ = Shared(Logger.self) { _ in let l = FileLogger(); l.foo(); return l }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
    // expected-error@-3 {{value of type 'FileLogger' has no member 'foo'}}
}

func mistake216() throws {
    _ = Shared(Logger.self, 5)
    // expected-error@-1 {{no exact matches in call to initializer }}
}

func mistake217() throws {
    _ = Shared(FileLogger(), Logger.self)
    // expected-error@-1 {{no exact matches in call to initializer }}
}

func mistake218() throws {
    _ = Shared(FileLogger()) { FileLogger() }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake219() throws {
    _ = Shared(name: "x") { FileLogr() }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

func mistake220() throws {
    _ = Shared(Detail.init, as: Shwing.self)
    // expected-error@-1 {{cannot find 'Shwing' in scope}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake221() throws {
    _ = Shared(Detail.ini, as: Showing.self)
    // expected-error@-1 {{type 'Detail' has no member 'ini'}}
}

func mistake222() throws {
    _ = Shared(Detail.init, as: 5)
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type '_.Type'}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake223() throws {
    _ = Shared(Detail.init, nme: "x", as: Showing.self)
    // expected-error@-1 {{no exact matches in call to initializer }}
}

func mistake224() throws {
    _ = Shared(Detail.init, as: Showing.self, name: "x")
    // expected-error@-1 {{argument 'name' must precede argument 'as'}}
}

func mistake225() throws {
    _ = Shared({ id in Detail(id: id) }, as: Showing.self)
    // expected-6-error@-1 {{type '(Int) -> Detail' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type '(Int) -> Detail' does not conform to the 'Sendable' protocol}}
    // expected-6-note@-3 {{a function type must be marked '@Sendable' to conform to 'Sendable'}}
    // expected-main-note@-4 {{a function type must be marked '@Sendable' to conform to 'Sendable'}}
}

func mistake226() throws {
    _ = Shared({ (id: Int) in Detail(idd: id) }, as: Showing.self)
    // expected-error@-1 {{incorrect argument label in call (have 'idd:', expected 'id:')}}
}

func mistake227() throws {
    _ = Shared({ resolve in Detail(idd: resolve()) }, as: Showing.self)
    // expected-error@-1 {{incorrect argument label in call (have 'idd:', expected 'id:')}}
}

func mistake228() throws {
    _ = Shared({ resolve, id in Detail(id: id, 5) }, as: Showing.self)
    // expected-error@-1 {{extra argument in call}}
}

// MARK: Builders

func mistake229() throws {
    _ = Module { FileLogr() }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

func mistake230() throws {
    _ = Module { Shared(FileLogr()) }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

func mistake231() throws {
    _ = Module { Shared(Detail()) }
    // expected-error@-1 {{missing argument for parameter 'id' in call}}
}

func mistake232() throws {
    _ = Module { Shared(1).onClose { c in c.foo() } }
    // expected-error@-1 {{value of type 'Int' has no member 'foo'}}
}

func mistake233() throws {
    _ = Module { print("x"); Shared(1) }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake234() throws {
    _ = Module { 5 }
    // expected-error@-1 {{argument type 'Int' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake235() throws {
    _ = Module { Shared(1), Shared(2) }
    // expected-error@-1 {{consecutive statements on a line must be separated by ';'}}
    // expected-error@-2 {{expected expression}}
}

func mistake236() throws {
    _ = Module { container.register { Shared(1) } }
    // expected-error@-1 {{argument type '()' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake237() throws {
    _ = Module { if isOn { FileLogger() } }
    // expected-error@-1 {{argument type 'FileLogger' does not conform to expected type 'RegistrationConvertible'}}
}

func mistake238() throws {
    _ = Module { if isOn { Shared(FileLogr()) } }
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

func mistake239() throws {
    _ = Module { let x = undefined; Shared(x) }
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake240() throws {
    _ = Module { Shared(name: 5) { FileLogger() } }
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake241() throws {
    _ = Module { Shared { resolve in FileLogger(resolve()) } }
    // expected-error@-1 {{argument passed to call that takes no arguments}}
}

func mistake242() throws {
    _ = Module { Shared(autowiring: Detail.ini) }
    // expected-error@-1 {{generic parameter 'Instance' could not be inferred}}
    // expected-note@-2 {{explicitly specify the generic arguments to fix this issue}}
    // expected-error@-3 {{generic parameter 'Failure' could not be inferred}}
    // expected-error@-4 {{generic parameter 'each Dependency' could not be inferred}}
    // expected-error@-5 {{type 'Detail' has no member 'ini'}}
}

func mistake243() throws {
    _ = Module { Shared(autowiring: Detail.init, as: Shwing.self) }
    // expected-error@-1 {{cannot find 'Shwing' in scope}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

// MARK: Expressions

func mistake244() throws {
    _ = Shared(nil)
    // expected-error@-1 {{generic parameter 'Instance' could not be inferred}}
    // expected-note@-2 {{explicitly specify the generic arguments to fix this issue}}
}

func mistake245() throws {
    _ = Shared(FileLogr() as Logger?)
    // expected-error@-1 {{cannot find 'FileLogr' in scope}}
}

func mistake246() throws {
    _ = Shared(Defaults.standrd)
    // expected-error@-1 {{type 'Defaults' has no member 'standrd'}}
}

func mistake247() throws {
    _ = Shared(Defaults.standard)
    // expected-6-error@-1 {{type 'Defaults' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Defaults' does not conform to the 'Sendable' protocol}}
}

func mistake248() throws {
    _ = Shared({ var options = Options(); options.isStrct = true; return options }())
    // expected-error@-1 {{value of type 'Options' has no member 'isStrct'}}
}

func mistake249() throws {
    _ = Shared({ let m = Mutable(); return m }())
    // expected-6-error@-1 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
    // expected-main-error@-2 {{type 'Mutable' does not conform to the 'Sendable' protocol}}
}

func mistake250() throws {
    _ = Shared(Options(isStrict: "x"))
    // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Bool'}}
}

func mistake251() throws {
    _ = Shared(FileLogger() as Loger)
    // expected-error@-1 {{cannot find type 'Loger' in scope}}
}

// MARK: Requests

func mistake252() throws {
    let a = DIContainer.resolve(); _ = a
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake253() throws {
    let a = DIContainer.resolve(42); _ = a
    // expected-error@-1 {{'callAsFunction(_:_:name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake254() throws {
    let a = DIContainer.resolve(name: "x"); _ = a
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake255() throws {
    let a = DIContainer.resolve(name: 5); _ = a
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake256() throws {
    let a = DIContainer.resolve(nme: "x"); _ = a
    // expected-error@-1 {{incorrect argument label in call (have 'nme:', expected 'name:')}}
}

func mistake257() throws {
    let a = DIContainer.resolve(Loger.self); _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake258() throws {
    let a = DIContainer.resolve(undefined); _ = a
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake259() throws {
    let a = DIContainer.resolve(Detail.self, 42); _ = a
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake260() throws {
    let a = DIContainer.resolve(Detail.self, argumnts: 42); _ = a
    // expected-error@-1 {{incorrect argument label in call (have '_:argumnts:', expected '_:arguments:')}}
}

func mistake261() throws {
    let a = DIContainer.resolve(Detail.self, 42, nme: "x"); _ = a
    // expected-error@-1 {{incorrect argument labels in call (have '_:_:nme:', expected '_:name:arguments:file:line:')}}
}

func mistake262() throws {
    let a = DIContainer.resolve(Detail.self, undefined); _ = a
    // expected-error@-1 {{cannot find 'undefined' in scope}}
    // expected-error@-2 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-3 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake263() throws {
    let a = DIContainer.resolve(Detail.self, arguments: undefined); _ = a
    // expected-error@-1 {{cannot find 'undefined' in scope}}
}

func mistake264() throws {
    let a = DIContainer.resolve(Detail.self, Logger.self); _ = a
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake265() throws {
    let a: Detail = DIContainer.resolve(Logger.self); _ = a
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake266() throws {
    let a: Int = container.resolve(Detail.self).id + "x"; _ = a
    // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Int'}}
}

func mistake267() throws {
    let a: String = container.resolve(Detail.self).id; _ = a
    // expected-error@-1 {{cannot convert value of type 'Int' to specified type 'String'}}
}

func mistake268() throws {
    let a = container.resolve(Detail.self).idd; _ = a
    // expected-error@-1 {{value of type 'Detail' has no member 'idd'}}
}

func mistake269() throws {
    let a = container.resolve(Detail.self)!.idd; _ = a
    // expected-error@-1 {{cannot force unwrap value of non-optional type 'Detail'}}
    // expected-error@-2 {{value of type 'Detail' has no member 'idd'}}
}

func mistake270() throws {
    let a = container.resolve(Detail.self)?.idd; _ = a
    // expected-error@-1 {{cannot use optional chaining on non-optional value of type 'Detail'}}
    // expected-error@-2 {{value of type 'Detail' has no member 'idd'}}
}

func mistake271() throws {
    let a = container.resolve(Detail.self)!; _ = a
    // expected-error@-1 {{cannot force unwrap value of non-optional type 'Detail'}}
}

func mistake272() throws {
    let a: Detail = container.resolve(Logger.self, name: "x"); _ = a
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake273() throws {
    let a = container.resolve.resolve(Logger.self); _ = a
    // expected-error@-1 {{'resolve' is unavailable: call the resolver itself: 'resolve(Router.self)'}}
}

func mistake274() throws {
    let a = container.resolve.reslve(Logger.self); _ = a
    // expected-error@-1 {{value of type 'Resolver' has no member 'reslve'}}
}

func mistake275() throws {
    let a = container.resolve.resolve(Loger.self); _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake276() throws {
    _ = New { resolve in resolve.resolve(Loger.self) }
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake277() throws {
    _ = New { r in Detail(id: r.resolve(Int.self)) }
    // expected-error@-1 {{'resolve' is unavailable: call the resolver itself: 'resolve(Router.self)'}}
}

func mistake278() throws {
    _ = New { r in Detail(idd: r.resolve(Int.self)) }
    // expected-error@-1 {{incorrect argument label in call (have 'idd:', expected 'id:')}}
}

func mistake279() throws {
    let a = try? container.resolve.orThrow(); _ = a
    // expected-error@-1 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = try resolve.orThrow()'}}
}

func mistake280() throws {
    let a = try? container.resolve.orThrow(Loger.self); _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake281() throws {
    let a = try? container.resolve.orThrow(42); _ = a
    // expected-error@-1 {{'callAsFunction(_:_:name:)' is unavailable: state the type: 'let router: Router = try resolve.orThrow()'}}
}

func mistake282() throws {
    let a: FileLogger? = try? container.resolve.orThrow(Logger.self); _ = a
    // expected-error@-1 {{type '(any Logger).Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake283() throws {
    let a = container.resolve.orThrow(Logger.self); _ = a
    // expected-error@-1 {{call can throw but is not marked with 'try'}}
    // expected-note@-2 {{did you mean to use 'try'?}}
    // expected-note@-3 {{did you mean to handle error as optional value?}}
    // expected-note@-4 {{did you mean to disable error propagation?}}
}

func mistake284() throws {
    let a = try? container.resolve.orThrow(Detail.self, 42); _ = a
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake285() throws {
    let a = try? container.resolve.orThro(Logger.self); _ = a
    // expected-error@-1 {{value of type 'Resolver' has no member 'orThro'}}
}

func mistake286() throws {
    let a = try? container.resolve.orThrow(Detail.self).idd; _ = a
    // expected-error@-1 {{generic parameter 'T' could not be inferred}}
    // expected-5-error@-2 {{value of type '(T.Type, RegistrationName?, StaticString, UInt) -> T' has no member 'orThrow'}}
    // expected-warning@-3 {{no calls to throwing functions occur within 'try' expression}}
    // expected-6-error@-4 {{value of type '@Sendable (T.Type, RegistrationName?, StaticString, UInt) -> T' has no member 'orThrow'}}
    // expected-main-error@-5 {{value of type '@Sendable (T.Type, RegistrationName?, StaticString, UInt) -> T' has no member 'orThrow'}}
}

func mistake287() throws {
    takesLogger(DIContainer.resolve(Detail.self))
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake288() throws {
    takesLogger(DIContainer.resolve(name: 5))
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake289() throws {
    takesLogger(DIContainer.resolve(), 5)
    // expected-error@-1 {{extra argument in call}}
}

func mistake290() throws {
    if container.resolve(Logger.self) { }
    // expected-error@-1 {{cannot convert value of type 'any Logger' to expected condition type 'Bool'}}
}

func mistake291() throws {
    for x in container.resolve(Logger.self) { }
    // expected-error@-1 {{for-in loop requires 'any Logger' to conform to 'Sequence'}}
}

func mistake292() throws {
    _ = container.resolve(Detail.self) == 5
    // expected-error@-1 {{referencing operator function '==' on 'BinaryInteger' requires that 'Detail' conform to 'BinaryInteger'}}
}

func mistake293() throws {
    _ = container.resolve(Detail.self) as Loger
    // expected-error@-1 {{cannot find type 'Loger' in scope}}
}

func mistake294() throws {
    _ = "\(container.resolve(Detail.self).idd)"
    // expected-error@-1 {{value of type 'Detail' has no member 'idd'}}
}

func mistake295() throws {
    DIContainer.resolve(Detail.self).log()
    // expected-error@-1 {{value of type 'Detail' has no member 'log'}}
}

func mistake296() throws {
    _ = [container.resolve(Detail.self), 5] as [Detail]
    // expected-error@-1 {{cannot convert value of type 'Int' to expected element type 'Detail'}}
}

func mistake297() throws {
    _ = isOn ? container.resolve(Logger.self) : 5
    // expected-error@-1 {{failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)}}
}

func mistake298() throws {
    return container.resolve(Logger.self)
    // expected-error@-1 {{unexpected non-void return value in void function}}
    // expected-note@-2 {{did you mean to add a return type?}}
}

func mistake299() throws {
    let a = { container.resolve(Detail.self).idd }(); _ = a
    // expected-error@-1 {{value of type 'Detail' has no member 'idd'}}
}

func mistake300() throws {
    _ = Shared(mainActor: Conn()).onClose(mainActor: { c in c.clos() })
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake301() throws {
    _ = Shared(mainActor: Conn()).onClose { c in c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake302() throws {
    _ = Shared(mainActor: { Conn() }).onClose(mainActor: { c in c.clos() })
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake303() throws {
    _ = Shared(Conn.init).onClose { c in c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake304() throws {
    _ = Shared(name: "x") { Conn() }.onClose { c in c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake305() throws {
    _ = Shared(Conn(), as: Any.self).onClose { c in c.clos() }
    // expected-error@-1 {{value of type 'Conn' has no member 'clos'}}
}

func mistake306() throws {
    let a = container.resolve(Loger.self)!; _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
    // expected-error@-2 {{cannot force unwrap value of non-optional type '_StateTheTypeToResolve'}}
}

func mistake307() throws {
    let a = container.resolve(Detail.self)!.id + "x"; _ = a
    // expected-error@-1 {{binary operator '+' cannot be applied to operands of type 'Int' and 'String'}}
    // expected-note@-2 {{overloads for '+' exist with these partially matching parameter lists: (Int, Int), (String, String)}}
    // expected-error@-3 {{cannot force unwrap value of non-optional type 'Detail'}}
}

func mistake308() throws {
    let a: String = container.resolve(Detail.self)!; _ = a
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake309() throws {
    let a: Detail = container.resolve(Detail.self)?.id; _ = a
    // expected-error@-1 {{cannot use optional chaining on non-optional value of type 'Detail'}}
    // expected-error@-2 {{cannot convert value of type 'Int?' to specified type 'Detail'}}
}

func mistake310() throws {
    let a = container.resolve(42)!; _ = a
    // expected-error@-1 {{cannot force unwrap value of non-optional type '_StateTheTypeToResolve'}}
}

func mistake311() throws {
    let a: Detail = container.resolve(Loger.self); _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake312() throws {
    let a: Loger = container.resolve(Logger.self); _ = a
    // expected-error@-1 {{cannot find type 'Loger' in scope}}
}

func mistake313() throws {
    let a: Detail = container.resolve(Logger.self, nme: "x"); _ = a
    // expected-error@-1 {{incorrect argument label in call (have '_:nme:', expected '_:name:')}}
    // expected-error@-2 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake314() throws {
    let a: Detail = container.resolve(Logger.self, name: 5); _ = a
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
    // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake315() throws {
    let a: Detail = container.resolve(Logger.sef); _ = a
    // expected-error@-1 {{type 'any Logger' has no member 'sef'}}
}

func mistake316() throws {
    let a: Detail = container.resolve(Logger); _ = a
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake317() throws {
    let a: FileLogger = try container.resolve.orThrow(Loger.self); _ = a
    // expected-error@-1 {{cannot find 'Loger' in scope}}
}

func mistake318() throws {
    let a: FileLogger = container.resolve.orThrow(Logger.self); _ = a
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'FileLogger'}}
}

func mistake319() throws {
    let a: FileLogger? = try? container.resolve.orThrow(Logger.self, nme: "x"); _ = a
    // expected-error@-1 {{incorrect argument label in call (have '_:nme:', expected '_:name:')}}
}

func mistake320() throws {
    let a: FileLogger? = try? container.resolve.orThrow(Logger.self, name: 5); _ = a
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake321() throws {
    let a: Loger? = try? container.resolve.orThrow(Logger.self); _ = a
    // expected-error@-1 {{cannot find type 'Loger' in scope}}
}

func mistake322() throws {
    let a = container.resolve.resolve(); _ = a
    // expected-error@-1 {{'resolve' is unavailable: call the resolver itself: 'resolve(Router.self)'}}
    // expected-error@-2 {{'callAsFunction(name:)' is unavailable: state the type: 'let router: Router = resolve()' or 'resolve(Router.self)'}}
}

func mistake323() throws {
    let a = container.resolve.resolve(Logger.self, nme: "x"); _ = a
    // expected-error@-1 {{incorrect argument label in call (have '_:nme:', expected '_:name:')}}
}

func mistake324() throws {
    let a = container.resolve.resolve(Logger.self, name: 5); _ = a
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake325() throws {
    _ = New { r in r.resolve(Detail.self).idd }
    // expected-error@-1 {{cannot infer type of closure parameter 'r' without a type annotation}}
}

func mistake326() throws {
    _ = New { r in Detail(id: r.resolve()) }
    // expected-error@-1 {{'resolve' is unavailable: call the resolver itself: 'resolve(Router.self)'}}
}

func mistake327() throws {
    _ = New { r in Detail(id: r.reslve()) }
    // expected-error@-1 {{cannot infer type of closure parameter 'r' without a type annotation}}
}

// MARK: Statements that no builder accepts

func mistake328() throws {
    _ = DIContainer { func local() {}; Shared(1) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake329() throws {
    _ = DIContainer { defer { print(1) }; Shared(1) }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake330() throws {
    _ = DIContainer { while isOn { Shared(1) } }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake331() throws {
    _ = DIContainer { struct Local {}; Shared(1) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake332() throws {
    _ = DIContainer { for number in 1...3 { if isOn { break }; Shared(number) } }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake333() throws {
    _ = Module { func local() {}; Shared(1) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake334() throws {
    _ = Module("a") { defer { print(1) }; Shared(1) }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake335() throws {
    _ = Module { while isOn { Shared(1) } }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake336() throws {
    _ = Module { struct Local {}; Shared(1) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake337() throws {
    container.register { while isOn { Shared(1) } }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake338() throws {
    container.register { struct Local {}; Shared(1) }
    // expected-error@-1 {{closure containing a declaration cannot be used with result builder 'RegistrationBuilder'}}
}

func mistake339() throws {
    container.register { guard isOn else { return }; Shared(1) }
    // expected-error@-1 {{cannot use explicit 'return' statement in the body of result builder 'RegistrationBuilder'}}
    // expected-note@-2 {{remove 'return' statements to apply the result builder}}
}

func mistake340() throws {
    container.register { do { Shared(1) } catch { Shared(2) } }
    // expected-error@-1 {{closure containing control flow statement cannot be used with result builder 'RegistrationBuilder'}}
}

// MARK: A type in place of an argument, and values that aren't equatable

func mistake341() throws {
    let detail: Detail = container.resolve(Logger.self, name: "x", arguments: 1); _ = detail
    // expected-error@-1 {{cannot convert value of type 'any Logger' to specified type 'Detail'}}
}

func mistake342() throws {
    let text: String = container.resolve(Int.self); _ = text
    // expected-error@-1 {{cannot convert value of type 'Int' to specified type 'String'}}
}

func mistake343() throws {
    _ = (maybe ?? container.resolve(Detail.self)) as Logger
    // expected-error@-1 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake344() throws {
    _ = container.resolve(Logger.self) === container.resolve(Logger.self)
    // expected-error@-1 2 {{argument type 'any Logger' expected to be an instance of a class or class-constrained type}}
}

func mistake345() throws {
    _ = try container.resolve.orThrow(Logger.self) === container.resolve.orThrow(Logger.self)
    // expected-error@-1 2 {{argument type 'any Logger' expected to be an instance of a class or class-constrained type}}
}

func mistake346() throws {
    let job: Job = container.resolve(Job("a")); _ = job
    // expected-error@-1 {{instance method 'callAsFunction(_:_:name:file:line:)' requires that 'Job' conform to 'Equatable'}}
}

func mistake347() throws {
    let job: Job = container.resolve({ 5 }); _ = job
    // expected-error@-1 {{type '() -> Int' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake348() throws {
    let job: Job = try container.resolve.orThrow(FileLogger()); _ = job
    // expected-error@-1 {{instance method 'callAsFunction(_:_:name:file:line:)' requires that 'FileLogger' conform to 'Equatable'}}
}

func mistake349() throws {
    _ = value(of: container.resolve(AnyGreeter.self))
    // expected-error@-1 {{type 'AnyGreeter' (aka 'any Greeter') cannot conform to 'Greeter'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake350() throws {
    func use(_ detail: some Showing = container.resolve(Logger.self)) {}
    // expected-error@-1 {{type 'any Logger' cannot conform to 'Showing'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
    // expected-note@-3 {{required by local function 'use' where 'some Showing' = 'any Logger'}}
}

func mistake351() throws {
    struct Page { @Inject var logger: Logger { FileLogger() } }
    // expected-error@-1 {{property wrapper cannot be applied to a computed property}}
}

// MARK: Messages that Troubleshooting explains

func mistake352() throws {
    let detail: Detail = container.resolve(Detail.self, argumnts: 42); _ = detail
    // expected-error@-1 {{no exact matches in call to instance method 'callAsFunction'}}
}

func mistake353() throws {
    let detail = container.resolve(Detail.self, name: "x", 42); _ = detail
    // expected-error@-1 {{missing argument label 'arguments:' in call}}
}

func mistake354() throws {
    let detail = container.resolve(Detail.self, 42, name: 5); _ = detail
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
    // expected-error@-2 {{type 'Detail.Type' cannot conform to 'Equatable'}}
    // expected-note@-3 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake355() throws {
    let detail = container.resolve(42, name: 5); _ = detail
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake356() throws {
    let detail = try container.resolve.orThrow(42, name: 5); _ = detail
    // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RegistrationName'}}
}

func mistake357() throws {
    _ = New { resolve in Detail(id: resolve(Int.self, 5)) }
    // expected-error@-1 {{type 'Int.Type' cannot conform to 'Equatable'}}
    // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

func mistake358() throws {
    @Inject(Logger.self) var logger
    // expected-error@-1 {{missing argument label 'from:' in call}}
    // expected-error@-2 {{cannot convert value of type '(any Logger).Type' to expected argument type 'DIContainer'}}
    // expected-error@-3 {{generic parameter 'Value' could not be inferred}}
}

func mistake359() throws {
    container.register { Shared(Logger.self) { resolve in Wrap(base: resolve()) } }
    // expected-error@-1 {{trailing closure passed to parameter of type '_.Type' that does not accept a closure}}
    // expected-error@-2 {{could not infer pack element #0 from context}}
}

func mistake360() throws {
    _ = Decorate(Logger.self) { base, resolve in resolve(Int.self) }
    // expected-error@-1 {{failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)}}
}

func mistake361() throws {
    _ = Decorate(Detail.self) { base, resolve in base.id }
    // expected-error@-1 {{cannot convert value of type 'Int' to closure result type 'Detail'}}
}

func mistake362() throws {
    _ = New(autowiring: Job.init(level:count:), arguments: Int.self)
    // expected-5-error@-1 {{cannot convert value of type '(Level, Int) -> Job' to expected argument type '@isolated(any) (Int, Int) -> Job'}}
    // expected-6-error@-2 {{cannot convert value of type '@Sendable (Level, Int) -> Job' to expected argument type '@isolated(any) @Sendable (Int, Int) -> Job'}}
    // expected-main-error@-3 {{cannot convert value of type '@Sendable (Level, Int) -> Job' to expected argument type '@isolated(any) @Sendable (Int, Int) -> Job'}}
}

func mistake363() throws {
    _ = New(autowiring: Job.init(level:count:), argumnts: Level.self)
    // expected-error@-1 {{incorrect argument label in call (have 'autowiring:argumnts:', expected 'autowiring:arguments:')}}
}

func mistake364() throws {
    _ = New(autowiring: Job.init(level:count:), name: "x", arguments: Level.self)
    // expected-error@-1 {{argument 'arguments' must precede argument 'name'}}
}

func mistake365() throws {
    _ = New(autowiring: SearchService.init(logger:options:), arguments: Options.self)
    // expected-error@-1 {{failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)}}
}

func mistake366() throws {
    _ = New(autowiring: { (a: Int, b: Int, c: Int, d: Int) in Detail(id: a) }, arguments: Int.self, Int.self, Int.self, Int.self)
    // expected-error@-1 {{no exact matches in call to initializer }}
}

// The quotations of these messages in the documentation.
//
// Quoted in SwiftConcurrency.md: call to main actor-isolated initializer 'init(titles:)' in a synchronous nonisolated context
// Quoted in SwiftConcurrency.md: type 'any NoteStore' does not conform to the 'Sendable' protocol
// Quoted in SwiftConcurrency.md: converting function value of type '@MainActor @Sendable (Resolver) -> NoteList' to '@Sendable (Resolver) -> NoteList' loses global actor 'MainActor'
// Quoted in SwiftConcurrency.md: main actor-isolated default value in a nonisolated context
// Quoted in SwiftConcurrency.md: main actor-isolated static property 'module' can not be referenced from a Sendable closure
// Quoted in Troubleshooting.md: cannot assign to property: 'logger' is a get-only property
// Quoted in Troubleshooting.md: property wrapper cannot be applied to a computed property
// Quoted in Troubleshooting.md: stored property '_logger' of 'Sendable'-conforming class 'Part' is mutable
// Quoted in Troubleshooting.md: referencing instance method 'onClose(file:line:_:)' on '_LifetimeRegistration' requires that 'New<Conn>' conform to '_SharedOrScoped'
// Quoted in Troubleshooting.md: requires that 'Job' conform to 'Equatable'
// Quoted in Troubleshooting.md: type '() -> Int' cannot conform to 'Equatable'
// Quoted in Troubleshooting.md: type 'Detail.Type' cannot conform to 'Equatable'
// Quoted in Troubleshooting.md: cannot convert value of type 'any Logger' to specified type 'Detail'
// Quoted in Troubleshooting.md: argument type 'any Logger' expected to be an instance of a class or class-constrained type
// Quoted in Troubleshooting.md: extra argument 'wrappedValue' in call
// Quoted in Troubleshooting.md: extra argument 'container' in call
// Quoted in Troubleshooting.md: trailing closure passed to parameter of type '_.Type' that does not accept a closure
// Quoted in Troubleshooting.md: could not infer pack element #0 from context
// Quoted in Troubleshooting.md: failed to produce diagnostic for expression
// Quoted in Troubleshooting.md: no exact matches in call to instance method 'callAsFunction'
// Quoted in Troubleshooting.md: no exact matches in call to initializer
// Quoted in Troubleshooting.md: cannot convert value of type '@Sendable (Level, Int) -> Job' to expected argument type '@isolated(any) @Sendable (Int, Int) -> Job'
