import DependencyInjection
import Testing

@Suite("Rule C9: A fork shares nothing", .mayHang, .ownThread)
struct ForkTests {
    private let container = DIContainer {
        Shared(autowiring: Car.init)
        Shared(Diesel(kind: "real"), as: (any Engine).self)
        New { _, number in Ticket(number: number) }
    }

    @Test("A fork copies registrations without instances, then shares nothing")
    func fork() throws {
        let car = try container.resolve.orThrow(Car.self)
        let fork = container.fork { Shared(Diesel(kind: "fake")) }
        #expect(try fork.resolve.orThrow(Car.self).engine.kind == "fake")
        #expect(try fork.resolve.orThrow(Car.self) !== car)
        #expect(try container.resolve.orThrow(Car.self) === car && car.engine.kind == "real")
        #expect(try fork.resolve.orThrow(Ticket.self, arguments: 4).number == 4)
        container.register(Shared("only here"))
        #expect(!fork.isRegistered(String.self))
        fork.register(Shared(1))
        #expect(!container.isRegistered(Int.self))
        #expect(try isSame(fork.resolve.orThrow((any Engine).self), fork.resolve.orThrow(Diesel.self)))
    }

    @Test("In withOverrides, an earlier instance is rebuilt with the overrides")
    func overrides() throws {
        DIContainer.withContainer(container) {
            let before: Car = DIContainer.resolve()
            DIContainer.withOverrides({ Shared(Diesel(kind: "fake")) }) {
                #expect(DIContainer.resolve(Car.self).engine.kind == "fake")
                DIContainer.withOverrides({ Shared("more") }) {
                    #expect(DIContainer.resolve(Car.self).engine.kind == "fake")
                    #expect(DIContainer.resolve(String.self) == "more")
                }
                #expect(DIContainer.resolve(String?.self) == nil)
            }
            #expect(DIContainer.resolve(Car.self) === before)
        }
        #expect(throws: Sabotage()) {
            try DIContainer.withOverrides({ Shared(1) }) { throw Sabotage() }
        }
    }

    @Test("Rule C7: withOverrides spans suspensions and child tasks, and rethrows")
    func asyncOverrides() async {
        await DIContainer.withContainer(container) {
            await DIContainer.withOverrides({ Shared(Diesel(kind: "fake")) }) {
                await Task.yield()
                async let child = DIContainer.resolve(Car.self).engine.kind
                #expect(await child == "fake")
            }
            await #expect(throws: Sabotage()) {
                try await DIContainer.withOverrides({ Shared(1) }) {
                    await Task.yield()
                    throw Sabotage()
                }
            }
        }
    }

    @Test("A factory's wrapper and provider don't retain their container")
    func createdInFactory() {
        weak var container: DIContainer?
        weak var owner: Dependent<LazyInject<Car>>?
        weak var caller: Dependent<Inject<Provider<Car>>>?
        do {
            let created = DIContainer {
                Shared { _ in Dependent(LazyInject<Car>()) }
                Shared { _ in Dependent(Inject<Provider<Car>>()) }
                Shared(autowiring: Car.init)
                Shared(Diesel(), as: (any Engine).self)
            }
            container = created
            DIContainer.withContainer(created) { (owner, caller) = (DIContainer.resolve(), DIContainer.resolve()) }
            let isSame = withExtendedLifetime(created) {
                owner.map { $0.dependency.wrappedValue === caller?.dependency.wrappedValue() }
            }
            #expect(isSame == true)
        }
        #expect(container == nil && owner == nil && caller == nil)
    }

    enum Changed: CaseIterable { case root, child, parent }

    @Test("A fork copies a concurrent block of registrations whole or not at all", arguments: Changed.allCases)
    func atomicFork(_ changed: Changed) {
        let root = DIContainer()
        let forked = changed == .root ? root : root.makeChild { Shared(1.5) }
        let container = changed == .child ? forked : root
        let isWhole = reading(on: 1) {
            for number in 1...1_000 {
                container.register {
                    New(number)
                    New("\(number)")
                    for place in 0..<8 { New(number, name: RegistrationName("\(place)")) }
                    Decorate(Int.self) { base, _ in base * 2 }
                }
                container.unregister(Int.self)
                container.reset()
            }
        } _: { _ in
            let fork = forked.fork()
            let numbers = fork.resolve.all(Int.self).map { "\($0)" }
            guard let first = fork.resolve(Int?.self) else { return Set(numbers).count <= 1 }
            return (try? fork.resolve.orThrow(String.self)) == "\(first / 2)"
                && Set(numbers.dropFirst()) == ["\(first / 2)"] && numbers.count == 9
        }
        #expect(isWhole)
    }

    @Test("A released container caches nothing, even if code retains objects")
    func releasedContainer() {
        let (resolve, held): (Resolver, Diesel)
        do {
            let container = DIContainer {
                Shared(Diesel(), as: (any Engine).self)
                Weak(Car(engine: Diesel()))
            }
            (resolve, held) = (container.resolve, container.resolve())
        }
        #expect(resolve(Diesel.self) !== held && resolve(Diesel.self) !== resolve(Diesel.self))
        let car = resolve(Car.self)
        #expect(resolve(Car.self) !== car)
    }

    @Test("A fork doesn't wait for a factory", arguments: [false, true])
    func whileFactoryRuns(isChild: Bool) throws {
        let container = isChild ? DIContainer().makeChild() : DIContainer()
        container.register(Shared(Diesel()))
        let kinds = whileBuilding(in: container) {
            let fork = container.fork()
            return [
                try? fork.resolve.orThrow(Diesel.self).kind,
                DIContainer.withContainer(container) {
                    DIContainer.withOverrides {
                        Shared(Diesel(kind: "override"))
                    } operation: {
                        try? DIContainer.resolve.orThrow(Diesel.self).kind
                    }
                },
            ]
        }
        #expect(kinds == ["diesel", "override"])
    }
}
