import DependencyInjection
import Testing

@Suite("The projected value of a lazy wrapper")
struct LazyProjectionTests {
    final class Screen {
        @LazyInject var car: Car
        @MutableLazyInject var numbers: [Int]
        @LazyInject var starter: (any Starter)?

        var present: Car? { $car }
        var list: [Int]? { $numbers }
        var hasStarter: Bool { $starter != nil }
    }

    @Test("Before the first access it is nil and resolves nothing. Then it is the value")
    func resolvesNothing() {
        let built = Counter()
        let container = DIContainer {
            Shared { _ in
                built.increment()
                return Car(engine: Diesel())
            }
        }
        DIContainer.withContainer(container) {
            let screen = Screen()
            #expect(screen.present == nil && built.count == 0)
            let car = screen.car
            #expect(screen.present === car && built.count == 1)
            #expect(!screen.hasStarter)
            #expect(screen.starter == nil && screen.hasStarter)
        }
    }

    @Test("It is the value that was set, separately for each copy")
    func set() {
        struct Owner {
            @MutableLazyInject var numbers: [Int]
            var list: [Int]? { $numbers }
        }
        DIContainer.withContainer(DIContainer { Shared([1]) }) {
            var owner = Owner()
            let other = owner
            #expect(owner.list == nil)
            owner.numbers = [2]
            #expect(owner.list == [2] && other.list == nil)
            owner.numbers.append(3)
            #expect(owner.list == [2, 3])
        }
    }
}
