import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule C10: a task that an asynchronous factory leaves behind", .mayHang)
struct AbandonedTaskTests {
    private final class First: Sendable {}
    private final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test("reports no cycle between the end of its factory and the caching of the instance")
    func beforeCaching() async throws {
        let secondBegan = Gate()
        let firstEnded = Gate()
        let mayBeCached = Latch()
        let leftBehind = Locked<Task<Second, any Error>?>(nil)
        let container = DIContainer {
            Shared(async: { resolve in
                let task = Task { try await resolve.async(Second.self) }
                leftBehind.withLock { $0 = task }
                try await secondBegan.wait()
                return First()
            })
            Shared(async: { resolve in
                secondBegan.open()
                try await firstEnded.wait()
                return Second(try await resolve.async())
            })
        }
        // The observer is notified when the factory has ended, and delays the next step.
        container.observe { event in
            guard event.kind == .built, event.registration?.type == First.self else { return }
            firstEnded.open()
            // The wait is short, because this may be the only thread for tasks.
            mayBeCached.wait(atMost: 10)
        }
        let request = Task { try await container.resolve.async(First.self) }
        try await firstEnded.wait()
        // By now, the second task has usually sent its request. Otherwise it finds the cached instance.
        try await Task.sleep(for: .milliseconds(50))
        mayBeCached.open()
        let first = try await request.value
        let second = try await leftBehind.withLock { $0 }?.value
        #expect(second?.first === first)
    }
}
