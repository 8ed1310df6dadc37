import DependencyInjection
import Foundation
import Testing

/// Only the thread that runs a `New` factory retains its registration and its container. In each test, a factory
/// captures a tripwire.
@Suite("Rule C4: New factories run on the calling thread", .mayHang, .serialized, .ownThread)
struct ReplacedWhileRunningTests {
    enum Change: CaseIterable { case register, unregister, reset }

    @Test(
        "A factory that replaces itself retains its captures until it ends", arguments: Change.allCases, [false, true])
    func replacingItself(_ change: Change, isFailing: Bool) throws {
        let alive = Counter()
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            container.register(
                New { [weak container] resolve in
                    switch change {
                    case .register: container!.register(New { _ in true })
                    case .unregister: container!.unregister(Bool.self)
                    case .reset: container!.reset()
                    }
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

    @Test("A registration replaced by another thread lives until its factory returns")
    func replacedByOthers() {
        let (alive, isInside, isReplaced) = (Counter(), Latch(), Latch())
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            container.register(
                New { _ in
                    isInside.open()
                    isReplaced.wait()
                    return tripwire.isFine && alive.count == 1
                })
        }
        let results = onThreads(2) { index in
            if index == 0 { return container.resolve(Bool.self) }
            isInside.wait()
            container.register(New { _ in true })
            isReplaced.open()
            return true
        }
        #expect(results == [true, true])
        #expect(alive.count == 0)
    }

    @Test("A registration repeated by its own factory is released with the container")
    func registeredAgain() throws {
        let alive = Counter()
        let registration = Locked<New<Bool>?>(nil)
        let container = DIContainer()
        do {
            let tripwire = Tripwire(alive)
            let new = New { [weak container] (_: Resolver) -> Bool in
                for _ in 0..<100 { container!.register(registration.withLock { $0! }) }
                return tripwire.isFine
            }
            registration.withLock { $0 = new }
            container.register(new)
        }
        #expect(try container.resolve.orThrow(Bool.self))
        registration.withLock { $0 = nil }
        #expect(alive.count == 1)
        container.reset()
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
    @Test("Rule C4: A replaced default container lives while its factories run")
    static func replacingRunningDefault() async {
        await #expect(processExitsWith: .success) {
            let alive = Counter()
            do {
                let tripwire = Tripwire(alive)
                DIContainer.shared = DIContainer {
                    Shared(Ticket(number: 7))
                    New { resolve in
                        DIContainer.shared = DIContainer()
                        return tripwire.isFine ? resolve(Ticket.self) : Ticket(number: 0)
                    }
                    New { resolve in resolve(Ticket.self, name: "inner") }
                }
                DIContainer.register(
                    New(name: "inner") { resolve in
                        DIContainer.shared = DIContainer()
                        return tripwire.isFine ? Ticket(number: 7) : Ticket(number: 0)
                    })
            }
            precondition(DIContainer.resolve(Ticket.self).number == 7)
            precondition(alive.count == 0)
        }
    }

    @Test("Rule C4: A default container that a failing factory replaces lives until the error is created")
    static func replacingFailingDefault() async {
        await #expect(processExitsWith: .success) {
            let alive = Counter()
            do {
                let tripwire = Tripwire(alive)
                DIContainer.shared = DIContainer {
                    Shared(tripwire)
                    New { () throws -> Int in
                        DIContainer.shared = DIContainer()
                        // The call of this factory is the only owner of its container.
                        precondition(alive.count == 1)
                        throw Sabotage()
                    }
                }
                let error = failure { _ = try DIContainer.resolve.orThrow(Int.self) }
                precondition(error?.kind == "factoryFailed")
            }
            precondition(alive.count == 0)
        }
    }

    @Test("Rule C4: Captures and resolver of a factory live while other threads change containers")
    static func replacingEverythingAtOnce() async {
        await #expect(processExitsWith: .success) {
            let alive = Counter()
            @Sendable func registration() -> New<Bool> {
                let tripwire = Tripwire(alive)
                return New { resolve, number in
                    resolve(Int?.self, name: "missing") == nil && tripwire.isFine && number == 3
                }
            }
            let current = Locked(DIContainer { registration() })
            DIContainer.shared = DIContainer { registration() }
            let isFine = reading {
                for round in 0..<3_000 {
                    let container = current.withLock { $0 }
                    switch round % 4 {
                    case 0: container.register(registration())
                    case 1: current.withLock { $0 = DIContainer { registration() } }
                    case 2: DIContainer.shared = DIContainer { registration() }
                    default: DIContainer.register(registration())
                    }
                }
            } _: { _ in
                let container = current.withLock { $0 }
                return (0..<20).allSatisfy { _ in
                    container.resolve(Bool.self, arguments: 3) && DIContainer.resolve(Bool.self, arguments: 3)
                }
            }
            precondition(isFine)
            current.withLock { $0 = DIContainer() }
            DIContainer.shared = DIContainer()
            precondition(alive.count == 0, "\(alive.count) are kept")
        }
    }
}
