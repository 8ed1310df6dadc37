import DependencyInjection
import Foundation
import Testing

/// Threads and tasks concurrently perform random operations on trees of containers. `Support/RandomTrees.swift`
/// describes the checks.
@Suite("Random concurrent operations", .serialized, .ownThread)
struct RandomOperationTests {
    @Test("Rules C1, C2, C8, C10, 1, 7, 10, 11, 20: random changes and requests")
    func everythingAtOnce() async {
        let totals = Locked<[String: Int]>([:])
        let end = Date.now + (RandomTestSettings.seconds ?? 0)
        var seed = RandomTestSettings.firstSeed
        repeat {
            let hasEnded = Latch()
            Thread.detachNewThread { [seed] in
                if !hasEnded.opens() { Issue.record("seed \(seed): still running after \(longestWait) seconds") }
            }
            let round = await Self.run(seed, totals)
            hasEnded.open()
            #expect(round.failures.isEmpty, "seed \(seed): \(round.failures.prefix(5))")
            // Tasks release their captures only after they have ended.
            let isReleased = await eventually { round.living.count == 0 }
            #expect(isReleased, "seed \(seed): \(round.living.count) parts live on")
            seed += 1
        } while seed < RandomTestSettings.firstSeed + 2 || Date.now < end
        print(totals.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }

    struct Round {
        let failures: [String]
        /// The number of parts that live on.
        let living: Counter
    }

    static func run(_ seed: UInt64, _ totals: Locked<[String: Int]>) async -> Round {
        let randomTrees = RandomTrees(seed)
        await withTaskGroup { group in
            group.addTask {
                _ = await awaitThreads(3) { index in
                    var worker = RandomTreeWorker(randomTrees, seed &* 31 &+ UInt64(index) &+ 1)
                    for _ in 0..<400 { worker.act() }
                    worker.add(to: totals)
                }
            }
            for index in 0..<4 {
                group.addTask {
                    var worker = RandomTreeWorker(randomTrees, seed &* 31 &+ UInt64(index) &+ 100)
                    for _ in 0..<200 {
                        worker.act()
                        await worker.await()
                    }
                    worker.add(to: totals)
                }
            }
        }
        return Round(failures: await randomTrees.end(), living: randomTrees.living)
    }
}
