import DependencyInjection
import Testing

@Suite("Rule 15: A lazy wrapper has one value (reads and writes)", .serialized, .mayHang, .ownThread)
struct LazyInjectTests {
    final class Owner: @unchecked Sendable {  // The wrapped properties are only read.
        @LazyInject var ticket: Ticket
        @LazyInject(name: "named") var named: Ticket
    }
    struct Account {
        @MutableLazyInject var ticket: Ticket
        @MutableLazyInject(name: "named") var named: Ticket
    }

    private func numbering(from start: Int = 0, _ built: Counter = Counter()) -> DIContainer {
        DIContainer {
            New { _ in Ticket(number: start + built.increment()) }
            New(name: "named") { _ in Ticket(number: start + 100 + built.increment()) }
        }
    }

    @Test("Rule 15: @LazyInject resolves at the first access and once")
    func once() {
        let built = Counter()
        let owner = DIContainer.withContainer(numbering(built)) { Owner() }
        #expect(built.count == 0)
        #expect(owner.ticket.number == 1)
        #expect(owner.ticket.number == 1)
        #expect(owner.named.number == 102)
        #expect(built.count == 2)
    }

    private func numbering(_ built: Counter) -> DIContainer { numbering(from: 0, built) }

    @Test("Rule 14: a lazy wrapper remembers its owner's container at creation")
    func remembers() async {
        let owner = DIContainer.withContainer(numbering(from: 1_000)) { Owner() }
        let number = await Task.detached {
            DIContainer.withContainer(DIContainer()) { owner.ticket.number }
        }.value
        #expect(number == 1_001)
    }

    @Test("Rule 14: in an owner that a factory builds, it remembers the factory's container")
    func remembersFactory() throws {
        let container = numbering(from: 2_000)
        container.register(New(Owner()))
        let owner: Owner = try container.resolve.orThrow()
        #expect(owner.ticket.number == 2_001)
    }

    @Test("A value read from a temporary owner outlives the owner")
    func temporaryOwner() {
        let container = DIContainer { New(Diesel()) }
        final class Temporary {
            @LazyInject var engine: Diesel
        }
        DIContainer.withContainer(container) {
            for round in 0..<1_000 {
                let owner = Temporary()
                _ = owner.engine
                #expect(owner.engine.kind == "diesel", "round \(round)")
            }
            func engine() -> Diesel { Temporary().engine }
            #expect((0..<1_000).allSatisfy { _ in engine().kind == "diesel" })
        }
    }

    @Test("Rule 15: @MutableLazyInject has value semantics")
    func valueSemantics() {
        let first = DIContainer.withContainer(numbering()) { Account() }
        var second = first
        second.ticket = Ticket(number: 50)
        var third = second
        third.ticket = Ticket(number: 60)
        #expect(first.ticket.number == 1)
        #expect(second.ticket.number == 50)
        #expect(third.ticket.number == 60)
        #expect(first.ticket.number == 1)
    }

    @Test("Rule 15: @MutableLazyInject changes its value in place unless it is shared")
    func changedInPlace() {
        struct List { var storage = Locked(0) }
        struct Owner { @MutableLazyInject(from: DIContainer { New(List()) }) var list: List }
        func isAlone(_ list: inout List) -> Bool { isKnownUniquelyReferenced(&list.storage) }
        var owner = Owner()
        weak let old = owner.list.storage
        let isAlways = [isAlone(&owner.list), isAlone(&owner.list)]
        #expect(isAlways == [true, true] && old === owner.list.storage)
        let copy = owner
        let isShared = !isAlone(&owner.list)
        #expect(isShared && copy.list.storage === owner.list.storage)
        owner.list = List()
        let isSet = isAlone(&owner.list)
        #expect(isSet && old === copy.list.storage)
    }

    @Test("Setting before the first read means no resolution at all")
    func setFirst() {
        let built = Counter()
        var account = DIContainer.withContainer(numbering(built)) { Account() }
        account.ticket = Ticket(number: 5)
        account.named = Ticket(number: 6)
        #expect(account.ticket.number == 5 && account.named.number == 6)
        #expect(built.count == 0)
    }

    @Test("All readers of @LazyInject get one value of a New, on any thread")
    func raceOfNew() {
        for round in 0..<raceRounds {
            let owner = DIContainer.withContainer(numbering()) { Owner() }
            let numbers = onThreads(raceThreads) { _ in owner.ticket.number }
            #expect(numbers.allSatisfy { $0 == numbers[0] } && owner.ticket.number == numbers[0], "round \(round)")
        }
    }

