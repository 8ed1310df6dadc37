import DependencyInjection
import Testing

// Recipes of the article "Patterns".

@Suite("Recipes")
struct RecipeTests {
    @Test("A resolver that is passed resolves from its own container, whichever is current")
    func passedLocator() {
        struct Coordinator {
            let resolve: Resolver
            func ticket(_ number: Int) -> Ticket { resolve(Ticket.self, arguments: number) }
            func engine() -> any Engine { resolve() }
        }
        let container = DIContainer {
            New { _, number in Ticket(number: number) }
            Shared(Diesel() as any Engine)
            New { resolve in Coordinator(resolve: resolve) }
        }
        let other = DIContainer { Shared(Diesel(kind: "other") as any Engine) }
        let coordinator = Coordinator(resolve: container.resolve)
        DIContainer.withContainer(other) {
            #expect(coordinator.ticket(4) == Ticket(number: 4))
            #expect(isSame(coordinator.engine(), container.resolve((any Engine).self)))
            #expect(isSame(container.resolve(Coordinator.self).engine(), coordinator.engine()))
            #expect(Coordinator(resolve: DIContainer.resolve).engine().kind == "other")
        }
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

    @Test("A weak lazy wrapper resolves late, and again once nobody holds the object")
    func weakLazy() {
        final class Screen {
            @WeakLazyInject var engine: any Engine
        }
        let builds = Counter()
        let container = DIContainer {
            Weak { _ -> any Engine in
                builds.increment()
                return Diesel()
            }
        }
        let screen = DIContainer.withContainer(container) { Screen() }
        #expect(builds.count == 0)
        var held: (any Engine)? = screen.engine
        #expect(isSame(screen.engine, held!) && builds.count == 1)
        weak let object = held as AnyObject
        held = nil
        #expect(object == nil)
        #expect(screen.engine.kind == "diesel" && builds.count == 2)
    }

    enum Second {
        @TaskLocal static var container = DIContainer { Shared(1) }
    }

    @Test("A second container is a task-local value, which a test binds")
    func secondContainer() {
        struct Screen {
            @Inject(from: Second.container) var number: Int
        }
        let fork = Second.container.fork { Shared(2) }
        #expect(Second.$container.withValue(fork) { Screen().number } == 2)
        #expect(Screen().number == 1)
    }
}
