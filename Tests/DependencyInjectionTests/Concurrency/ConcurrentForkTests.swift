import DependencyInjection
import Testing

@Suite("Forks while others change the container", .mayHang)
struct ConcurrentForkTests {
    @Test("Rule C9: a fork doesn't wait for a factory", arguments: [false, true])
    func whileFactoryRuns(isChild: Bool) throws {
        let container = isChild ? DIContainer().makeChild() : DIContainer()
        container.register(Shared(Diesel()))
        let kinds = whileBuilding(in: container) {
            let fork = container.fork()
            return [
                try? fork.resolve.orThrow(Diesel.self).kind,
                DIContainer.withContainer(container) {
                    DIContainer.withOverrides {
                        Shared(Diesel(kind: "override"))
                    } operation: {
                        try? DIContainer.resolve.orThrow(Diesel.self).kind
                    }
                },
            ]
        }
        #expect(kinds == ["diesel", "override"])
    }

    @Test("Rule C9: a fork copies all registrations of a change, or none of them", arguments: [false, true])
    func consistent(isChild: Bool) async {
        let root = DIContainer { Shared(0) }
        let container = isChild ? root.makeChild() : root
        let numbers = (0..<20).map { RegistrationName("\($0)") }
        @Sendable func register(_ value: Int) {
            container.register { for number in numbers { Shared({ value }(), name: number) } }
        }
        register(0)
        let isDone = Counter()
        let isConsistent = await awaitThreads(2) { index in
            if index == 0 {
                for value in 1...2_000 { register(value) }
                isDone.increment()
                return true
            }
            while isDone.count == 0 {
                let fork = container.fork()
                let values = Set(numbers.map { try? fork.resolve.orThrow(Int.self, name: $0) })
                if values.count > 1 { return false }
            }
            return true
        }
        #expect(isConsistent == [true, true])
    }

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
