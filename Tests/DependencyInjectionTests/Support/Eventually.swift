import Foundation

/// Blocks the thread until the condition holds. Returns false if it doesn't hold in time.
@discardableResult
func eventually(within seconds: TimeInterval = 300, _ condition: () -> Bool) -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        sched_yield()
    }
    return true
}

/// Suspends the task until the condition holds, even if the task is canceled. Returns false if it doesn't hold in time.
@discardableResult
func eventually(within seconds: TimeInterval = 300, _ condition: () -> Bool) async -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        // The sleep returns immediately in a canceled task, which must still yield to other tasks.
        try? await Task.sleep(for: .milliseconds(1))
        await Task.yield()
    }
    return true
}
