import DependencyInjection
import Foundation
import Testing

extension ExitTests {
    /// The table of advice has the text of a report.
    @Suite("A thread that waits a long time for a container") struct DeadlockWarningTests {}
}

extension ExitTests.DeadlockWarningTests {
    /// Runs two nested factories. The inner one waits while another thread waits for the same container.
    static func block(for delay: Duration?, _ wait: @escaping @Sendable () -> Void) {
        DIContainer.deadlockWarningDelay = delay
        let requesting = Latch()
        let container = DIContainer {
            Shared { resolve in
                _ = resolve(Pool.self)
                _ = resolve(Swift.Int128.self)
                return Int128()
            }
            Shared(Pool())
            Shared { _ in
                requesting.open()
                wait()
                return 1 as Swift.Int128
            }
            Shared(Vehicle())
        }
        let other = BackgroundThread {
            requesting.wait()
            return container.resolve(Vehicle.self)
        }
        _ = container.resolve(Int128.self)
        _ = other.result()
    }

    @Test("prints the builds of two containers that wait for each other on two threads")
    func waitForOneAnother() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let errors = RedirectedErrors()
            DIContainer.deadlockWarningDelay = .milliseconds(100)
            let (inFirst, inSecond) = (Latch(), Latch())
            let (first, second) = (DIContainer { Shared(Vehicle()) }, DIContainer { Shared(Vehicle()) })
            first.register(
                Shared { _ in
                    inFirst.open()
                    inSecond.wait()
                    _ = second.resolve(Vehicle.self)
                    return Thing()
                })
            second.register(
                Shared { _ in
                    inSecond.open()
                    inFirst.wait()
                    _ = first.resolve(Vehicle.self)
                    return Pool()
                })
            Thread.detachNewThread { _ = first.resolve(Thing.self) }
            Thread.detachNewThread { _ = second.resolve(Pool.self) }
            #expect(eventually { errors.reports >= 2 })
            errors.end()
            exit(0)
        }
        let text = result.standardError
        #expect(text.components(separatedBy: "has waited 100 ms").count == 3, "\(text)")
        #expect(text.contains("Thing  (registered at ") && text.contains("Pool  (registered at "))
    }

    @Test("prints nothing for a shorter wait or without a delay")
    func isSilent() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Self.block(for: .seconds(3)) { #expect(eventually { DIContainer.current.hasWaitingThread }) }
            // The wait has ended long before the delay, after which a report would follow.
            try await Task.sleep(for: .seconds(3.3))
            Self.block(for: nil) { #expect(eventually { DIContainer.current.hasWaitingThread }) }
        }
        #expect(!result.standardError.contains("has waited"))
    }

    @Test("prints after five seconds in a debug build, unless that is set otherwise")
    func isSettable() async {
        await #expect(processExitsWith: .success) {
            #if DEBUG
                #expect(DIContainer.deadlockWarningDelay == .seconds(5))
            #else
                #expect(DIContainer.deadlockWarningDelay == nil)
            #endif
            DIContainer.deadlockWarningDelay = .microseconds(1)
            #expect(DIContainer.deadlockWarningDelay == .milliseconds(1))
            DIContainer.deadlockWarningDelay = .seconds(Int64.max)
            #expect(DIContainer.deadlockWarningDelay! > .seconds(1_000_000))
            DIContainer.deadlockWarningDelay = nil
            #expect(DIContainer.deadlockWarningDelay == nil)
        }
    }
}
