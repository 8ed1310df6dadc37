import DependencyInjection
import Testing

@Suite("Rule 15: A lazy wrapper has one value", .serialized, .mayHang, .ownThread)
struct LazyInjectTests {
    private func numbering(from start: Int = 0, _ built: Counter = Counter()) -> DIContainer {
        DIContainer {
            New { _ in Ticket(number: start + built.increment()) }
            New(name: "named") { _ in Ticket(number: start + 100 + built.increment()) }
        }
    }

    @Test("@LazyInject resolves at the first access and once. Before that, its projected value is nil")
    func once() {
        let built = Counter()
        let container = numbering(built)
        DIContainer.withContainer(container) {
            @LazyInject var ticket: Ticket
            @LazyInject(name: "named") var named: Ticket
            #expect($ticket == nil && built.count == 0)
            #expect(ticket.number == 1)
            #expect(ticket.number == 1 && $ticket?.number == 1)
            #expect(named.number == 102)
            #expect(built.count == 2)
            // Rule 8: a lazy Optional is nil if nothing is registered, and resolves once.
            @LazyInject var starter: (any Starter)?
            #expect($starter == nil)
            #expect(starter == nil && $starter != nil)
            container.register(New(Diesel() as any Starter))
            #expect(starter == nil)
        }
    }

    @Test("A value read from a temporary wrapper outlives the wrapper")
    func temporaryWrapper() {
        DIContainer.withContainer(DIContainer { New(Diesel()) }) {
            for round in 0..<1_000 {
                let wrapper = LazyInject<Diesel>()
                _ = wrapper.wrappedValue
                #expect(wrapper.wrappedValue.kind == "diesel", "round \(round)")
            }
            #expect((0..<1_000).allSatisfy { _ in LazyInject<Diesel>().wrappedValue.kind == "diesel" })
        }
    }

    @Test("@MutableLazyInject has value semantics. Its projected value is nil until it is resolved or set")
    func valueSemantics() {
        let built = Counter()
        let container = DIContainer { New { _ in [built.increment()] } }
        let first = DIContainer.withContainer(container) { MutableLazyInject<[Int]>() }
        var second = first
        second.wrappedValue = [50]
        var third = second
        third.wrappedValue.append(60)
        #expect([first, second, third].map(\.projectedValue) == [nil, [50], [50, 60]])
        #expect([first, second, third, first].map(\.wrappedValue) == [[1], [50], [50, 60], [1]])
    }

    @Test("Rule 15: @MutableLazyInject changes its value in place unless it is shared")
    func changedInPlace() {
        let container = DIContainer { New { _ in Locked(0) } }
        var wrapper = DIContainer.withContainer(container) { MutableLazyInject<Locked<Int>>() }
        weak let old = wrapper.wrappedValue
        let isAlways = [
            isKnownUniquelyReferenced(&wrapper.wrappedValue), isKnownUniquelyReferenced(&wrapper.wrappedValue),
        ]
        #expect(isAlways == [true, true] && old === wrapper.wrappedValue)
        let copy = wrapper
        let isShared = !isKnownUniquelyReferenced(&wrapper.wrappedValue)
        #expect(isShared && copy.wrappedValue === wrapper.wrappedValue)
        wrapper.wrappedValue = Locked(0)
        let isSet = isKnownUniquelyReferenced(&wrapper.wrappedValue)
        #expect(isSet && old === copy.wrappedValue)
    }

    @Test("Setting before the first read means no resolution at all")
    func setFirst() {
        let built = Counter()
        DIContainer.withContainer(numbering(built)) {
            @MutableLazyInject var ticket: Ticket
            @MutableLazyInject(name: "named") var named: Ticket
            (ticket, named) = (Ticket(number: 5), Ticket(number: 6))
            #expect(ticket.number == 5 && named.number == 6)
            #expect(built.count == 0)
        }
    }

