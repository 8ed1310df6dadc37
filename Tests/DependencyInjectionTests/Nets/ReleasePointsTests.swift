#if INJECTED_PAUSES
    import Foundation
    import Synchronization
    import Testing

    @testable import DependencyInjection

    extension ExitTests {
        /// Threads pause between the steps of the lock-free algorithms: see `PausePoint`. `.ci/run stress` runs these
        /// tests.
        @Suite("Injected pauses") struct InjectedPausesTests {}
    }

    extension ExitTests.InjectedPausesTests {
        @Test("A released container is cleared even if another thread enters its queue first")
        func overtakenRelease() async {
            await #expect(processExitsWith: .success) {
                let (isCounted, isInside, isOvertaken, hasLeft) = (Latch(), Latch(), Latch(), Latch())
                let releaser = Atomic<UInt>(0)
                PausePoint.handler = { point in
                    guard ThreadRecord.current.identity == releaser.load(ordering: .relaxed) else { return }
                    if point == .queueCounted {
                        isCounted.open()
                        isInside.wait()
                    } else if point == .queueLeaving {
                        isOvertaken.open()
                        hasLeft.wait()
                    }
                }
                let released = Counter()
                let container = Locked<DIContainer?>(
                    DIContainer {
                        // Retains its container's core, and so lives until the container is cleared.
                        Shared { resolve in
                            ReleaseAction { withExtendedLifetime(resolve) { _ = released.increment() } }
                        }
                        Shared { _ in
                            isInside.open()
                            isOvertaken.wait()
                            return Ticket(number: 1)
                        }
                    })
                let resolve = container.withLock { container in
                    _ = container?.resolve(ReleaseAction.self)
                    return container?.resolve
                }
                let building = BackgroundThread {
                    isCounted.wait()
                    let ticket = resolve?(Ticket.self)
                    hasLeft.open()
                    return ticket?.number
                }
                let releasing = BackgroundThread {
                    releaser.store(ThreadRecord.current.identity, ordering: .relaxed)
                    var last: DIContainer?
                    container.withLock { swap(&last, &$0) }
                    last = nil
                    return true
                }
                precondition(building.result() == 1 && releasing.result() == true)
                precondition(isInside.isOpen && isOvertaken.isOpen, "No thread was overtaken.")
                precondition(released.count == 1, "The container is not cleared.")
            }
        }

        @Test("A thread may resolve from a new default container while the old one is replaced")
        func newDefault() async {
            await #expect(processExitsWith: .success) {
                DIContainer.shared = DIContainer { Shared(0) }
                let new = DIContainer { Shared(1) }
                _ = (DIContainer.shared.resolve(Int.self), new.resolve(Int.self))
                let writer = ThreadRecord.current.identity
                let seen = Locked<[[Int]]>([])
                PausePoint.handler = { point in
                    guard point == .unlinked, ThreadRecord.current.identity == writer else { return }
                    let numbers = onThreads(1) { _ in [DIContainer.shared.resolve(), DIContainer.resolve()] as [Int] }
                    seen.withLock { $0 += numbers }
                }
                DIContainer.shared = new
                precondition(seen.withLock { $0 } == [[1, 1]])
            }
        }

        @Test("While an asynchronous registration is replaced, requests get the old or the new instance")
        func replacedEntry() async {
            await #expect(processExitsWith: .success) {
                let container = DIContainer { Shared(async: { _ in Ticket(number: 1) }) }
                try await container.prepare()
                let writer = Atomic<UInt>(0)
                let readers = Locked<[BackgroundThread<Int?>]>([])
                PausePoint.handler = { point in
                    guard point == .objectWritten, ThreadRecord.current.identity == writer.load(ordering: .relaxed)
                    else { return }
                    let hasEnded = Latch()
                    let reader = BackgroundThread {
                        let number = try? container.resolve.orThrow(Ticket.self).number
                        hasEnded.open()
                        return number
                    }
                    readers.withLock { $0.append(reader) }
                    // The reader may have to wait for the writer.
                    _ = eventually { hasEnded.isOpen || container.core.queue.entrants.load(ordering: .relaxed) > 1 }
                }
                let replacing = BackgroundThread {
                    writer.store(ThreadRecord.current.identity, ordering: .relaxed)
                    container.register { Shared(Ticket(number: 2)) }
                    return true
                }
                precondition(replacing.result() == true)
                let numbers = readers.withLock { $0 }.map { $0.result() }
                precondition(numbers.count >= 2 && numbers.allSatisfy { $0 == 1 || $0 == 2 }, "\(numbers)")
            }
        }

        @Test("Random pauses cause no leak and no early release")
        func everythingAtOnce() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let passes = Atomic<UInt64>(0)
                let pauses = PausePoint.allCases.map { _ in Counter() }
                PausePoint.handler = { point in
                    // The multiplication spreads consecutive seeds.
                    let number = passes.wrappingAdd(1, ordering: .relaxed).newValue
                    switch (number &* 0x9e37_79b9_7f4a_7c15) >> 56 {
                    case 0: usleep(100)
                    case 1...7: for _ in 0..<10 { sched_yield() }
                    case 8...31: sched_yield()
                    default: return
                    }
                    pauses[PausePoint.allCases.firstIndex(of: point)!].increment()
                }
                let end = Date.now + (RandomPrograms.seconds ?? 5)
                var seed: UInt64 = 0
                while Date.now < end {
                    seed += 1
                    let hasEnded = Latch()
                    Thread.detachNewThread { [seed] in
                        // Only this process ends.
                        precondition(
                            eventually { hasEnded.isOpen }, "seed \(seed): still running after \(longestWait) seconds")
                    }
                    let failures = await ConcurrentRun.failures(of: Program(seed: seed, for: .threads))
                    hasEnded.open()
                    precondition(failures.isEmpty, "seed \(seed): \(failures.prefix(5))")
                }
                print("\(seed) programs, \(passes.load(ordering: .relaxed)) places passed.")
                for (point, count) in zip(PausePoint.allCases, pauses) {
                    print("\(point): \(count.count) pauses")
                    precondition(count.count > 0, "No thread paused at \(point).")
                }
            }
            print(String(decoding: try #require(result).standardOutputContent, as: UTF8.self))
        }
    }
#endif
