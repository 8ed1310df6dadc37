import DependencyInjection
import Foundation
import Testing

@Suite("A foreign deinit never blocks other threads", .serialized, .mayHang, .ownThread)
struct ForeignDeinitTests {
    /// An object whose `deinit` waits.
    private final class Slow: Sendable {
        private let began: Counter
        private let mayEnd: Latch

        init(_ began: Counter, _ mayEnd: Latch) {
            self.began = began
            self.mayEnd = mayEnd
        }

        deinit {
            began.increment()
            mayEnd.wait()
        }
    }

    @Test("Rule C10: an abandoned result's deinit does not block other builds")
    func resultOfAbandonedBuild() async {
        let (entered, began, mayEnd, gate) = (Counter(), Counter(), Latch(), Gate())
        var container: DIContainer? = DIContainer {
            Shared(async: { _ in
                entered.increment()
                // This factory ignores its cancellation.
                await Task.detached { try? await gate.wait() }.value
                return Slow(began, mayEnd)
            })
        }
        let resolve: Resolver? = container?.resolve
        let task = Task { _ = try await resolve?.async(Slow.self) }
        #expect(await eventually { entered.count > 0 })
        task.cancel()
        _ = await task.result
        container = nil
        gate.open()
        #expect(await eventually { began.count > 0 })

        let other = DIContainer { Shared(async: { _ in Pool() }) }
        let isBuilt = Counter()
        let requesting = Task {
            _ = try await other.resolve.async(Pool.self)
            isBuilt.increment()
        }
        let isInTime = await eventually { isBuilt.count > 0 }
        #expect(isInTime, "it waits for the deinit")
        mayEnd.open()
        _ = await requesting.result
        withExtendedLifetime(container) {}
    }
}

extension ExitTests {
    @Suite("A foreign deinit never blocks other threads, in another process") struct ForeignDeinitExitTests {}
}

extension ExitTests.ForeignDeinitExitTests {
    /// An object whose `deinit` changes a container and resolves from it.
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
        // Otherwise the reads of all threads would wait for a thread that waits for itself.
        await #expect(processExitsWith: .success) {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: longestWait)
                // Only this process ends.
                fatalError("A read does not end.")
            }
            let other = DIContainer {
                Graph { _ -> Diesel in throw Sabotage() }
                Shared(Pool())
            }
            let threads = Threads()
            for _ in 0..<300 {
                let (requesting, done, ended) = (Counter(), Counter(), Counter())
                do {
                    let container = DIContainer {
                        New { [busy = Self.Busy(other)] _ in
                            withExtendedLifetime(busy) {}
                            for _ in 0..<3 {
                                Task(executorPreference: threads) {
                                    repeat {
                                        // This request reads the graph of the request that has created this task.
                                        _ = try? other.resolve.orThrow(Diesel.self)
                                        requesting.increment()
                                    } while done.count == 0
                                    ended.increment()
                                }
                            }
                            #expect(eventually { requesting.count >= 3 })
                            return Ticket(number: 1)
                        }
                    }
                    _ = try? await container.resolve.async(Ticket.self)
                }
                done.increment()
                #expect(await eventually { ended.count == 3 })
            }
        }
    }
}
