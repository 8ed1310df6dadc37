import DependencyInjection
import Foundation
import Testing

/// Only the thread that runs a `New` factory retains its registration and its container.
@Suite("Rule C4: New factories run on the calling thread", .mayHang, .serialized, .ownThread)
struct ReplacedWhileRunningTests {
    /// A capture of a factory, which detects a use after its release.
    final class Belonging: Sendable {
        private let state = Counter()
        private let released: Counter

        init(_ released: Counter) { self.released = released }

        deinit {
            state.increment()
            released.increment()
        }

        var isFine: Bool { state.count == 0 }
    }

    @Test("A factory that unregisters itself retains its captures until it returns")
    func replacingItself() throws {
        let changes: KeyValuePairs<String, @Sendable (DIContainer) -> Void> = [
            "register": { container in container.register(New { _ in true }) },
            "unregister": { container in container.unregister(Bool.self) },
            "reset": { container in container.reset() },
        ]
        for (row, change) in changes {
            let released = Counter()
            let container = DIContainer()
            func register() {
                let belonging = Belonging(released)
                container.register(
                    New { [weak container] resolve in
                        change(container!)
                        // The registration is released, but this resolver and this closure are alive.
                        let wasFine = belonging.isFine && released.count == 0
                        _ = resolve(Int?.self)
                        return wasFine
                    })
            }
            register()
            #expect(try container.resolve.orThrow(Bool.self), "\(row)")
            #expect(released.count == 1, "\(row)")
        }
    }

    @Test("Captures of an outer factory that an inner one replaces live until it returns")
    func replacedFurtherIn() throws {
        let released = Counter()
        let container = DIContainer()
        func register() {
            let belonging = Belonging(released)
            container.register {
                New { [weak container] resolve, depth in
                    // More levels than the initial capacity of the thread's record.
                    if depth == 0 {
                        container!.reset()
                        return released.count == 0
                    }
                    return resolve(Bool.self, arguments: depth - 1) && belonging.isFine
                }
            }
        }
        register()
        #expect(try container.resolve.orThrow(Bool.self, arguments: 60))
        #expect(released.count == 1)
    }

    @Test("A registration replaced by another thread lives until its factory returns")
    func replacedByOthers() {
        let released = Counter()
        let isInside = Counter()
        let isReplaced = Counter()
        let container = DIContainer()
        func register() {
            let belonging = Belonging(released)
            container.register(
                New { _ in
                    isInside.increment()
                    #expect(eventually { isReplaced.count > 0 })
                    return belonging.isFine && released.count == 0
                })
        }
        register()
        let results = onThreads(2) { index in
            if index == 0 { return container.resolve(Bool.self) }
            #expect(eventually { isInside.count > 0 })
            container.register(New { _ in true })
            isReplaced.increment()
            return true
        }
        #expect(results == [true, true])
        #expect(released.count == 1)
    }

    @Test("A registration that is replaced while it fails is named and released")
    func failing() throws {
        let released = Counter()
        let container = DIContainer()
        func register() {
            let belonging = Belonging(released)
            container.register(
                New { [weak container] _ -> Int in
                    container!.unregister(Int.self)
                    if belonging.isFine { throw Sabotage() }
                    return 0
                })
        }
        register()
        let error = try #require(failure { _ = try container.resolve.orThrow(Int.self) })
        #expect(error.kind == "factoryFailed")
        #expect(released.count == 1)
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

    /// A link of a chain. Its `deinit` unregisters the registration that retains the next link.
    private final class Link: Sendable {
        private let container: DIContainer
        private let number: Int

        init(_ container: DIContainer, _ number: Int) {
            self.container = container
            self.number = number
        }

        deinit { container.unregister(Int.self, name: .init("\(number + 1)")) }
    }

    @Test("A chain of deinits that unregister one another doesn't nest")
    func chainOfDeinits() {
        let count = 10_000
        let container = DIContainer()
        for number in 0..<count {
            let link = Link(container, number)
            container.register(New(name: .init("\(number)")) { _ in withExtendedLifetime(link) { number } })
        }
        // The stack is too small for that many nested calls.
        let outcome = BackgroundThread(stackSize: 512 << 10) {
            container.unregister(Int.self, name: "0")
            return container.resolve.all(Int.self)
        }
        #expect(outcome.result() == [])
    }

    @Test("A registration repeated by its own factory is released with the container")
    func registeredAgain() throws {
        let released = Counter()
        let registration = Locked<New<Bool>?>(nil)
        let container = DIContainer()
        func register() {
            let belonging = Belonging(released)
            let new = New { [weak container] (_: Resolver) -> Bool in
                for _ in 0..<100 { container!.register(registration.withLock { $0! }) }
                return belonging.isFine
            }
            registration.withLock { $0 = new }
            container.register(new)
        }
        register()
        #expect(try container.resolve.orThrow(Bool.self))
        registration.withLock { $0 = nil }
        #expect(released.count == 0)
        container.reset()
        #expect(released.count == 1)
    }
}

extension ExitTests {
    @Suite("Rule C4: New factories run on the calling thread (in another process)") struct ReplacedWhileRunningExitTests
    {}
}

extension ExitTests.ReplacedWhileRunningExitTests {
    @Test("A replaced default container lives while its factories run")
    func replacingDefault() async {
        await #expect(processExitsWith: .success) {
            let released = Counter()
            func prepare() {
                let belonging = ReplacedWhileRunningTests.Belonging(released)
                DIContainer.shared = DIContainer {
                    Shared(Ticket(number: 7))
                    New { resolve in
                        DIContainer.shared = DIContainer()
                        return belonging.isFine ? resolve(Ticket.self) : Ticket(number: 0)
                    }
                    New { resolve in resolve(Ticket.self, name: "inner") }
                }
                DIContainer.register(
                    New(name: "inner") { resolve in
                        DIContainer.shared = DIContainer()
                        return belonging.isFine ? Ticket(number: 7) : Ticket(number: 0)
                    })
            }
            prepare()
            precondition(DIContainer.resolve(Ticket.self).number == 7)
            precondition(released.count == 1)
        }
    }

    @Test("A default container that a failing factory replaces lives until the error is created")
    func failingDefault() async {
        await #expect(processExitsWith: .success) {
            let released = Counter()
            func fail() -> ResolutionError? {
                let belonging = ReplacedWhileRunningTests.Belonging(released)
                DIContainer.shared = DIContainer {
                    Shared(belonging)
                    New { () throws -> Int in
                        DIContainer.shared = DIContainer()
                        // The call of this factory is the only owner of its container.
                        precondition(released.count == 0)
                        throw Sabotage()
                    }
                }
                return failure { _ = try DIContainer.resolve.orThrow(Int.self) }
            }
            precondition(fail()?.kind == "factoryFailed")
            precondition(released.count == 1)
        }
    }

    @Test("Captures and resolver of a factory live while other threads change containers")
    func everythingAtOnce() async {
        await #expect(processExitsWith: .success) {
            let released = Counter()
            let made = Counter()
            @Sendable func registration() -> New<Bool> {
                let belonging = ReplacedWhileRunningTests.Belonging(released)
                made.increment()
                return New { resolve, number in
                    resolve(Int?.self, name: "missing") == nil && belonging.isFine && number == 3
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
            precondition(released.count == made.count, "\(made.count - released.count) are kept")
        }
    }
}
