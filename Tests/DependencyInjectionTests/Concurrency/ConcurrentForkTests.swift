import DependencyInjection
import Testing

@Suite("Forks while others change the container", .mayHang)
struct ConcurrentForkTests {
    @Test("Rules 20, C9: a fork during a reset copies a registration with its onClose")
    func resetDuringFork() async {
        let closed = Counter()
        let module = Module {
            Shared(Pool())
                .onClose { _ in closed.increment() }
        }
        let child = DIContainer().makeChild { module }
        let forks = Locked<[DIContainer]>([])
        let isDone = Counter()
        _ = await awaitThreads(2) { index in
            if index == 0 {
                for _ in 0..<2_000 {
                    let fork = child.fork()
                    forks.withLock { $0.append(fork) }
                }
                isDone.increment()
            } else {
                while isDone.count == 0 {
                    child.reset()
                    child.register { module }
                }
            }
        }
        var built = 0
        for fork in forks.withLock({ $0 }) where fork.isRegistered(Pool.self) {
            _ = fork.resolve(Pool.self)
            built += 1
            try? await fork.close()
        }
        #expect(closed.count == built, "a fork has copied a registration without its onClose")
    }
}
