import DependencyInjection
import Testing

// More recipes of the article "Patterns".

@Suite("Recipes")
struct RecipeTests {
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
