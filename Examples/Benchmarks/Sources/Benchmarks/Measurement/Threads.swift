import Foundation
import Synchronization

/// Functions that run the same work on several threads.
enum Threads {
    /// Returns the nanoseconds from the moment when all threads are ready until the last one has ended.
    static func run(_ count: Int, _ work: @escaping @Sendable (_ thread: Int) -> Void) -> Double {
        let meeting = Meeting(expecting: count)
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                meeting.arrive()
                let begin = ContinuousClock.now
                work(index)
                meeting.note(begin, ContinuousClock.now)
                group.leave()
            }
        }
        group.wait()
        return meeting.nanoseconds
    }

    /// Runs the same work on many threads, all of which start before the first one ends. Returns after all have ended.
    static func comeAndGo(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        let working = DispatchGroup()
        let (door, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
        for _ in 0..<count {
            working.enter()
            ended.enter()
            Thread.detachNewThread {
                work()
                working.leave()
                door.wait()
                ended.leave()
            }
        }
        working.wait()
        for _ in 0..<count { door.signal() }
        ended.wait()
        // The end of a thread's cleanup can't be observed, so wait for it.
        Thread.sleep(forTimeInterval: 0.2)
    }

    private final class Meeting: Sendable {
        private let missing: Atomic<Int>
        private let span = Mutex<(begin: ContinuousClock.Instant, end: ContinuousClock.Instant)?>(nil)

        init(expecting count: Int) {
            missing = Atomic(count)
        }

        /// Waits without sleeping, so that all threads begin at the same time.
        func arrive() {
            missing.subtract(1, ordering: .sequentiallyConsistent)
            while missing.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
        }

        func note(_ begin: ContinuousClock.Instant, _ end: ContinuousClock.Instant) {
            span.withLock { span in
                span = (min(begin, span?.begin ?? begin), max(end, span?.end ?? end))
            }
        }

        var nanoseconds: Double {
            span.withLock { span in
                guard let span else { return 0 }
                return (span.end - span.begin) / .nanoseconds(1)
            }
        }
    }
}
