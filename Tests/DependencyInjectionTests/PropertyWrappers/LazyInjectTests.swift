import DependencyInjection
import Testing

@Suite("@LazyInject and @MutableLazyInject", .serialized, .mayHang, .ownThread)
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

    @Test("Rule 15: a value read from a temporary owner outlives the owner")
    func temporaryOwner() {
        let container = DIContainer { New(Diesel()) }
        final class Temporary {
            @LazyInject var engine: Diesel
        }
        DIContainer.withContainer(container) {
            for _ in 0..<1_000 {
                let owner = Temporary()
                _ = owner.engine
                #expect(owner.engine.kind == "diesel")
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

    @Test("Rule 15: setting before the first read means no resolution at all")
    func setFirst() {
        let built = Counter()
        var account = DIContainer.withContainer(numbering(built)) { Account() }
        account.ticket = Ticket(number: 5)
        account.named = Ticket(number: 6)
        #expect(account.ticket.number == 5 && account.named.number == 6)
        #expect(built.count == 0)
    }

    @Test("Rule 15: all readers of @LazyInject get one value of a New, on any thread")
    func raceOfNew() {
        for _ in 0..<raceRounds {
            let owner = DIContainer.withContainer(numbering()) { Owner() }
            let numbers = onThreads(raceThreads) { _ in owner.ticket.number }
            #expect(numbers.allSatisfy { $0 == numbers[0] } && owner.ticket.number == numbers[0])
        }
    }

    @Test("Rule 15: two lazy values that use each other's containers don't deadlock")
    func noDeadlock() throws {
        final class Node: @unchecked Sendable {
            @LazyInject(name: "other") var other: Ticket
        }
        for _ in 0..<50 {
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
            #expect(results == [6, 6])
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

    @Test("Rule 15: if its own factory reads a lazy value, all readers get the inner one")
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

    @Test("Rule 15: if two first readers build a New at the same time, one is released")
    func loserOfRace() {
        final class Reader: @unchecked Sendable {  // The wrapped property is only read.
            @LazyInject var tracked: Tracked
        }
        for _ in 0..<raceRounds {
            let (building, released) = (Counter(), Counter())
            let container = DIContainer {
                New { _ in
                    building.increment()
                    // Both factories run before one of them returns.
                    #expect(eventually { building.count == 2 })
                    return Tracked(released)
                }
            }
            let reader = DIContainer.withContainer(container) { Reader() }
            let isOne = onThreads(2) { _ in reader.tracked }.allSatisfy { $0 === reader.tracked }
            #expect(isOne && building.count == 2 && released.count == 1)
        }
    }
}

extension ExitTests {
    @Suite("@LazyInject and @MutableLazyInject, in another process") struct LazyInjectExitTests {}
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
