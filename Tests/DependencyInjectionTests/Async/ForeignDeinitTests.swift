import DependencyInjection
import Foundation
import Testing

@Suite("A foreign deinit never blocks other threads", .serialized, .timeLimit(.minutes(5)))
struct ForeignDeinitTests {
    /// Waits in its `deinit`.
    private final class Slow: Sendable {
        private let began: Counter
        private let mayEnd: Latch

        init(_ began: Counter, _ mayEnd: Latch) {
            self.began = began
            self.mayEnd = mayEnd
        }

        deinit {
            began.increment()
            mayEnd.wait(atMost: 30)
        }
    }

    @Test("Rule C10: an abandoned result's deinit does not block other builds")
    func resultOfAbandonedBuild() async {
        let (entered, began, mayEnd, gate) = (Counter(), Counter(), Latch(), Gate())
        var container: DIContainer? = DIContainer {
            Shared(async: { _ in
                entered.increment()
                // It does not notice that it is cancelled.
                await Task.detached { try? await gate.wait() }.value
                return Slow(began, mayEnd)
            })
        }
        let resolve: Resolver? = container?.resolve
        let task = Task { _ = try await resolve?.async(Slow.self) }
        await eventually { entered.count > 0 }
        task.cancel()
        _ = await task.result
        container = nil
        gate.open()
        await eventually { began.count > 0 }

        let other = DIContainer { Shared(async: { _ in Pool() }) }
        let isBuilt = Counter()
        let asking = Task {
            _ = try await other.resolve.async(Pool.self)
            isBuilt.increment()
        }
        let isInTime = await eventually { isBuilt.count > 0 }
        #expect(isInTime, "it waits for the deinit")
        mayEnd.open()
        _ = await asking.result
        withExtendedLifetime(container) {}
    }

    /// Changes a container and resolves from it in its `deinit`.
    private final class Busy: Sendable {
        private let container: DIContainer

        init(_ container: DIContainer) { self.container = container }

        deinit {
            container.register(Shared(Pool()))
            _ = container.resolve(Pool.self)
        }
    }

    @Test("Rules C1, C10: a task left behind releases no container while it reads")
    func lastReferenceInRead() async {
        // The reads of all threads would wait for one that waits for itself.
        await #expect(processExitsWith: .success) {
            Thread.detachNewThread {
                sleep(60)
                fatalError("A read does not end.")
            }
            let other = DIContainer {
                Graph { _ -> Diesel in throw Sabotage() }
                Shared(Pool())
            }
            let threads = Threads()
            for _ in 0..<300 {
                let (asking, done, ended) = (Counter(), Counter(), Counter())
                do {
                    let container = DIContainer {
                        New { [busy = Busy(other)] _ in
                            withExtendedLifetime(busy) {}
                            for _ in 0..<3 {
                                Task(executorPreference: threads) {
                                    repeat {
                                        // It looks for the context of the request that has created this task.
                                        _ = try? other.resolve.orThrow(Diesel.self)
                                        asking.increment()
                                    } while done.count == 0
                                    ended.increment()
                                }
                            }
                            eventually { asking.count >= 3 }
                            return Ticket(number: 1)
                        }
                    }
                    _ = try? await container.resolve.async(Ticket.self)
                }
                done.increment()
                await eventually { ended.count == 3 }
            }
        }
    }
}
