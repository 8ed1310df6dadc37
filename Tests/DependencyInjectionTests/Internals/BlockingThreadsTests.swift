import Testing

@testable import DependencyInjection

@Suite("Threads for blocking work", .mayHang)
struct BlockingThreadsTests {
    @Test("Blocked work gets more threads, and each thread ends when no work is left", arguments: [1, 100])
    func threads(jobs: Int) async {
        let threads = BlockingThreads()
        let work = Latch()
        await withTaskGroup { group in
            for _ in 0..<jobs { group.addTask(executorPreference: threads) { work.wait() } }
            await work.isReached(times: jobs)
            #expect(threads.state.withLock { $0.threads } >= jobs)
            work.open()
        }
        #expect(await eventually { threads.state.withLock { $0.threads } == 0 })
    }
}
