import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

extension DIContainer {
    /// Blocks the thread until one thread holds the container's queue and another one waits for the queue.
    func untilThreadWaits(sourceLocation: SourceLocation = #_sourceLocation) {
        if !eventually({ core.queue.entrants.load(ordering: .relaxed) == 2 }) {
            Issue.record("No thread waits for the queue.", sourceLocation: sourceLocation)
        }
    }

    /// Suspends the task until the given number of tasks await asynchronous builds of the container.
    func untilTasksWait(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let deadline = Date.now + longestWait
        while await AsyncBuilds.shared.waiterCount(in: core) < count {
            if Date.now >= deadline {
                Issue.record("Fewer than \(count) tasks await a build.", sourceLocation: sourceLocation)
                return
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}
