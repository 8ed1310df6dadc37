import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule C10: a task that an asynchronous factory leaves behind", .timeLimit(.minutes(5)))
struct AbandonedTaskTests {
    private final class First: Sendable {}
    private final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test("closes no cycle with its factory's instance before that is cached")
    func beforeKeeping() async throws {
        let secondBegan = Gate()
        let firstEnded = Gate()
        let mayBeKept = Latch()
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
            // Not for long, should there be no other thread for tasks.
            mayBeKept.wait(atMost: 10)
        }
        let asked = Task { try await container.resolve.async(First.self) }
        try await firstEnded.wait()
        // Time for the second to send its request. Otherwise it finds the cached instance.
        try await Task.sleep(for: .milliseconds(50))
        mayBeKept.open()
        let first = try await asked.value
        let second = try await leftBehind.withLock { $0 }?.value
        #expect(second?.first === first)
    }
}