    @Test("All readers of @LazyInject get one value of a New, on any thread")
    func raceOfNew() {
        for round in 0..<raceRounds {
            let wrapper = DIContainer.withContainer(numbering()) { LazyInject<Ticket>() }
            let numbers = onThreads(raceThreads) { _ in wrapper.wrappedValue.number }
            #expect(
                numbers.allSatisfy { $0 == numbers[0] } && wrapper.wrappedValue.number == numbers[0], "round \(round)")
        }
    }

    @Test("If its own factory reads a lazy value, all readers get the inner one")
    func readThroughItself() {
        let inner = Locked<[Int]>([])
        let wrapper = Locked<LazyInject<Ticket>?>(nil)
        let container = DIContainer {
            New { _ in
                DIContainer.register(New(Ticket(number: 2)))
                let number = wrapper.withLock { $0 }!.wrappedValue.number
                inner.withLock { $0.append(number) }
                return Ticket(number: 1)
            }
        }
        wrapper.withLock { $0 = DIContainer.withContainer(container) { LazyInject() } }
        let numbers = (0..<2).map { _ in wrapper.withLock { $0 }!.wrappedValue.number }
        #expect(inner.withLock { $0 } == [2] && numbers == [2, 2])
    }

    @Test("If two first readers build a New at the same time, one is released")
    func loserOfRace() {
        for round in 0..<raceRounds {
            let (building, released) = (Counter(), Counter())
            let container = DIContainer {
                New { _ in
                    building.increment()
                    // Both factories run before one of them returns.
                    #expect(eventually { building.count == 2 }, "round \(round)")
                    return Tracked(released)
                }
            }
            let wrapper = DIContainer.withContainer(container) { LazyInject<Tracked>() }
            let isOne = onThreads(2) { _ in wrapper.wrappedValue }.allSatisfy { $0 === wrapper.wrappedValue }
            #expect(isOne && building.count == 2 && released.count == 1, "round \(round)")
        }
    }

    // MARK: Lazy wrappers of New registrations

    @Test("Rules 15, C4: during a lazy New factory, the container builds and registers", arguments: [false, true])
    func takesNoQueue(isMutable: Bool) async {
        let factory = Latch()
        let container = DIContainer {
            New { _ in factory.wait(returning: Ticket(number: 1)) }
            Shared(Diesel())
        }
        let wrappers = DIContainer.withContainer(container) { (LazyInject<Ticket>(), MutableLazyInject<Ticket>()) }
        let reading = BackgroundThread { isMutable ? wrappers.1.wrappedValue.number : wrappers.0.wrappedValue.number }
        await factory.isReached()
        let built = BackgroundThread { container.resolve(Diesel.self).kind }.result()
        let registered = BackgroundThread {
            container.register(Shared("text"))
            return container.resolve(String.self)
        }.result()
        factory.open()
        #expect(built == "diesel")
        #expect(registered == "text")
        #expect(reading.result() == 1)
    }

    @Test("The description of a wrapper is its value, once it is resolved or set")
    func description() {
        DIContainer.withContainer(DIContainer { Shared(Ticket(number: 7)) }) {
            let ticket = LazyInject<Ticket>()
            var number = MutableLazyInject<Int>()
            #expect("\(ticket), \(number)" == "not resolved, not resolved")
            _ = ticket.wrappedValue
            number.wrappedValue = 8
            #expect("\(ticket), \(number)" == "Ticket(number: 7), 8")
        }
    }

    // MARK: @Inject and @MutableInject

    @Test("@Inject resolves when its owner is created, and @MutableInject is also settable")
    func eager() {
        struct Screen {
            @Inject var engine: any Engine
            @Inject var missing: (any Starter)?
            @MutableInject var ticket: Ticket
            @MutableInject var given: Ticket = Ticket(number: 9)
        }
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            New(Ticket(number: 1))
        }
        let screen = DIContainer.withContainer(container) { Screen() }
        container.reset()
        var copy = screen
        copy.ticket = Ticket(number: 5)
        #expect(screen.engine.kind == "diesel")
        #expect(screen.missing == nil)
        #expect(screen.ticket.number == 1 && screen.given.number == 9)
        #expect(copy.ticket.number == 5)
    }

    @Test("Rule C5: the wrappers are Sendable if their value is")
    func sendable() {
        let types: [any Sendable.Type] = [
            Inject<Ticket>.self, MutableInject<Ticket>.self, LazyInject<Ticket>.self, MutableLazyInject<Ticket>.self,
        ]
        #expect(types.count == 4)
    }

    @Test("Rule 14: every wrapper accepts a name and a container other than the current one")
    func nameAndContainer() {
        let other = numbering(from: 10)
        DIContainer.withContainer(numbering(from: 20)) {
            @Inject(from: other, name: "named") var first: Ticket
            @MutableInject(from: other, name: "named") var second: Ticket
            @LazyInject(from: other, name: "named") var third: Ticket
            @MutableLazyInject(from: other, name: "named") var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [111, 112, 113, 114])
        }
    }
}

extension ExitTests {
    @Test("Rule 14: without a scope, a lazy wrapper uses the default container at the first access")
    static func defaultAtFirstAccess() async {
        await #expect(processExitsWith: .success) {
            let (wrapper, other) = (LazyInject<Ticket>(), LazyInject<Ticket>())
            DIContainer.shared = DIContainer {
                New(Ticket(number: 1))
                New(LazyInject<Ticket>())
            }
            precondition(wrapper.wrappedValue.number == 1)
            let made: LazyInject<Ticket> = DIContainer.resolve()
            let remembering = DIContainer.withContainer(.shared) { LazyInject<Ticket>() }
            DIContainer.shared = DIContainer { New(Ticket(number: 2)) }
            precondition(wrapper.wrappedValue.number == 1)
            precondition(other.wrappedValue.number == 2 && made.wrappedValue.number == 2)
            precondition(remembering.wrappedValue.number == 1)
        }
    }

    @Test("Rule 14: a lazy wrapper of an asynchronous factory uses the default container")
    static func defaultOfAsynchronousFactory() async {
        await #expect(processExitsWith: .success) {
            DIContainer.shared = DIContainer {
                Shared(async: { _ in LazyInject<Ticket>() })
                New(Ticket(number: 1))
            }
            let wrapper = try await DIContainer.resolve.async(LazyInject<Ticket>.self)
            let scoped = try await DIContainer.withContainer(DIContainer.shared.fork()) {
                try await DIContainer.resolve.async(LazyInject<Ticket>.self)
            }
            DIContainer.shared = DIContainer { New(Ticket(number: 2)) }
            precondition(wrapper.wrappedValue.number == 2)
            precondition(scoped.wrappedValue.number == 1)
        }
    }
}
