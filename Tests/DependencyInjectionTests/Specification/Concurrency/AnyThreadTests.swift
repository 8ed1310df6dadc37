import DependencyInjection
import Foundation
import Testing

@Suite("Rule C1: Any thread may use a container (changes while others read)", .serialized, .mayHang, .ownThread)
struct ConcurrentChangeTests {
    @Test("Rules C1, C3, C4: requests get whole instances while threads change containers")
    func everythingAtOnce() {
        let alive = Counter()
        let module = Module {
            Shared(Tripwire(alive))
            Shared([Tripwire(alive)], as: (any Sendable).self)
            Shared(Tripwire(alive), name: "named")
        }
        let current = Locked(DIContainer { Module(module, Tripwire(alive).capturedByNew) })
        let isFine = reading {
            for round in 0..<1_500 {
                let changed = current.withLock { $0 }
                switch round % 7 {
                case 0: changed.register(Shared(Tripwire(alive)))
                case 1: changed.register { module }
                case 2: changed.resetInstances()
                case 3: for key in 0..<20 { changed.register(Shared(key, name: RegistrationName("\(round) \(key)"))) }
                case 4: changed.register(Shared(Tripwire(alive), name: "named"))
                case 5: changed.register(Tripwire(alive).capturedByNew)
                default: current.withLock { $0 = DIContainer { Module(module, Tripwire(alive).capturedByNew) } }
                }
            }
        } _: { _ in
            let container = current.withLock { $0 }
            return (0..<20).allSatisfy { _ in
                container.resolve(Tripwire.self).isFine
                    && (container.resolve((any Sendable).self) as! [Tripwire])[0].isFine
                    && container.resolve(Tripwire?.self, name: "named")!.isFine
                    && container.resolve(Bool.self, arguments: 3)
                    && container.resolve((any Equatable).self, arguments: 3) as? Bool == true
            }
        }
        #expect(isFine)
        current.withLock { $0.reset() }
        #expect(alive.count == 0)
    }

    @Test("A factory resolves what it registered, and the next request sees a replacement of the factory")
    func registeringFactory() throws {
        let container = DIContainer {
            Shared { resolve in
                DIContainer.register {
                    Shared(Ticket(number: 2))
                    Shared(Diesel(kind: "new"))
                }
                return Diesel(kind: "old \(resolve(Ticket.self).number)")
            }
            Shared(Ticket(number: 1))
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(try container.resolve.orThrow(Diesel.self).kind == "old 2")
        #expect(try container.resolve.orThrow(Diesel.self).kind == "new")
        #expect(try container.resolve.orThrow(Ticket.self).number == 2)
    }

    @Test("A request sees a block of registrations whole or not at all")
    func atomicBlocks() {
        let container = DIContainer()
        let areWhole = reading(on: 1) {
            for number in 0...300 {
                container.register {
                    Shared(number, name: "first")
                    Shared(number, name: "second")
                    Shared { resolve in [resolve(Int.self, name: "first"), resolve(Int.self, name: "second")] }
                }
            }
        } _: { _ in
            // Nil before the first registration.
            container.resolve([Int]?.self).map { Set($0).count == 1 } ?? true
        }
        #expect(areWhole)
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
        let meet: @Sendable () -> Bool = {
            inside.increment()
            return eventually { inside.count == 3 }
        }
        let container = DIContainer {
            New { _ in meet() }
            Shared(name: "shared") { _ in meet() }
        }
        let haveMet = onThreads(3) { index in container.resolve(Bool.self, name: index == 0 ? "shared" : nil) }
        #expect(haveMet == [true, true, true])
    }
}

extension Tripwire {
    /// A New whose factory uses the tripwire, which it captures, its resolver and its argument.
    fileprivate var capturedByNew: New<Bool> {
        New(as: (any Equatable).self) { resolve, number in
            resolve(Int?.self, name: "missing") == nil && self.isFine && number == 3
        }
    }
}

extension ExitTests {
    @Test("Rules C1, C4: Threads resolve while the default is replaced, and get no older one")
    static func replacingDefault() async {
        await #expect(processExitsWith: .success) {
            let alive = Counter()
            let isFine = reading(on: 2) {
                for number in 0...2_000 {
                    let container = DIContainer {
                        Shared(number)
                        Shared(Tripwire(alive))
                        Tripwire(alive).capturedByNew
                    }
                    _ = container.resolve(Int.self)
                    DIContainer.shared = container
                }
            } _: { _ in
                // Nil before the first replacement.
                guard let seen = DIContainer.shared.resolve(Int?.self) else { return true }
                return DIContainer.resolve(Int.self) >= seen && DIContainer.resolve(Tripwire.self).isFine
                    && DIContainer.resolve(Bool.self, arguments: 3)
            }
            precondition(isFine)
            DIContainer.shared = DIContainer()
            precondition(alive.count == 0)
        }
    }
}

