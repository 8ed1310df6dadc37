import DependencyInjection
import Testing

// Plain requests: the article writes them.

// The recipes of the article "Patterns".

@Suite("Patterns")
struct PatternTests {
    @Test("Locators of several protocols resolve, and a struct replaces them")
    func composedLocators() {
        let container = DIContainer {
            Shared(Diesel(kind: "registered") as any Engine)
            Shared(Ticket(number: 1))
        }
        DIContainer.withContainer(container) { #expect(Ride().text == "registered 1") }
        DIContainer.withContainer(DIContainer()) { #expect(Ride(dependencies: FakeDependencies()).text == "fake 7") }
    }

    @Test("Default arguments resolve from the current container or the factory's")
    func defaultArguments() {
        struct Garage: Sendable {
            var engine: any Engine = DIContainer.resolve()
            var ticket: Ticket = DIContainer.resolve()
        }
        let container = DIContainer {
            Shared(Diesel(kind: "registered") as any Engine)
            Shared(Ticket(number: 1))
            New(Garage())
            New(autowiring: Garage.init, name: "autowired")
        }
        DIContainer.withContainer(container) {
            #expect(Garage(engine: Diesel(kind: "passed")).ticket == Ticket(number: 1))
        }
        #expect(container.resolve(Garage.self).engine.kind == "registered")
        #expect(container.resolve(Garage.self, name: "autowired").ticket == Ticket(number: 1))
        DIContainer.withContainer(DIContainer()) {
            #expect(Garage(engine: Diesel(), ticket: Ticket(number: 3)).ticket == Ticket(number: 3))
        }
    }

    @Test("A passed resolver uses its own container")
    func passedLocator() {
        struct Coordinator {
            let resolve: Resolver
            func ticket(_ number: Int) -> Ticket { resolve(Ticket.self, arguments: number) }
        }
        let container = DIContainer {
            New { (resolve, number: Int) in Ticket(number: number + resolve(Int.self)) }
            New(Coordinator.init)
            Shared(10)
        }
        DIContainer.withContainer(DIContainer { Shared(20) }) {
            #expect(Coordinator(resolve: container.resolve).ticket(4) == Ticket(number: 14))
            #expect(container.resolve(Coordinator.self).ticket(4) == Ticket(number: 14))
        }
        let child = container.makeChild { Shared(30) }
        #expect(child.resolve(Coordinator.self).ticket(4) == Ticket(number: 34))
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
        let builds = Counter()
        let container = DIContainer { Weak { _ in builds.counting(Diesel() as any Engine) } }
        var wrapper = DIContainer.withContainer(container) { WeakLazyInject<any Engine>() }
        #expect(builds.count == 0)
        var held: (any Engine)? = wrapper.wrappedValue
        #expect(isSame(wrapper.wrappedValue, held!) && builds.count == 1)
        weak let object = held as AnyObject
        held = nil
        #expect(object == nil)
        #expect(wrapper.wrappedValue.kind == "diesel" && builds.count == 2)
    }

    @TaskLocal static var second = DIContainer { Shared(1) }

    @Test("A second container is a task-local value, which a test binds")
    func secondContainer() {
        let fork = Self.second.fork { Shared(2) }
        #expect(Self.$second.withValue(fork) { Self.second.resolve(Int.self) } == 2)
        #expect(Self.second.resolve(Int.self) == 1)
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

private struct Ride {
    var dependencies: any Dependencies = AppDependencies()
    var text: String { "\(dependencies.engine.kind) \(dependencies.ticket.number)" }
}
