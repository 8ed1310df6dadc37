import Foundation

/// Keeps the thread waiting until the condition holds, and returns whether it did in time.
@discardableResult
func eventually(within seconds: TimeInterval = 300, _ condition: () -> Bool) -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        sched_yield()
    }
    return true
}

/// Suspends the task until the condition holds, also after it was cancelled, and returns whether the condition did in time.
@discardableResult
func eventually(within seconds: TimeInterval = 300, _ condition: () -> Bool) async -> Bool {
    let deadline = Date.now + seconds
    while !condition() {
        if Date.now >= deadline { return false }
        // Returns immediately in a cancelled task, which must nevertheless give way to others.
        try? await Task.sleep(for: .milliseconds(1))
        await Task.yield()
    }
    return true
}
