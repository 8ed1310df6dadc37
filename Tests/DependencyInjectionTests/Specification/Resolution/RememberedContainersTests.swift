import DependencyInjection
import Testing

@Suite("Rule 14: Providers and lazy wrappers remember their container")
struct RememberedContainerTests {
    @Test("A provider follows a later registration")
    func laterRegistration() throws {
        let container = DIContainer { New(Ticket(number: 1)) }
        let provider: Provider<Ticket> = try container.resolve.orThrow()
        #expect(provider().number == 1)
        container.register(New(Ticket(number: 2)))
        #expect(provider().number == 2)
        container.unregister(Ticket.self)
        #expect(failure { _ = try provider.orThrow() }?.kind == "notRegistered")
    }

    @Test("A manually created provider has the name that it was given")
    func byHand() {
        let container = DIContainer { New(Ticket(number: 8), name: "eight") }
        let provider = DIContainer.withContainer(container) { Provider<Ticket>(name: "eight") }
        #expect(provider().number == 8)
    }

    /// A wrapper or a provider: creates it, and returns a function that reads its value.
    typealias Handle = Row<@MainActor @Sendable () -> @MainActor () throws -> Diesel>

    static let handles = [
        Handle("@Inject of a Provider") {
            let wrapper = Inject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("@MutableInject of a Provider") {
            let wrapper = MutableInject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("@LazyInject of a Provider") {
            let wrapper = LazyInject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("a Provider that is created by hand") {
            let make = Provider<Diesel>()
            return { try make.orThrow() }
        },
        Handle("a Provider that is resolved") {
            let make = DIContainer.resolve(Provider<Diesel>.self)
            return { try make.orThrow() }
        },
        Handle("@LazyInject") {
            let wrapper = LazyInject<Diesel>()
            return { wrapper.wrappedValue }
        },
        Handle("@MutableLazyInject") {
            let wrapper = MutableLazyInject<Diesel>()
            return { wrapper.wrappedValue }
        },
    ]

    @Test("A handle retains the container of withOverrides", arguments: handles)
    @MainActor func retainsOverrides(_ handle: Handle) throws {
        let read = DIContainer.withOverrides({ Shared(Diesel()) }) { handle.value() }
        #expect(try read() === read())
    }

    @Test("A handle retains the container of withContainer until its own release", arguments: handles)
    @MainActor func retainsContainer(_ handle: Handle) throws {
        let released = Counter()
        var read: (@MainActor () throws -> Diesel)?
        do {
            let held = Tracked(released)
            let container = DIContainer { Shared { _ in withExtendedLifetime(held) { Diesel() } } }
            read = DIContainer.withContainer(container) { handle.value() }
        }
        #expect(try read?() === read?())
        #expect(released.count == 0)
        read = nil
        #expect(released.count == 1)
    }

    @Test("A handle uses its container in another one's scope", arguments: handles)
    @MainActor func inOtherScope(_ handle: Handle) throws {
        let (first, second) = (DIContainer { Shared(Diesel()) }, DIContainer { Shared(Diesel()) })
        let read = DIContainer.withContainer(first) { handle.value() }
        let diesel = try DIContainer.withContainer(second) { try read() }
        #expect(try diesel === first.resolve.orThrow(Diesel.self))
    }
}
