import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

@Suite("Rule C2: the reentrant serial queue", .mayHang, .ownThread)
struct ReentrantSerialQueueTests {
    private struct Failure: Error, Equatable {}

    @Test("admits the same thread again, also from inside another queue")
    func nested() {
        let first = ReentrantSerialQueue()
        let second = ReentrantSerialQueue()
        let result = first.sync { second.sync { first.sync { second.sync { "inner" } } } }
        #expect(result == "inner")
        let isHeld = first.isHeldByCurrentThread
        #expect(!isHeld)
    }

    @Test("returns the work's result and rethrows its error")
    func outcome() {
        let queue = ReentrantSerialQueue()
        #expect(queue.sync { "value" } == "value")
        #expect(throws: Failure()) { try queue.sync { () throws(Failure) -> Int in throw Failure() } }
        #expect(queue.sync { "free again" } == "free again")
        #expect(throws: Failure()) {
            try queue.sync { () throws(Failure) in try queue.sync { () throws(Failure) in throw Failure() } }
        }
        let isHeld = queue.isHeldByCurrentThread
        #expect(!isHeld)
    }

    @Test("protects plain state against many threads that enter and re-enter")
    func manyThreads() {
        final class Counter: @unchecked Sendable {  // Only used on the queue, which this test checks.
            var count = 0
        }
        let queue = ReentrantSerialQueue()
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 {
                queue.sync {
                    counter.count += 1
                    queue.sync { counter.count += 1 }
                }
            }
        }
        #expect(queue.sync { counter.count } == 16_000)
    }

    @Test("runs work in the caller's thread")
    func callersThread() {
        let queue = ReentrantSerialQueue()
        let outside = ThreadRecord.current.identity
        #expect(queue.sync { ThreadRecord.current.identity } == outside)
    }

    /// A queue that threads share, with a callback that reports a waiting thread.
    private final class Place: Sendable {
        let queue = ReentrantSerialQueue()
        let isAwaited = Latch()

        func beginWait() -> AnyObject? {
            isAwaited.open()
            return nil
        }
    }

    @Test("reports entry on the main queue only inside, even after the thread has waited")
    @MainActor func mainQueue() {
        let place = Place()
        #expect(place.queue.sync { MainActorCheck.isMainQueue })
        let began = Latch()
        let other = BackgroundThread {
            place.queue.sync {
                began.open()
                place.isAwaited.wait()
                return MainActorCheck.isMainQueue
            }
        }
        began.wait()
        #expect(place.queue.sync(onWait: place.beginWait) { MainActorCheck.isMainQueue })
        #expect(other.result() == false)
    }

    @Test("admits one of several threads at a time, however they enter")
    func meeting() {
        for attempt in 0..<raceRounds {
            let place = Place()
            // The state that the queue protects.
            nonisolated(unsafe) var count = 0
            let counts = onThreads(4) { index in
                var entered = 0
                for round in 0..<50 {
                    // Half of the threads use `trySync` first, and so enter without the dispatch queue.
                    if (index + round).isMultiple(of: 2), place.queue.trySync({ count += 1 }) {
                        entered += 1
                        continue
                    }
                    place.queue.sync { count += 1 }
                    entered += 1
                }
                return entered
            }
            #expect(counts.reduce(0, +) == 200 && count == 200, "attempt \(attempt)")
        }
    }

    @Test("runs short work only if no other thread is inside")
    func trying() {
        let place = Place()
        let runs = Counter()
        let isRun = place.queue.sync { onThreads(1) { _ in place.queue.trySync { runs.increment() } } }
        #expect(isRun == [false] && runs.count == 0)
        var isHeld = false
        let isRunNow = place.queue.trySync { isHeld = place.queue.isHeldByCurrentThread }
        #expect(isRunNow && isHeld && !place.queue.isHeldByCurrentThread)
        #expect(place.queue.sync { "free again" } == "free again")
    }

    @Test("blocks another thread until the running short work has ended")
    func comingDuringShortWork() {
        for round in 0..<raceRounds {
            let place = Place()
            let (begun, entered) = (Counter(), Counter())
            let isAlone = onThreads(2) { index in
                var isAlone = true
                if index == 0 {
                    let isRun = place.queue.trySync {
                        begun.increment()
                        #expect(eventually { place.queue.entrants.load(ordering: .relaxed) == 2 }, "round \(round)")
                        isAlone = entered.count == 0
                    }
                    return isRun && isAlone
                }
                #expect(eventually { begun.count == 1 }, "round \(round)")
                return place.queue.sync { entered.increment() == 1 }
            }
            #expect(isAlone == [true, true], "round \(round)")
        }
    }

    @Test("runs postponed work when the thread has left all queues")
    func puttingOff() {
        let (first, second) = (Place(), Place())
        let runs = Counter()
        var runsInside: [Int] = []
        func putOff() {
            let isRun = first.queue.trySync {
                ThreadRecord.current.runOutsideQueues { runs.increment() }
                runsInside.append(runs.count)
            }
            #expect(isRun)
        }
        putOff()
        #expect(runsInside == [0] && runs.count == 1)
        second.queue.sync {
            putOff()
            runsInside.append(runs.count)
        }
        #expect(runsInside == [0, 1, 1] && runs.count == 2)
    }
}
