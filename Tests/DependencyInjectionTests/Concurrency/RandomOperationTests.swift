import DependencyInjection
import Foundation
import Testing

private let rounds = Int(ProcessInfo.processInfo.environment["GROVE_ROUNDS"] ?? "") ?? 2
private let firstSeed = UInt64(ProcessInfo.processInfo.environment["GROVE_SEED"] ?? "") ?? 1

/// Threads and tasks concurrently perform random operations on trees of containers. `Support/RandomTrees.swift`
/// describes the checks.
@Suite("Random concurrent operations", .serialized)
struct RandomOperationTests {
    @Test("Rules C1, C2, C8, C10, 1, 7, 10, 11, 20: random changes and requests")
    func everythingAtOnce() async {
        let totals = Locked<[String: Int]>([:])
        for seed in firstSeed..<firstSeed + UInt64(rounds) {
            let watchdog = Latch()
            Thread.detachNewThread {
                if !watchdog.wait(atMost: 240) { fatalError("seed \(seed): still running after minutes") }
            }
            let living = RandomTrees.living
            let failures = await Self.run(seed, totals)
            watchdog.open()
            #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(5))")
            // Tasks release their captures only after they have ended.
            let isReleased = await eventually(within: 60) { RandomTrees.living == living }
            #expect(isReleased, "seed \(seed): \(RandomTrees.living - living) parts live on")
        }
        print(totals.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }

    /// Runs one round, and returns the failures.
    static func run(_ seed: UInt64, _ totals: Locked<[String: Int]>) async -> [String] {
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
        return await randomTrees.end()
    }
}
