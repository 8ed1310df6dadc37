import DependencyInjection
import Foundation
import Synchronization
import Testing

@Suite("Rule C1: Any thread may use a container (changes while others read)", .serialized, .mayHang, .ownThread)
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

    @Test("A factory may register a type and then resolve it")
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

    @Test("The next request sees a factory's replacement of its registration")
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

    @Test("A cached instance sees a block of registrations whole or not at all")
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
    @Test("Rule C1: The default container may be replaced while others resolve from it")
    static func replacingDefault() async {
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

@Suite("Rule C1: Any thread may use a container (instances are released when the queue is free)", .mayHang, .ownThread)
struct ReleaseTests {
    /// An object that records whether another thread can change the container while the object is released.
    final class QueueProbe: Sendable {
        let container: DIContainer
        let outcomes: Locked<[Bool]>

        init(_ container: DIContainer, _ outcomes: Locked<[Bool]>) {
            self.container = container
            self.outcomes = outcomes
        }

        deinit {
            let isChanged = Latch()
            Thread.detachNewThread { [container] in
                container.register(Shared(1, name: "from a deinit"))
                isChanged.open()
            }
            let isFree = isChanged.opens()
            outcomes.withLock { $0.append(isFree) }
        }
    }

    @Test("a change releases instances, factories and decorators")
    func releasingTakesNoQueue() {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        func register() {
            let (inFactory, inNew, inDecorator) = (
                QueueProbe(container, outcomes), QueueProbe(container, outcomes), QueueProbe(container, outcomes)
            )
            container.register {
                Shared { [container] _ in QueueProbe(container, outcomes) }
                Shared { _ in withExtendedLifetime(inFactory) { Ticket(number: 1) } }
                New { _ in withExtendedLifetime(inNew) { 1 } }
                Decorate(String.self) { base, _ in withExtendedLifetime(inDecorator) { base } }
            }
            _ = container.resolve(QueueProbe.self)
        }
        register()
        container.reset()
        #expect(outcomes.withLock { $0 } == [true, true, true, true])
    }

    @Test("a Weak instance that only a factory's request retained")
    func weakOfRequest() throws {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        container.register {
            Weak { [unowned container] _ in QueueProbe(container, outcomes) }
            Shared { resolve in
                _ = resolve(QueueProbe.self)
                return Ticket(number: 1)
            }
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
    }

    @Test("the instances of a container that is released in a factory of another one")
    func containerInFactory() throws {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        container.register(
            Shared { [unowned container] _ in
                _ = DIContainer { Shared { _ in QueueProbe(container, outcomes) } }.resolve(QueueProbe.self)
                return Ticket(number: 1)
            })
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
    }
}

@Suite(
    "Rule C1: Any thread may use a container (a foreign deinit never blocks other threads)", .serialized, .mayHang,
    .ownThread)
struct ForeignDeinitTests {
    @Test("Rule C10: an abandoned result's deinit does not block other builds")
    func resultOfAbandonedBuild() async {
        let (entered, began, mayEnd, gate) = (Counter(), Counter(), Latch(), Gate())
        var container: DIContainer? = DIContainer {
            Shared(async: { _ in
                entered.increment()
                // This factory ignores its cancellation.
                await Task.detached { try? await gate.wait() }.value
                return SlowlyReleased(began, mayEnd)
            })
        }
        let resolve: Resolver? = container?.resolve
        let task = Task { _ = try await resolve?.async(SlowlyReleased.self) }
        #expect(await eventually { entered.count > 0 })
        task.cancel()
        _ = await task.result
        container = nil
        gate.open()
        #expect(await eventually { began.count > 0 })

        let other = DIContainer { Shared(async: { _ in Pool() }) }
        let isBuilt = Counter()
        let requesting = Task {
            _ = try await other.resolve.async(Pool.self)
            isBuilt.increment()
        }
        let isInTime = await eventually { isBuilt.count > 0 }
        #expect(isInTime, "it waits for the deinit")
        mayEnd.open()
        _ = await requesting.result
        withExtendedLifetime(container) {}
    }
}

extension ExitTests {
    /// An object whose `deinit` changes a container and resolves from it.
    private final class Busy: Sendable {
        private let container: DIContainer

        init(_ container: DIContainer) { self.container = container }

        deinit {
            container.register(Shared(Pool()))
            _ = container.resolve(Pool.self)
        }
    }

    @Test("Rules C1, C10: a task left behind releases no container while it reads")
    static func lastReferenceInRead() async {
        // Otherwise the reads of all threads would wait for a thread that waits for itself.
        await #expect(processExitsWith: .success) {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: longestWait)
                // Only this process ends.
                fatalError("A read does not end.")
            }
            let other = DIContainer {
                Graph { _ -> Diesel in throw Sabotage() }
                Shared(Pool())
            }
            let threads = Threads()
            for round in 0..<300 {
                let (requesting, done, ended) = (Counter(), Counter(), Counter())
                do {
                    let container = DIContainer {
                        New { [busy = Self.Busy(other)] _ in
                            withExtendedLifetime(busy) {}
                            for _ in 0..<3 {
                                Task(executorPreference: threads) {
                                    repeat {
                                        // This request reads the graph of the request that has created this task.
                                        _ = try? other.resolve.orThrow(Diesel.self)
                                        requesting.increment()
                                    } while done.count == 0
                                    ended.increment()
                                }
                            }
                            #expect(eventually { requesting.count >= 3 }, "round \(round)")
                            return Ticket(number: 1)
                        }
                    }
                    _ = try? await container.resolve.async(Ticket.self)
                }
                done.increment()
                #expect(await eventually { ended.count == 3 }, "round \(round)")
            }
        }
    }
}
