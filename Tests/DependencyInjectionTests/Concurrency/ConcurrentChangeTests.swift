import DependencyInjection
import Foundation
import Synchronization
import Testing

@Suite("Changes while others read", .serialized, .mayHang, .ownThread)
struct ConcurrentChangeTests {
    /// An object that detects a use after its release: `deinit` overwrites the memory that `check` reads.
    final class Tripwire: Sendable {
        private let alive: Counter
        private let state = Atomic<Int>(0xA11CE)

        init(_ alive: Counter = Counter()) {
            self.alive = alive
            alive.increment()
        }

        deinit {
            state.store(0xDEAD, ordering: .relaxed)
            alive.decrement()
        }

        func check() -> Bool { state.load(ordering: .relaxed) == 0xA11CE }
    }

    protocol Checking: Sendable { func isFine() -> Bool }
    struct Wrapper: Checking {
        private let tripwire: Tripwire
        init(_ alive: Counter = Counter()) { tripwire = Tripwire(alive) }
        func isFine() -> Bool { tripwire.check() }
    }

    @Test("Rules C1, C3: reads see whole instances while other threads change containers")
    func everythingAtOnce() {
        let alive = Counter()
        let registration = Module {
            Shared(Tripwire(alive))
            Shared(Wrapper(alive), as: (any Checking).self)
            Shared(Tripwire(alive), name: "named")
        }
        let current = Locked(DIContainer { registration })
        let isFine = reading {
            for round in 0..<1_500 {
                let container = current.withLock { $0 }
                switch round % 6 {
                case 0: container.register(Shared(Tripwire(alive)))
                case 1: container.register { registration }
                case 2: container.resetInstances()
                case 3: for key in 0..<20 { container.register(Shared(key, name: RegistrationName("\(round) \(key)"))) }
                case 4: container.register(Shared(Tripwire(alive), name: "named"))
                default: current.withLock { $0 = DIContainer { registration } }
                }
            }
        } _: { _ in
            let container = current.withLock { $0 }
            return (0..<20).allSatisfy { _ in
                container.resolve(Tripwire.self).check() && container.resolve((any Checking).self).isFine()
                    && container.resolve(Tripwire?.self, name: "named")!.check()
            }
        }
        #expect(isFine)
        current.withLock { $0.reset() }
        #expect(alive.count == 0)
    }

    @Test("Rules C1, 1: children resolve while a parent changes lifetimes, then release")
    func parentChanges() {
        let alive = Counter()
        let parent = DIContainer { Scoped(Tripwire(alive)) }
        let decorating = parent.makeChild().makeChild { Shared(1) }
        let children = [parent.makeChild(), decorating]
        let isFine = reading {
            for round in 0..<1_500 {
                switch round % 5 {
                case 0: parent.register(Shared(Tripwire(alive)))
                case 1: parent.register(Scoped(Tripwire(alive)))
                case 2: parent.register(New { _ in Tripwire(alive) })
                case 3: parent.register(Weak(Tripwire(alive)))
                default: parent.resetInstances()
                }
            }
        } _: { index in
            (0..<20).allSatisfy { _ in children[index % 2].resolve(Tripwire.self).check() }
        }
        #expect(isFine)
        parent.register(Scoped(Tripwire(alive)))
        for child in children { _ = child.resolve(Tripwire.self) }
        withExtendedLifetime((parent, children)) {
            #expect(alive.count == 2, "a child keeps something old")
        }
    }

    @Test("Rules C1, C4: a New resolves by its alias while both are registered again")
    func aliasOfNew() {
        let container = DIContainer { New({ _ in Wrapper() }, as: (any Checking).self) }
        let isFine = reading {
            for _ in 0..<200 { container.register(New({ _ in Wrapper() }, as: (any Checking).self)) }
        } _: { _ in
            (0..<20).allSatisfy { _ in container.resolve((any Checking).self).isFine() }
        }
        #expect(isFine)
    }

