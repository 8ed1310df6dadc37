import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule C10: a task that an asynchronous factory leaves behind", .mayHang, .ownThread)
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
            mayBeCached.wait()
        }
        let request = Task { try await container.resolve.async(First.self) }
        try await firstEnded.wait()
        // Otherwise the factory of the second instance would find the first instance in the cache.
        await container.untilTasksWait(3)
        mayBeCached.open()
        let first = try await request.value
        let second = try await leftBehind.withLock { $0 }?.value
        #expect(second?.first === first)
    }
}