    @Test("Two lazy values that use each other's containers don't deadlock")
    func noDeadlock() throws {
        final class Node: @unchecked Sendable {
            @LazyInject(name: "other") var other: Ticket
        }
        for round in 0..<50 {
            let shared = DIContainer {
                Shared(Node())
                Shared { resolve in Car(engine: Diesel(kind: "\(resolve(Node.self).other.number)")) }
                New(name: "other") { resolve in Ticket(number: resolve(Diesel.self).kind.count) }
                Shared(Diesel())
            }
            let node: Node = try shared.resolve.orThrow()
            let results = onThreads(2) { index in
                index == 0 ? node.other.number : Int(shared.resolve(Car.self).engine.kind)!
            }
            #expect(results == [6, 6], "round \(round)")
        }
    }

    @Test("Rule 8: a lazy Optional is nil if nothing is registered, and resolves once")
    func optional() {
        let container = DIContainer()
        @LazyInject(from: container) var ticket: Ticket?
        #expect(ticket == nil)
        container.register(New(Ticket(number: 1)))
        #expect(ticket == nil)
    }

    @Test("If its own factory reads a lazy value, all readers get the inner one")
    func readThroughItself() {
        let inner = Locked<[Int]>([])
        let owner = Locked<Owner?>(nil)
        let container = DIContainer {
            New { _ in
                DIContainer.register(New(Ticket(number: 2)))
                let number = owner.withLock { $0 }!.ticket.number
                inner.withLock { $0.append(number) }
                return Ticket(number: 1)
            }
        }
        owner.withLock { $0 = DIContainer.withContainer(container) { Owner() } }
        let numbers = (0..<2).map { _ in owner.withLock { $0 }!.ticket.number }
        #expect(inner.withLock { $0 } == [2] && numbers == [2, 2])
    }

    @Test("If two first readers build a New at the same time, one is released")
    func loserOfRace() {
        final class Reader: @unchecked Sendable {  // The wrapped property is only read.
            @LazyInject var tracked: Tracked
        }
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
            let reader = DIContainer.withContainer(container) { Reader() }
            let isOne = onThreads(2) { _ in reader.tracked }.allSatisfy { $0 === reader.tracked }
            #expect(isOne && building.count == 2 && released.count == 1, "round \(round)")
        }
    }
}

extension ExitTests {
    @Suite("Rule 15: A lazy wrapper has one value (reads and writes, in another process)") struct LazyInjectExitTests {}
}

extension ExitTests.LazyInjectExitTests {
    @Test("Rule 14: otherwise it uses the default container at the first access")
    func defaultAtFirstAccess() async {
        await #expect(processExitsWith: .success) {
            let (owner, other) = (LazyInjectTests.Owner(), LazyInjectTests.Owner())
            DIContainer.shared = DIContainer {
                New(Ticket(number: 1))
                New(LazyInjectTests.Owner())
            }
            precondition(owner.ticket.number == 1)
            let made: LazyInjectTests.Owner = DIContainer.resolve()
            let remembering = DIContainer.withContainer(.shared) { LazyInjectTests.Owner() }
            DIContainer.shared = DIContainer { New(Ticket(number: 2)) }
            precondition(owner.ticket.number == 1)
            precondition(other.ticket.number == 2 && made.ticket.number == 2)
            precondition(remembering.ticket.number == 1)
        }
    }

    @Test("Rule 14: it also uses the default below the default's asynchronous factories")
    func followsTheDefaultFromAsynchronousFactories() async {
        await #expect(processExitsWith: .success) {
            DIContainer.shared = DIContainer {
                Shared(async: { _ in LazyInjectTests.Owner() })
                New(Ticket(number: 1))
            }
            let owner = try await DIContainer.resolve.async(LazyInjectTests.Owner.self)
            let scoped = try await DIContainer.withContainer(DIContainer.shared.fork()) {
                try await DIContainer.resolve.async(LazyInjectTests.Owner.self)
            }
            DIContainer.shared = DIContainer { New(Ticket(number: 2)) }
            precondition(owner.ticket.number == 2)
            precondition(scoped.ticket.number == 1)
        }
    }
}

/// `New` factories run on the calling thread without holding the queue, even through a lazy wrapper.
@Suite("Rule 15: A lazy wrapper has one value (lazy wrappers of New registrations)", .mayHang, .ownThread)
struct LazyNewTests {
    final class Owner: @unchecked Sendable {  // The wrapped properties are only read.
        @LazyInject var ticket: Ticket
        @MutableLazyInject var mutable: Ticket
    }

    @Test("Rules 15, C4: during a lazy New factory, the container builds and registers", arguments: 0..<2)
    func takesNoQueue(_ wrapper: Int) {
        let began = Latch()
        let mayEnd = Latch()
        let container = DIContainer {
            New { _ in
                began.open()
                mayEnd.wait()
                return Ticket(number: 1)
            }
            Shared(Diesel())
        }
        let owner = DIContainer.withContainer(container) { Owner() }
        let reading = BackgroundThread { wrapper == 0 ? owner.ticket.number : owner.mutable.number }
        began.wait()
        let built = BackgroundThread { container.resolve(Diesel.self).kind }.result()
        let registered = BackgroundThread {
            container.register(Shared("text"))
            return container.resolve(String.self)
        }.result()
        mayEnd.open()
        #expect(built == "diesel")
        #expect(registered == "text")
        #expect(reading.result() == 1)
    }
}

