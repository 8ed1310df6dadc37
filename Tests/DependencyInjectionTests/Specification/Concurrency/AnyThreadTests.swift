import DependencyInjection
import Foundation
import Testing

@Suite("Rule C1: Any thread may use a container (changes while others read)", .serialized, .mayHang, .ownThread)
struct ConcurrentChangeTests {
    @Test("Rules C1, C3: reads see whole instances while other threads change containers")
    func everythingAtOnce() {
        let alive = Counter()
        let registration = Module {
            Shared(Tripwire(alive))
            Shared([Tripwire(alive)], as: (any Sendable).self)
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
                container.resolve(Tripwire.self).isFine
                    && (container.resolve((any Sendable).self) as! [Tripwire])[0].isFine
                    && container.resolve(Tripwire?.self, name: "named")!.isFine
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
            (0..<20).allSatisfy { _ in children[index % 2].resolve(Tripwire.self).isFine }
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
        @Sendable func new() -> New<[Tripwire]> { New({ _ in [Tripwire()] }, as: (any Sendable).self) }
        let container = DIContainer { new() }
        let isFine = reading {
            for _ in 0..<200 { container.register(new()) }
        } _: { _ in
            (0..<20).allSatisfy { _ in (container.resolve((any Sendable).self) as! [Tripwire])[0].isFine }
        }
        #expect(isFine)
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
            DIContainer.shared = DIContainer { Shared(Tripwire(alive)) }
            let isFine = reading(on: 2) {
                for _ in 0..<2_000 {
                    DIContainer.shared = DIContainer { Shared(Tripwire(alive)) }
                }
            } _: { _ in
                DIContainer.resolve(Tripwire.self).isFine
            }
            precondition(isFine)
            DIContainer.shared = DIContainer()
            precondition(alive.count == 0)
        }
    }
}

@Suite("Rule C1: Any thread may use a container (instances are released when the queue is free)", .mayHang, .ownThread)
struct ReleaseTests {
    /// Returns an object that records whether another thread can change the container while the object is released.
    private static func probe(_ container: DIContainer, _ outcomes: Locked<[Bool]>) -> ReleaseAction {
        ReleaseAction { [container] in
            let isChanged = Latch()
            Thread.detachNewThread {
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
        do {
            let (inFactory, inNew, inDecorator) = (
                Self.probe(container, outcomes), Self.probe(container, outcomes), Self.probe(container, outcomes)
            )
            container.register {
                Shared { [container] _ in Self.probe(container, outcomes) }
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
            Weak { [unowned container] _ in Self.probe(container, outcomes) }
            Shared { resolve in
                _ = resolve(ReleaseAction.self)
                return Ticket(number: 1)
            }
            Shared { [unowned container] _ in
                _ = DIContainer { Shared { _ in Self.probe(container, outcomes) } }.resolve(ReleaseAction.self)
                return Diesel()
            }
        }
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(outcomes.withLock { $0 } == [true])
        _ = try container.resolve.orThrow(Diesel.self)
        #expect(outcomes.withLock { $0 } == [true, true])
    }

    @Test("Rule C10: an abandoned result's deinit does not block other builds")
    func resultOfAbandonedBuild() async throws {
        let (build, release) = (Checkpoint(), Checkpoint())
        var container: DIContainer? = DIContainer {
            Shared(async: { _ in
                // This factory ignores its cancellation.
                await Task.detached { try? await build.stop() }.value
                return ReleaseAction { release.block() }
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
        let isInTime = await eventually { isBuilt.count > 0 }
        #expect(isInTime, "it waits for the deinit")
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
