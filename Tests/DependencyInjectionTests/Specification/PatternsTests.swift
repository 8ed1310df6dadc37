import DependencyInjection
import Testing

// Plain requests: the article writes them.

// The recipes of the article "Patterns".

@Suite("Patterns")
struct PatternTests {
    @Test("Locators of several protocols resolve, and a struct replaces some or all")
    func composedLocators() {
        let container = DIContainer {
            Shared(Diesel(kind: "registered") as any Engine)
            Shared(Ticket(number: 1))
        }
        DIContainer.withContainer(container) {
            #expect(Ride().text == "registered 1")
            #expect(Ride(dependencies: FakeEngineOnly()).text == "fake 1")
        }
        DIContainer.withContainer(DIContainer()) {
            #expect(Ride(dependencies: FakeDependencies()).text == "fake 7")
        }
    }

    @Test("Default arguments resolve from the current container or the factory's")
    func defaultArguments() {
        final class Garage: Sendable {
            let engine: any Engine
            let ticket: Ticket
            init(engine: any Engine = DIContainer.resolve(), ticket: Ticket = DIContainer.resolve()) {
                self.engine = engine
                self.ticket = ticket
            }
        }
        let container = DIContainer {
            Shared(Diesel(kind: "registered") as any Engine)
            Shared(Ticket(number: 1))
            New(Garage())
            New(autowiring: Garage.init, name: "autowired")
        }
        DIContainer.withContainer(container) {
            #expect(Garage().engine.kind == "registered")
            #expect(Garage(engine: Diesel(kind: "passed")).ticket == Ticket(number: 1))
            DIContainer.withOverrides({ Shared(Ticket(number: 2)) }) {
                #expect(Garage().ticket == Ticket(number: 2))
            }
        }
        #expect(isSame(container.resolve(Garage.self).engine, container.resolve((any Engine).self)))
        #expect(container.resolve(Garage.self, name: "autowired").ticket == Ticket(number: 1))
        DIContainer.withContainer(DIContainer()) {
            #expect(Garage(engine: Diesel(), ticket: Ticket(number: 3)).ticket == Ticket(number: 3))
        }
    }

    @Test("A passed resolver uses its own container, and a container creates children")
    func passedLocator() {
        struct Coordinator {
            let resolve: Resolver
            func ticket(_ number: Int) -> Ticket { resolve(Ticket.self, arguments: number) }
            func engine() -> any Engine { resolve() }
        }
        let container = DIContainer {
            New { _, number in Ticket(number: number) }
            Shared(Diesel() as any Engine)
            New(Coordinator.init)
        }
        let other = DIContainer { Shared(Diesel(kind: "other") as any Engine) }
        let coordinator = Coordinator(resolve: container.resolve)
        DIContainer.withContainer(other) {
            #expect(coordinator.ticket(4) == Ticket(number: 4))
            #expect(isSame(coordinator.engine(), container.resolve((any Engine).self)))
            #expect(isSame(container.resolve(Coordinator.self).engine(), coordinator.engine()))
            #expect(Coordinator(resolve: DIContainer.resolve).engine().kind == "other")
        }
        let child = container.makeChild { Shared(Diesel(kind: "child's") as any Engine) }
        #expect(child.resolve(Coordinator.self).engine().kind == "child's")
    }

    @Test("A registry based on another copies and replaces without sharing instances")
    func extendedRegistry() {
        let app = Module("App") {
            Shared(Diesel() as any Engine)
            Shared(Ticket(number: 1))
        }
        let preview = Module("Preview") {
            app
            Shared(Ticket(number: 2))
        }
        let live = DIContainer { app }
        let shown = DIContainer { preview }
        #expect(live.resolve(Ticket.self) == Ticket(number: 1) && shown.resolve(Ticket.self) == Ticket(number: 2))
        #expect(!isSame(live.resolve((any Engine).self), shown.resolve((any Engine).self)))

        let variant = live.fork { Shared(Ticket(number: 3)) }
        live.register(Shared("later"))
        #expect(variant.resolve(Ticket.self) == Ticket(number: 3) && live.resolve(Ticket.self) == Ticket(number: 1))
        #expect(!variant.isRegistered(String.self))
        #expect(!isSame(variant.resolve((any Engine).self), live.resolve((any Engine).self)))
    }

    @propertyWrapper
    struct WeakLazyInject<Value> {
        private weak var object: AnyObject?
        @Inject private var make: Provider<Value>

        init() {}

        var wrappedValue: Value {
            mutating get {
                if let object, let value = object as? Value { return value }
                let value = make()
                object = value as AnyObject
                return value
            }
        }
    }

    @Test("A weak lazy wrapper resolves on first access, and again after a release")
    func weakLazy() {
        final class Screen {
            @WeakLazyInject var engine: any Engine
        }
        let builds = Counter()
        let container = DIContainer { Weak { _ in builds.counting(Diesel() as any Engine) } }
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(builds.count == 0)
        var held: (any Engine)? = screen.engine
        #expect(isSame(screen.engine, held!) && builds.count == 1)
        weak let object = held as AnyObject
        held = nil
        #expect(object == nil)
        #expect(screen.engine.kind == "diesel" && builds.count == 2)
    }

    @TaskLocal static var second = DIContainer { Shared(1) }

    @Test("A second container is a task-local value, which a test binds")
    func secondContainer() {
        func number() -> Int {
            @Inject(from: Self.second) var number: Int
            return number
        }
        let fork = Self.second.fork { Shared(2) }
        #expect(Self.$second.withValue(fork) { number() } == 2)
        #expect(number() == 1)
    }
}

private protocol EngineLocator { var engine: any Engine { get } }
private protocol TicketLocator { var ticket: Ticket { get } }

extension EngineLocator {
    fileprivate var engine: any Engine { DIContainer.resolve() }
}
extension TicketLocator {
    fileprivate var ticket: Ticket { DIContainer.resolve() }
}

private typealias Dependencies = EngineLocator & TicketLocator

private struct AppDependencies: Dependencies {}

private struct FakeDependencies: Dependencies {
    var engine: any Engine = Diesel(kind: "fake")
    var ticket = Ticket(number: 7)
}

private struct FakeEngineOnly: Dependencies {
    var engine: any Engine = Diesel(kind: "fake")
}

private struct Ride {
    var dependencies: any Dependencies = AppDependencies()
    var text: String { "\(dependencies.engine.kind) \(dependencies.ticket.number)" }
}