extension ReleaseAction {
    /// Creates an object that records whether another thread can change the container while the object is released.
    fileprivate convenience init(changing container: DIContainer, _ outcomes: Locked<[Bool]>) {
        self.init {
            let isChanged = Latch()
            Thread.detachNewThread {
                container.register(Shared(1, name: "from a deinit"))
                isChanged.open()
            }
            let isFree = eventually { isChanged.isOpen }
            outcomes.withLock { $0.append(isFree) }
        }
    }
}

@Suite("Rule C1: Any thread may use a container (instances are released when the queue is free)", .mayHang, .ownThread)
struct ReleaseTests {
    @Test("a change releases instances, factories and decorators")
    func releasingTakesNoQueue() {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        do {
            let (inFactory, inNew, inDecorator) = (
                ReleaseAction(changing: container, outcomes), ReleaseAction(changing: container, outcomes),
                ReleaseAction(changing: container, outcomes)
            )
            container.register {
                Shared { [container] _ in ReleaseAction(changing: container, outcomes) }
                Shared { _ in withExtendedLifetime(inFactory) { Ticket(number: 1) } }
                New { _ in withExtendedLifetime(inNew) { 1 } }
                Decorate(String.self) { base, _ in withExtendedLifetime(inDecorator) { base } }
            }
            _ = container.resolve(ReleaseAction.self)
        }
        container.reset()
        #expect(outcomes.withLock { $0 } == [true, true, true, true])
    }

    @Test("a Weak instance that only a factory's request retained, and a container that a factory releases")
    func inFactory() throws {
        let outcomes = Locked<[Bool]>([])
        let container = DIContainer()
        container.register {
            Weak { [unowned container] _ in ReleaseAction(changing: container, outcomes) }
            Shared { resolve in
                _ = resolve(ReleaseAction.self)
                return Ticket(number: 1)
            }
            Shared { [unowned container] _ in
                _ = DIContainer { Shared { _ in ReleaseAction(changing: container, outcomes) } }.resolve(
                    ReleaseAction.self)
                return Diesel()
            }
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
        _ = try container.resolve.orThrow(Diesel.self)
        #expect(outcomes.withLock { $0 } == [true, true])
    }

    @Test("Rule C10: an abandoned result's deinit does not block other builds", .blocksPool)
    func resultOfAbandonedBuild() async throws {
        let (build, release) = (Latch(), Latch())
        var container: DIContainer? = DIContainer {
            Shared(async: { _ in
                // This factory ignores its cancellation.
                await Task.detached { try? await build.opening() }.value
                return ReleaseAction { release.wait() }
            })
        }
        let resolve: Resolver? = container?.resolve
        let task = Task { _ = try await resolve?.async(ReleaseAction.self) }
        await build.isReached()
        task.cancel()
        _ = await task.result
        container = nil
        build.open()
        await release.isReached()

        let other = DIContainer { Shared(async: { _ in Pool() }) }
        let isBuilt = Counter()
        let requesting = Task {
            _ = try await other.resolve.async(Pool.self)
            isBuilt.increment()
        }
        #expect(await eventually { isBuilt.count > 0 }, "it waits for the deinit")
        release.open()
        _ = await requesting.result
        withExtendedLifetime(container) {}
    }
}

extension ExitTests {
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
                    let busy = ReleaseAction {
                        other.register(Shared(Pool()))
                        _ = other.resolve(Pool.self)
                    }
                    let container = DIContainer {
                        New { [busy] _ in
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