extension ExitTests {
    @Test("Rule 15: New factories that read each other's lazy values don't deadlock")
    static func noDeadlock() async {
        // In a process of its own, because this process couldn't end after a deadlock.
        await #expect(processExitsWith: .success) {
            let entered = Counter()
            let bothRun = Latch()
            let first = DIContainer()
            let second = DIContainer()
            for (container, other) in [(first, second), (second, first)] {
                container.register {
                    New(Ticket(number: 1), name: "inner")
                    New { [weak other] _ in
                        if entered.increment() == 2 { bothRun.open() }
                        bothRun.wait()
                        @LazyInject(from: other!, name: "inner") var inner: Ticket
                        return Ticket(number: inner.number + 1)
                    }
                }
            }
            let threads = [first, second].map { container in
                let owner = DIContainer.withContainer(container) { LazyNewTests.Owner() }
                return BackgroundThread { owner.ticket.number }
            }
            precondition(threads.map { $0.result() } == [2, 2], "the two wait for each other")
        }
    }
}

@Suite("Rule 15: A lazy wrapper has one value (the projected value of a lazy wrapper)")
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
            Shared { _ in built.counting(Car(engine: Diesel())) }
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

    @Test("The description of a wrapper is its value, once it is resolved or set")
    func description() {
        struct Owner {
            @LazyInject var ticket: Ticket
            @MutableLazyInject var number: Int
        }
        DIContainer.withContainer(DIContainer { Shared(Ticket(number: 7)) }) {
            var owner = Owner()
            #expect("\(owner)" == "Owner(_ticket: not resolved, _number: not resolved)")
            _ = owner.ticket
            owner.number = 8
            #expect("\(owner)" == "Owner(_ticket: Ticket(number: 7), _number: 8)")
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

@Suite("Rule 15: A lazy wrapper has one value (@Inject and @MutableInject)")
struct InjectTests {
    struct Screen {
        @Inject var engine: any Engine
        @Inject(name: "spare") var spare: any Engine
        @Inject var missing: (any Starter)?
        @MutableInject var ticket: Ticket
        @MutableInject(name: "second") var second: Ticket
        @MutableInject var given: Ticket = Ticket(number: 9)
    }

    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(Diesel(kind: "spare") as any Engine, name: "spare")
        New(Ticket(number: 1))
        New(Ticket(number: 2), name: "second")
    }

    @Test("resolve at the owner's creation by type and name, and are nil if unregistered")
    func resolves() {
        let screen = DIContainer.withContainer(container) { Screen() }
        container.reset()
        #expect(screen.engine.kind == "diesel")
        #expect(screen.spare.kind == "spare")
        #expect(screen.missing == nil)
        #expect(screen.ticket.number == 1 && screen.second.number == 2 && screen.given.number == 9)
    }

    @Test("@MutableInject is settable, separately for each copy")
    func mutable() {
        let first = DIContainer.withContainer(container) { Screen() }
        var second = first
        second.ticket = Ticket(number: 5)
        #expect(first.ticket.number == 1)
        #expect(second.ticket.number == 5)
    }

    @Test("Rule C5: the wrappers are Sendable if their value is")
    func sendable() {
        func requireSendable<T: Sendable>(_ type: T.Type) {}
        requireSendable(Inject<Ticket>.self)
        requireSendable(MutableInject<Ticket>.self)
        requireSendable(LazyInject<Ticket>.self)
        requireSendable(MutableLazyInject<Ticket>.self)
    }

    @Test("Rule 14: every wrapper accepts a name, a container, or both")
    func nameAndContainer() {
        func numbered(_ number: Int) -> DIContainer {
            DIContainer {
                New(Ticket(number: number))
                New(Ticket(number: number + 1), name: "named")
            }
        }
        let other = numbered(10)
        DIContainer.withContainer(numbered(20)) {
            @Inject(name: "named") var first: Ticket
            @MutableInject(name: "named") var second: Ticket
            @LazyInject(name: "named") var third: Ticket
            @MutableLazyInject(name: "named") var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [21, 21, 21, 21])
        }
        DIContainer.withContainer(numbered(30)) {
            @Inject(from: other) var first: Ticket
            @MutableInject(from: other) var second: Ticket
            @LazyInject(from: other) var third: Ticket
            @MutableLazyInject(from: other) var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [10, 10, 10, 10])
        }
        DIContainer.withContainer(numbered(40)) {
            @Inject(from: other, name: "named") var first: Ticket
            @MutableInject(from: other, name: "named") var second: Ticket
            @LazyInject(from: other, name: "named") var third: Ticket
            @MutableLazyInject(from: other, name: "named") var fourth: Ticket
            #expect([first, second, third, fourth].map(\.number) == [11, 11, 11, 11])
        }
    }
}
