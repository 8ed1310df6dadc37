import DependencyInjection
import Foundation
import Testing

/// Only the thread that runs a `New` factory retains its registration and its container. In each test, a factory
/// captures a tripwire.
@Suite("Rule C4: New factories run on the calling thread", .mayHang, .serialized, .ownThread)
struct ReplacedWhileRunningTests {
    /// Changes that release the registration of a Boolean value.
    private static let changes: [Row<@Sendable (DIContainer) -> Void>] = [
        Row("register(_:)") { $0.register(New { _ in true }) },
        Row("unregister(_:)") { $0.unregister(Bool.self) },
        Row("reset()") { $0.reset() },
    ]

    @Test(
        "A factory that replaces itself retains its captures until it ends", arguments: changes, [false, true])
    func replacingItself(_ change: Row<@Sendable (DIContainer) -> Void>, isFailing: Bool) throws {
        let alive = Counter()
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            container.register(
                New { [weak container] resolve in
                    change.value(container!)
                    // The registration is released, but this resolver and this closure are alive.
                    let wasFine = tripwire.isFine && alive.count == 1
                    _ = resolve(Int?.self)
                    if isFailing, wasFine { throw Sabotage() }
                    return wasFine
                })
        }
        if isFailing {
            #expect(failure { _ = try container.resolve.orThrow(Bool.self) }?.kind == "factoryFailed")
        } else {
            #expect(try container.resolve.orThrow(Bool.self))
        }
        #expect(alive.count == 0)
    }

    @Test("Captures of an outer factory that an inner one replaces live until it returns")
    func replacedFurtherIn() throws {
        let alive = Counter()
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            container.register {
                New { [weak container] resolve, depth in
                    // More levels than the initial capacity of the thread's record.
                    if depth == 0 {
                        container!.reset()
                        return alive.count == 1
                    }
                    return resolve(Bool.self, arguments: depth - 1) && tripwire.isFine
                }
            }
        }
        #expect(try container.resolve.orThrow(Bool.self, arguments: 60))
        #expect(alive.count == 0)
    }

    @Test("A registration that another thread removes lives until its factory returns", arguments: changes)
    func replacedByOthers(_ change: Row<@Sendable (DIContainer) -> Void>) async {
        let (alive, factory) = (Counter(), Latch())
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            container.register(New { _ in factory.wait(returning: tripwire.isFine && alive.count == 1) })
        }
        let request = BackgroundThread { container.resolve(Bool.self) }
        await factory.isReached()
        change.value(container)
        factory.open()
        #expect(request.result() == true)
        #expect(alive.count == 0)
    }

    @Test("Objects that many factories release inside a queue are released without nesting")
    func manyUnderQueue() {
        let count = 10_000
        let container = DIContainer {
            New(Ticket(number: 1))
            Shared { resolve in (0..<count).map { _ in resolve(Ticket.self).number } }
            New(name: "outer") { resolve in
                DIContainer.register(New(0, name: "outer"))
                return resolve([Int].self).count
            }
            Shared { _ in
                for number in 0..<count { DIContainer.register(New(number, name: "inner")) }
                return Diesel()
            }
            Shared(name: "containers") { _ in
                for _ in 0..<count { _ = DIContainer() }
                return Diesel()
            }
        }
        // The stack is too small for that many nested calls.
        let outcome = BackgroundThread(stackSize: 512 << 10) {
            let outer = container.resolve(Int.self, name: "outer")
            _ = container.resolve(Diesel.self)
            _ = container.resolve(Diesel.self, name: "containers")
            return [outer, container.resolve(Int.self, name: "inner")]
        }
        #expect(outcome.result() == [count, count - 1])
    }

    @Test("A chain of deinits that unregister one another doesn't nest")
    func chainOfDeinits() {
        let count = 10_000
        let container = DIContainer()
        for number in 0..<count {
            let link = ReleaseAction { [container] in container.unregister(Int.self, name: .init("\(number + 1)")) }
            container.register(New(name: .init("\(number)")) { _ in withExtendedLifetime(link) { number } })
        }
        // The stack is too small for that many nested calls.
        let outcome = BackgroundThread(stackSize: 512 << 10) {
            container.unregister(Int.self, name: "0")
            return container.resolve.all(Int.self)
        }
        #expect(outcome.result() == [])
    }
}

extension ExitTests {
    @Test(
        "Rule C4: A replaced default container lives until its factories return or fail",
        arguments: [false, true])
    static func replacingRunningDefault(isFailing: Bool) async {
        await #expect(processExitsWith: .success) { [isFailing] in
            let alive = Counter()
            do {
                let tripwire = Tripwire(alive)
                DIContainer.shared = DIContainer {
                    Shared(7)
                    New { resolve in Ticket(number: try resolve.orThrow(Int.self, name: "inner")) }
                    New(name: "inner") { resolve in
                        // The calls of the factories are the only owners of their container.
                        DIContainer.shared = DIContainer()
                        if isFailing, tripwire.isFine { throw Sabotage() }
                        return tripwire.isFine ? resolve(Int.self) : 0
                    }
                }
            }
            if isFailing {
                precondition(failure { _ = try DIContainer.resolve.orThrow(Ticket.self) }?.kind == "factoryFailed")
            } else {
                precondition(DIContainer.resolve(Ticket.self).number == 7)
            }
            precondition(alive.count == 0)
        }
    }
}