    @Test("Rule C1: a factory may register a type and then resolve it")
    func registeringFactory() throws {
        let container = DIContainer {
            Shared { resolve in
                DIContainer.register(Shared(Ticket(number: 2)))
                return Car(engine: Diesel(kind: "\(resolve(Ticket.self).number)"))
            }
            Shared(Ticket(number: 1))
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(try container.resolve.orThrow(Car.self).engine.kind == "2")
        #expect(try container.resolve.orThrow(Ticket.self).number == 2)
    }

    @Test("Rule C1: the next request sees a factory's replacement of its registration")
    func replacingItself() throws {
        let container = DIContainer {
            Shared { _ in
                DIContainer.register(Shared(Diesel(kind: "new")))
                return Diesel(kind: "old")
            }
        }
        #expect(try container.resolve.orThrow(Diesel.self).kind == "old")
        #expect(try container.resolve.orThrow(Diesel.self).kind == "new")
    }

    @Test("Rule C1: a cached instance sees a block of registrations whole or not at all")
    func atomicBlocks() {
        let container = DIContainer {
            Shared(0, name: "first")
            Shared(0, name: "second")
            New { resolve in [resolve(Int.self, name: "first"), resolve(Int.self, name: "second")] }
            Shared(name: "both") { resolve in [resolve(Int.self, name: "first"), resolve(Int.self, name: "second")] }
        }
        let results = onThreads(2) { index in
            for number in 1...300 {
                if index == 0 {
                    container.register {
                        Shared(number, name: "first")
                        Shared(number, name: "second")
                        Shared(name: "both") { resolve in
                            [resolve(Int.self, name: "first"), resolve(Int.self, name: "second")]
                        }
                    }
                } else {
                    let both = container.resolve([Int].self, name: "both")
                    if both[0] != both[1] { return false }
                }
            }
            return true
        }
        #expect(results == [true, true])
    }

    @Test("Rule C3: cached instances are read while a factory holds the container's queue")
    func readingTakesNoQueue() throws {
        let isInside = Counter()
        let wasRead = Counter()
        let container = DIContainer {
            Shared(Diesel())
            Shared { _ in
                isInside.increment()
                #expect(eventually { wasRead.count > 0 })
                return Ticket(number: wasRead.count)
            }
        }
        _ = try container.resolve.orThrow(Diesel.self)
        let numbers = onThreads(2) { index -> Int in
            if index == 0 { return container.resolve(Ticket.self).number }
            #expect(eventually { isInside.count > 0 })
            _ = container.resolve(Diesel.self)
            return wasRead.increment()
        }
        #expect(numbers == [1, 1])
    }

    @Test("Rule C4: a New factory runs on the calling thread")
    func newRunsInPlace() {
        let container = DIContainer { New { _ in ObjectIdentifier(Thread.current) } }
        let isInPlace = onThreads(2) { _ in
            container.resolve(ObjectIdentifier.self) == ObjectIdentifier(Thread.current)
        }
        #expect(isInPlace == [true, true])
    }

    @Test("Rule C4: New factories run concurrently, also during the build of a Shared")
    func newTakesNoQueue() {
        let inside = Counter()
        let container = DIContainer {
            New { _, expected in
                inside.increment()
                #expect(eventually { inside.count >= expected })
                return Ticket(number: inside.count)
            }
            Shared { resolve in
                inside.increment()
                #expect(eventually { inside.count >= 3 })
                return Diesel(kind: "\(inside.count)")
            }
        }
        let results = onThreads(3) { index in
            index == 0 ? Int(container.resolve(Diesel.self).kind)! : container.resolve(Ticket.self, arguments: 3).number
        }
        #expect(results == [3, 3, 3])
    }
}

extension ExitTests {
    @Suite("Changes while others read, in another process") struct ConcurrentChangeExitTests {}
}

extension ExitTests.ConcurrentChangeExitTests {
    @Test("Rule C1: the default container may be replaced while others resolve from it")
    func replacingDefault() async {
        await #expect(processExitsWith: .success) {
            let alive = Counter()
            DIContainer.shared = DIContainer { Shared(ConcurrentChangeTests.Tripwire(alive)) }
            let isFine = reading(on: 2) {
                for _ in 0..<2_000 {
                    DIContainer.shared = DIContainer { Shared(ConcurrentChangeTests.Tripwire(alive)) }
                }
            } _: { _ in
                DIContainer.resolve(ConcurrentChangeTests.Tripwire.self).check()
            }
            precondition(isFine)
            DIContainer.shared = DIContainer()
            precondition(alive.count == 0)
        }
    }
}
