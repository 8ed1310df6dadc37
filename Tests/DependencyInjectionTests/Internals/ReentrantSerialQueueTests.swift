import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

@Suite("Rule C2: the reentrant serial queue", .mayHang, .ownThread)
struct ReentrantSerialQueueTests {
    @Test("reports entry on the main queue only inside, even after the thread has waited")
    @MainActor func mainQueue() {
        let queue = ReentrantSerialQueue()
        #expect(queue.sync { MainActorCheck.isMainQueue })
        let (began, isAwaited) = (Latch(), Latch())
        let other = BackgroundThread {
            queue.sync {
                began.open()
                isAwaited.wait()
                return MainActorCheck.isMainQueue
            }
        }
        began.wait()
        let isMainQueue = queue.sync(
            onWait: {
                isAwaited.open()
                return nil
            }, { MainActorCheck.isMainQueue })
        #expect(isMainQueue)
        #expect(other.result() == false)
    }

    @Test("admits the same thread again from inside another queue")
    func nested() {
        let first = ReentrantSerialQueue()
        let second = ReentrantSerialQueue()
        let inner = onThreads(1) { _ in first.sync { second.sync { first.sync { second.sync { "inner" } } } } }
        #expect(inner == ["inner"])
    }

    @Test("admits one of several threads at a time, however they enter, and again if they re-enter")
    func meeting() {
        for attempt in 0..<raceRounds {
            let queue = ReentrantSerialQueue()
            // The state that the queue protects.
            nonisolated(unsafe) var count = 0
            _ = onThreads(4) { index in
                for round in 0..<50 {
                    // Half of the threads use `trySync` first, and so enter without the dispatch queue.
                    if (index + round).isMultiple(of: 2), queue.trySync({ count += 1 }) { continue }
                    queue.sync { queue.sync { count += 1 } }
                }
            }
            #expect(count == 200, "attempt \(attempt)")
        }
    }

    @Test("runs short work only if no other thread is inside")
    func trying() {
        let queue = ReentrantSerialQueue()
        let runs = Counter()
        let isRun = queue.sync { onThreads(1) { _ in queue.trySync { runs.increment() } } }
        #expect(isRun == [false] && runs.count == 0)
        var isHeld = false
        let isRunNow = queue.trySync { isHeld = queue.isHeldByCurrentThread }
        #expect(isRunNow && isHeld && !queue.isHeldByCurrentThread)
        #expect(queue.sync { "free again" } == "free again")
    }

    @Test("blocks another thread until the running short work has ended")
    func comingDuringShortWork() {
        for round in 0..<raceRounds {
            let queue = ReentrantSerialQueue()
            let (begun, entered) = (Counter(), Counter())
            let isAlone = onThreads(2) { index in
                var isAlone = true
                if index == 0 {
                    let isRun = queue.trySync {
                        begun.increment()
                        #expect(eventually { queue.entrants.load(ordering: .relaxed) == 2 }, "round \(round)")
                        isAlone = entered.count == 0
                    }
                    return isRun && isAlone
                }
                #expect(eventually { begun.count == 1 }, "round \(round)")
                return queue.sync { entered.increment() == 1 }
            }
            #expect(isAlone == [true, true], "round \(round)")
        }
    }

    @Test("runs postponed work when the thread has left all queues")
    func puttingOff() {
        let first = ReentrantSerialQueue()
        let second = ReentrantSerialQueue()
        let runs = Counter()
        let isRun = first.trySync {
            ThreadRecord.current.runOutsideQueues { runs.increment() }
            #expect(runs.count == 0)
        }
        #expect(isRun && runs.count == 1)
        second.sync {
            let isRun = first.trySync {
                ThreadRecord.current.runOutsideQueues { runs.increment() }
                #expect(runs.count == 1)
            }
            #expect(isRun && runs.count == 1)
        }
        #expect(runs.count == 2)
    }
}
